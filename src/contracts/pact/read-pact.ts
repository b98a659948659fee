import { isJsonObject, type JsonObject, NotPlain, parseJson } from '../../input/plain-data.ts';
import { type Interaction, type Pact, PactRefused, type WantedState } from './pact.ts';

/**
 * Reads a pact.
 *
 * @param text JSON
 * @param source a path or an address, for messages
 * @throws PactRefused for invalid pacts, without interactions, or with messages, which the service does not have
 */
export function readPact(text: string, source: string): Pact {
  const document = pactDocument(text, source);
  const [consumer, provider] = [nameIn(document.consumer), nameIn(document.provider)];
  const { interactions } = document;
  if (consumer === undefined || provider === undefined || !Array.isArray(interactions)) {
    const but = 'messages' in document ? 'it is a pact of messages' : `its keys are ${keysOf(document)}`;
    throw new PactRefused([
      `${source}: expected a pact, with consumer.name, provider.name and a list of interactions, but ${but}`,
    ]);
  }
  if (interactions.length === 0) {
    throw new PactRefused([`${source}: holds no interaction, and nothing verified is never a pass`]);
  }
  const problems: string[] = [];
  const read = interactions.flatMap((interaction: unknown, index) => {
    const result = readInteraction(interaction);
    if (typeof result !== 'string') return [result];
    problems.push(`${source}: interaction ${index + 1}: ${result}`);
    return [];
  });
  if (problems.length > 0) throw new PactRefused(problems);
  return { source, consumer, provider, interactions: read, document };
}

/** @throws PactRefused */
export function pactDocument(text: string, source: string): JsonObject {
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    throw new PactRefused([`${source}: expected a pact, which is JSON, got ${error.message}`]);
  }
  throw new PactRefused([`${source}: expected a pact, which is a JSON object`]);
}

function readInteraction(value: unknown): Interaction | string {
  if (!isJsonObject(value)) return 'expected an object';
  const { description, type } = value;
  if (typeof description !== 'string') return 'expected a description';
  if (type !== undefined && type !== 'Synchronous/HTTP') {
    return `"${description}" is of type ${JSON.stringify(type)}; the service has HTTP alone`;
  }
  const { request, response } = value;
  if (!isJsonObject(request) || typeof request.method !== 'string' || typeof request.path !== 'string') {
    return `"${description}": expected a request with method and path`;
  }
  if (!isJsonObject(response) || typeof response.status !== 'number') {
    return `"${description}": expected a response with a status, a number`;
  }
  const states = statesOf(value);
  if (states === undefined) return `"${description}": expected provider states with a name each`;
  const [injectedPath] = expressionsIn(
    isJsonObject(request.generators) ? request.generators.path : undefined,
  );
  return {
    description,
    ...(typeof value._id === 'string' ? { id: value._id } : {}),
    states,
    method: request.method.toUpperCase(),
    path: injectedPath ?? request.path,
    expressions: [...expressionsIn(request.generators), ...expressionsIn(response.generators)],
    status: response.status,
    pending: value.pending === true,
    document: value,
  };
}

/** Reads states: versions 1 and 2 have one text without parameters; versions 3 and 4 have a list. */
function statesOf(interaction: JsonObject): readonly WantedState[] | undefined {
  const old = interaction.providerState ?? interaction.provider_state;
  const list = interaction.providerStates ?? (old === undefined || old === null ? [] : [{ name: old }]);
  if (typeof list === 'string') return [{ name: list, parameters: {} }];
  if (!Array.isArray(list)) return undefined;
  const states = list.map((state: unknown) => {
    const name = nameIn(state);
    if (name === undefined || !isJsonObject(state)) return undefined;
    const { params } = state;
    return { name, parameters: isJsonObject(params) ? params : {} };
  });
  return states.every((state) => state !== undefined) ? states : undefined;
}

function expressionsIn(generators: unknown): readonly string[] {
  if (Array.isArray(generators)) return generators.flatMap(expressionsIn);
  if (!isJsonObject(generators)) return [];
  if (generators.type === 'ProviderState' && typeof generators.expression === 'string') {
    return [generators.expression];
  }
  return Object.values(generators).flatMap(expressionsIn);
}

export function nameIn(value: unknown): string | undefined {
  return isJsonObject(value) && typeof value.name === 'string' && value.name.trim() !== ''
    ? value.name
    : undefined;
}

function keysOf(document: JsonObject): string {
  return Object.keys(document).slice(0, 8).join(', ') || 'none';
}
