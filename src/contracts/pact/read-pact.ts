import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  isJsonObject,
  type JsonObject,
  NotPlain,
  parseJson,
  readUtf8,
} from '../../document/input/plain-data.ts';
import { UsageError } from '../../document/input/usage-error.ts';

interface Parties {
  readonly consumer: string;
  readonly provider: string;
}

export interface Pact extends Parties {
  readonly source: string;
  readonly interactions: readonly Interaction[];
  readonly document: JsonObject;
}

export interface WantedState {
  readonly name: string;
  readonly parameters: JsonObject;
}

export interface Interaction {
  readonly description: string;
  readonly id?: string;
  readonly states: readonly WantedState[];
  readonly method: string;
  /** The path, or an expression such as `/v2/projects/${project_id}/assigned_users` that a state fills in. */
  readonly path: string;
  readonly expressions: readonly string[];
  /** Status of the example answer. From 400 on, the consumer expects a refusal. */
  readonly status: number;
  readonly pending: boolean;
  readonly document: JsonObject;
  /** The reason why the suite cannot read or send it. The interaction fails, and stops no other. */
  readonly problem?: string;
}

/** Reports an invalid pact before anything is sent: exit 2. The message has a line per problem. */
export class PactRefused extends UsageError {
  override readonly name = 'PactRefused';
}

/**
 * Reads a pact. Interactions that cannot be read have a `problem`; so has the pact as a whole, if it holds none.
 *
 * @param parties names that the pact itself may lack
 * @throws PactRefused for a text that is no pact
 */
export function readPact(text: string, source: string, parties: Partial<Parties> = {}): Pact {
  const document = pactDocument(text, source);
  const consumer = nameIn(document.consumer) ?? parties.consumer;
  const provider = nameIn(document.provider) ?? parties.provider;
  if (consumer === undefined || provider === undefined)
    throw new PactRefused(
      `${source}: expected a pact, with consumer.name, provider.name and a list of interactions, but its keys are ${Object.keys(document).slice(0, 8).join(', ') || 'none'}`,
    );
  const { interactions } = document;
  const all: readonly unknown[] = Array.isArray(interactions) ? interactions : [];
  const whole = 'messages' in document ? 'it is a pact of messages; the service has HTTP alone' : NOTHING;
  const read = all.length > 0 ? all.map(readInteraction) : [unreadable({}, 'the pact as a whole', whole)];
  return { source, consumer, provider, interactions: read, document };
}

const NOTHING = 'it holds no interaction, and nothing verified is never a pass';

/** @throws PactRefused */
export function pactDocument(text: string, source: string): JsonObject {
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    throw new PactRefused(`${source}: expected a pact, which is JSON, got ${error.message}`);
  }
  throw new PactRefused(`${source}: expected a pact, which is a JSON object`);
}

function readInteraction(value: unknown, index: number): Interaction {
  const document = isJsonObject(value) ? value : {};
  const { description, type = 'Synchronous/HTTP', request, response } = document;
  if (typeof description !== 'string' || !isJsonObject(value))
    return unreadable(document, `interaction ${index + 1}`, 'expected an object with a description');
  const wrong = (problem: string) => unreadable(document, description, problem);
  if (type !== 'Synchronous/HTTP')
    return wrong(`it is of type ${JSON.stringify(type)}; the service has HTTP alone`);
  if (!isJsonObject(request) || typeof request.method !== 'string' || typeof request.path !== 'string')
    return wrong('expected a request with method and path');
  const [injectedPath] = expressionsIn(
    isJsonObject(request.generators) ? request.generators.path : undefined,
  );
  if (injectedPath === undefined && !request.path.startsWith('/'))
    return wrong(`expected a path that begins with "/", got ${JSON.stringify(request.path)}`);
  if (!isJsonObject(response) || typeof response.status !== 'number')
    return wrong('expected a response with a status, a number');
  const states = statesOf(value);
  if (states === undefined) return wrong('expected provider states with a name each');
  return {
    description,
    id: typeof value._id === 'string' ? value._id : undefined,
    states,
    method: request.method.toUpperCase(),
    path: injectedPath ?? request.path,
    expressions: [...expressionsIn(request.generators), ...expressionsIn(response.generators)],
    status: response.status,
    pending: value.pending === true,
    document: value,
  };
}

function unreadable(document: JsonObject, description: string, problem: string): Interaction {
  const nothing = { states: [], method: '', path: '', expressions: [], status: 0 };
  return { ...nothing, description, pending: document.pending === true, document, problem };
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

/**
 * Reads pacts.
 *
 * @param leaveOut returns true for a file of a folder to pass over
 * @throws PactRefused naming every path without a pact, and every file that is none
 */
export function findPacts(
  paths: readonly string[],
  leaveOut: (document: JsonObject, file: string) => boolean = () => false,
): readonly Pact[] {
  return atPaths(paths, (text, file) => {
    const left = !paths.includes(file) && leaveOut(pactDocument(text, file), file);
    return left ? [] : [readPact(text, file)];
  }).flat();
}

/**
 * Reads files, and all `*.json` of folders. Keeps the order of the paths; sorts the files of a folder by name.
 *
 * @throws PactRefused with all problems
 */
export function atPaths<T>(paths: readonly string[], read: (text: string, file: string) => T): readonly T[] {
  const problems: string[] = [];
  const collected = <R>(work: () => R[]): R[] => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof PactRefused)) throw error;
      problems.push(error.message);
      return [];
    }
  };
  const files = paths.flatMap((path) => collected(() => filesAt(path)));
  const pacts = files.flatMap((file) => collected(() => [read(textAt(file), file)]));
  if (problems.length > 0) throw new PactRefused(problems.join('\n'));
  return pacts;
}

function filesAt(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw new PactRefused(`${path}: there is no such file or folder; expected a pact, or a folder of pacts`);
  if (!found.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new PactRefused(`${path}: the folder holds no *.json, so no pact`);
  return names.sort().map((name) => join(path, name));
}

function textAt(file: string): string {
  try {
    return readUtf8(file);
  } catch (error) {
    throw new PactRefused(`${file}: expected a pact, got ${(error as Error).message}`);
  }
}
