import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../input/parse-json.ts';
import { NotPlain } from '../../input/plain-data.ts';
import { UsageError } from '../../input/usage-error.ts';

/** A file that holds a pact, looked at. */
export interface PactFile {
  readonly path: string;
  readonly consumer: string;
  readonly provider: string;
  /** Number of interactions and messages. */
  readonly interactions: number;
  /** The file, as it is published. */
  readonly text: string;
}

/**
 * Reads the pacts to publish and refuses whatever is none. The broker takes any JSON, `{}` included: what was published by
 * mistake stays, and blocks deployments.
 *
 * @param paths files, and folders whose `.json` files are meant
 * @returns all of them, so that nothing is sent while one is wrong
 * @throws UsageError naming every file that is no pact, and why
 */
export function readPactFiles(paths: readonly string[]): readonly PactFile[] {
  const files = paths.flatMap(filesAt);
  const read = files.map((path) => ({ path, ...readPact(path) }));
  const wrong = read.flatMap(({ path, problem }) => (problem === undefined ? [] : [`${path}: ${problem}`]));
  if (wrong.length > 0) throw new UsageError(`nothing was published.\n${wrong.join('\n')}`);
  const pacts = read.flatMap(({ path, text, pact }) => (pact === undefined ? [] : [{ path, text, ...pact }]));
  const twice = pacts.find((a, index) =>
    pacts.slice(0, index).some((b) => a.consumer === b.consumer && a.provider === b.provider),
  );
  if (twice !== undefined) {
    throw new UsageError(
      `nothing was published. ${twice.path} is a second pact between ${twice.consumer} and ${twice.provider}: one version has one; merge them, or leave one out`,
    );
  }
  return pacts;
}

function filesAt(path: string): readonly string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`there is no pact at ${path}: no such file or folder`);
  if (!stat.isDirectory()) return [path];
  const files = readdirSync(path)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(path, name));
  if (files.length === 0) throw new UsageError(`there is no pact in ${path}: no file that ends in .json`);
  return files;
}

/** What a JSON value is as a pact. */
type Read = { readonly problem?: string; readonly pact?: Omit<PactFile, 'path' | 'text'> };

function readPact(path: string): Read & { readonly text: string } {
  let text = '';
  let content: unknown;
  try {
    text = readFileSync(path, 'utf8');
    content = parseJson(text);
  } catch (error) {
    return {
      text,
      problem: `expected a pact, got ${error instanceof NotPlain ? error.message : 'a file that cannot be read'}`,
    };
  }
  return { text, ...inspectPact(content) };
}

/** What a JSON value is as a pact: who with whom, or the first thing that makes it none. */
export function inspectPact(content: unknown): Read {
  if (!isObject(content)) return { problem: 'expected a pact, which is a JSON object' };
  const consumer = nameIn(content.consumer);
  const provider = nameIn(content.provider);
  if (consumer === undefined) return { problem: 'expected `consumer.name`, which every pact has' };
  if (provider === undefined) return { problem: 'expected `provider.name`, which every pact has' };
  const { interactions, messages, metadata } = content;
  for (const [key, items] of Object.entries({ interactions, messages })) {
    if (items !== undefined && !Array.isArray(items)) return { problem: `expected \`${key}\` to be a list` };
  }
  const items = [interactions, messages].flatMap((list) => (Array.isArray(list) ? list : []));
  if (items.length === 0)
    return {
      problem: 'expected `interactions` or `messages` that hold one at least: an empty pact promises nothing',
    };
  const bad = items.findIndex((item) => !isInteraction(item));
  if (bad !== -1)
    return {
      problem: `expected interaction ${bad + 1} to have a description, and a request with its response, or contents`,
    };
  if (!hasSpecification(metadata))
    return { problem: 'expected `metadata.pactSpecification.version`: every Pact library writes it' };
  return { pact: { consumer, provider, interactions: items.length } };
}

function isInteraction(item: unknown): boolean {
  if (!isObject(item) || typeof item.description !== 'string' || item.description === '') return false;
  const { request, response, contents } = item;
  return (isObject(request) && (isObject(response) || Array.isArray(response))) || contents !== undefined;
}

/** Where the versions of the specification have put their number. */
function hasSpecification(metadata: unknown): boolean {
  if (!isObject(metadata)) return false;
  const named = metadata.pactSpecification ?? metadata['pact-specification'];
  const version = isObject(named) ? named.version : metadata.pactSpecificationVersion;
  return typeof version === 'string' && version !== '';
}

function nameIn(party: unknown): string | undefined {
  if (!isObject(party) || typeof party.name !== 'string' || party.name.trim() === '') return undefined;
  return party.name;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
