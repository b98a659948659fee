import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../input/parse-json.ts';
import { NotPlain } from '../../input/plain-data.ts';
import { UsageError } from '../../input/usage-error.ts';

export interface PactFile {
  readonly path: string;
  readonly consumer: string;
  readonly provider: string;
  readonly text: string;
}

/**
 * Reads the pacts to publish. The broker takes any JSON, `{}` included: a mistake that was published stays, and blocks deployments.
 *
 * @param paths files, and folders whose `.json` files are meant
 * @throws UsageError naming every file that is no pact
 */
export function readPactFiles(paths: readonly string[]): readonly PactFile[] {
  const wrong: string[] = [];
  const pacts: PactFile[] = [];
  for (const path of paths.flatMap(filesAt)) {
    const text = textAt(path);
    const pact =
      text === undefined ? 'expected a pact, got a file that cannot be read' : inspectPact(jsonIn(text));
    if (typeof pact === 'string') wrong.push(`${path}: ${pact}`);
    else pacts.push({ path, text: text ?? '', ...pact });
  }
  if (wrong.length > 0) throw new UsageError(`nothing was published.\n${wrong.join('\n')}`);
  const twice = pacts.find((a, index) =>
    pacts.slice(0, index).some((b) => a.consumer === b.consumer && a.provider === b.provider),
  );
  if (twice === undefined) return pacts;
  const { path, consumer, provider } = twice;
  throw new UsageError(
    `nothing was published. ${path} is a second pact between ${consumer} and ${provider}: one version has one; merge them, or leave one out`,
  );
}

function filesAt(path: string): readonly string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`there is no pact at ${path}: no such file or folder`);
  if (!stat.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new UsageError(`there is no pact in ${path}: no file that ends in .json`);
  return names.sort().map((name) => join(path, name));
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof NotPlain) return error;
    throw error;
  }
}

/** Returns the consumer and the provider, or the first problem as a text. */
export function inspectPact(content: unknown): string | Pick<PactFile, 'consumer' | 'provider'> {
  if (content instanceof NotPlain) return `expected a pact, got ${content.message}`;
  if (!isObject(content)) return 'expected a pact, which is a JSON object';
  const [consumer, provider] = [nameIn(content.consumer), nameIn(content.provider)];
  if (consumer === undefined) return 'expected `consumer.name`, which every pact has';
  if (provider === undefined) return 'expected `provider.name`, which every pact has';
  const { interactions, messages, metadata } = content;
  for (const [key, items] of Object.entries({ interactions, messages })) {
    if (items !== undefined && !Array.isArray(items)) return `expected \`${key}\` to be a list`;
  }
  const items = [interactions, messages].flatMap((list) => (Array.isArray(list) ? list : []));
  if (items.length === 0)
    return 'expected `interactions` or `messages` that hold one at least: an empty pact promises nothing';
  const bad = items.findIndex((item) => !isInteraction(item));
  if (bad !== -1)
    return `expected interaction ${bad + 1} to have a description, and a request with its response, or contents`;
  return hasSpecification(metadata)
    ? { consumer, provider }
    : 'expected `metadata.pactSpecification.version`: every Pact library writes it';
}

function isInteraction(item: unknown): boolean {
  if (!isObject(item) || typeof item.description !== 'string' || item.description === '') return false;
  const { request, response, contents } = item;
  return (isObject(request) && (isObject(response) || Array.isArray(response))) || contents !== undefined;
}

function hasSpecification(metadata: unknown): boolean {
  if (!isObject(metadata)) return false;
  const named = metadata.pactSpecification ?? metadata['pact-specification'];
  const version = isObject(named) ? named.version : metadata.pactSpecificationVersion;
  return typeof version === 'string' && version !== '';
}

function nameIn(party: unknown): string | undefined {
  return isObject(party) && typeof party.name === 'string' && party.name.trim() !== ''
    ? party.name
    : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
