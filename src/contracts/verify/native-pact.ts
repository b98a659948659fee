import { isJsonObject, type JsonObject } from '../../document/input/plain-data.ts';
import type { Interaction, Pact } from '../pact/read-pact.ts';

/** Headers of a single connection, or headers that the transport sets. */
const OF_THE_CONNECTION = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function isOfTheConnection(header: string): boolean {
  return OF_THE_CONNECTION.has(header.toLowerCase());
}

/**
 * Returns a pact of one interaction as Pact's native verifier understands it:
 * - pact-jvm's `FormPostBuilder` writes form generators under bare names (`code`), which the verifier ignores; they become `$.code`.
 * - pact-js 11 writes header generators as paths (`$['Authorization'][0]`), which the verifier takes for header names.
 * - Headers of the connection go: a recorded `Content-Length` would cut the form, or let the verifier wait.
 */
export function nativePact(pact: Pact, { document }: Interaction): JsonObject {
  const interaction = {
    ...document,
    pending: false,
    request: withoutConnection(withPlainGenerators(document.request)),
    response: withoutConnection(document.response),
  };
  return { ...pact.document, interactions: [interaction] };
}

/** Returns a sentence for each interaction whose headers of the connection are left out. */
export function leftOutHeaders({ interactions }: Pact): readonly string[] {
  return interactions.flatMap(({ description, document: { request, response } }) => {
    const names = [request, response].flatMap((message) =>
      isJsonObject(message) && isJsonObject(message.headers) ? Object.keys(message.headers) : [],
    );
    const left = [...new Set(names.filter(isOfTheConnection))].join(', ');
    return left === ''
      ? []
      : [`"${description}": each connection sets its own ${left}, so the suite left the pact's out`];
  });
}

function withoutConnection(message: unknown): unknown {
  if (!isJsonObject(message) || !isJsonObject(message.headers)) return message;
  return { ...message, headers: renamed(message.headers, (name) => (isOfTheConnection(name) ? [] : [name])) };
}

function withPlainGenerators(request: unknown): unknown {
  if (!isJsonObject(request) || !isJsonObject(request.generators)) return request;
  const { body, header, ...generators } = request.generators;
  return {
    ...request,
    generators: {
      ...generators,
      ...(isJsonObject(body) && {
        body: renamed(body, (path) => [path.startsWith('$') ? path : `$.${path}`]),
      }),
      ...(isJsonObject(header) && {
        header: renamed(header, (path) => [headerIn(path)].filter((name) => !isOfTheConnection(name))),
      }),
    },
  };
}

/** Returns the header's name in `$['Authorization'][0]`, `$.Authorization[0]` and `Authorization`. */
function headerIn(path: string): string {
  return path.replace(/^\$?\.?(?:\['(.+?)'\])?/, '$1').replace(/\[\d+\]$/, '');
}

function renamed(object: JsonObject, names: (key: string) => readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => names(key).map((name) => [name, value])),
  );
}
