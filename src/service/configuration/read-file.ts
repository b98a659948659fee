import { existsSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import type { Problem } from '../../document/describe-errors.ts';
import { NotPlain, parseJson, placeAt, plainData, readUtf8 } from '../../document/input/plain-data.ts';
import { describeThrown } from '../../document/input/thrown.ts';
import { ConfigurationError } from './configuration-error.ts';
import { loadModule } from './user-modules.ts';

const MODULES = ['.js', '.mjs', '.ts', '.mts'];

/** @param given the configuration itself, in place of the file's contents */
export async function readConfigurationFile(file: string, given?: unknown): Promise<unknown> {
  const refuse = (problem: Omit<Problem, 'path'>) => new ConfigurationError(file, [{ path: [], ...problem }]);
  const ending = given === undefined ? endingOf(file, refuse) : 'an object';
  try {
    if (given !== undefined) return plainData(given);
    if (ending === '.json') return jsonIn(readUtf8(file));
    const { exported } = await defaultExport(file);
    return plainData(exported);
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    throw refuse({
      expected: EXPECTED[ending] ?? 'a module with a configuration',
      actual: error.message,
    });
  }
}

function jsonIn(text: string): unknown {
  const value = parseJson(text);
  // JSON is YAML too, whose reader finds a key that stands twice.
  const twice = parseDocument(text, { prettyErrors: false }).errors.find(
    ({ code }) => code === 'DUPLICATE_KEY',
  );
  if (twice === undefined) return value;
  const [at] = twice.pos;
  const [, key = 'a key'] = /^("[\w-]{1,40}")/.exec(text.slice(at)) ?? [];
  throw new NotPlain(`${key} twice in one object ${placeAt(text, at)}`);
}

const EXPECTED: Readonly<Record<string, string>> = {
  '.json': 'JSON',
  'an object': 'data that JSON can hold',
};

function endingOf(file: string, refuse: (problem: Omit<Problem, 'path'>) => ConfigurationError): string {
  if (!existsSync(file)) {
    throw refuse({
      expected: 'a configuration file',
      actual: 'no such file',
      advice: `looked at ${resolve(file)}`,
    });
  }
  if (!statSync(file).isFile())
    throw refuse({ expected: 'a configuration file', actual: 'a folder or a special file' });
  const ending = extname(file);
  if (ending !== '.json' && !MODULES.includes(ending)) {
    throw refuse({
      expected: `a file that ends in .json, ${MODULES.join(', ')}`,
      actual: ending === '' ? 'no ending' : ending,
    });
  }
  return ending;
}

/** Wraps the export in an object, because resolving a promise reads `then`, which may throw. */
async function defaultExport(file: string): Promise<{ readonly exported: unknown }> {
  const path = resolve(file);
  const module = await loadModule(path).catch((thrown: unknown) => {
    throw new NotPlain(describeThrown(thrown, path));
  });
  const exported = module.default;
  if (exported !== undefined) return { exported };
  throw new NotPlain('one without a default export; expected `export default { name: "staging", ... }`');
}
