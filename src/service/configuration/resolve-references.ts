import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import type { KeyPath, Problem } from '../../document/describe-errors.ts';
import { readUtf8 } from '../../document/input/plain-data.ts';
import type { Environment } from '../../http/proxy.ts';
import { ConfigurationError } from './configuration-error.ts';

/** The file's type with every `{ "env": "NAME" }` replaced by the variable's value. */
export type Resolved<T> = T extends { readonly env: string }
  ? string
  : T extends object
    ? { readonly [Key in keyof T]: Resolved<T[Key]> }
    : T;

export interface ReadVariable {
  readonly path: KeyPath;
  readonly value: string;
}

/** Returns a file with the values of variables, those that were read, the problems, and the names of all variables. */
export function resolveReferences<T>(file: T, env: Environment) {
  const problems: Problem[] = [];
  const read: ReadVariable[] = [];
  const names = new Set<string>();
  const resolve = (value: unknown, path: KeyPath): unknown => {
    if (isSentAsItIs(path)) return value;
    if (Array.isArray(value)) return value.map((item, index) => resolve(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    if (isReference(value) && !mapsHeaders(path)) {
      names.add(value.env);
      // Every object has an inherited `constructor`, which is no variable.
      const held = Object.hasOwn(env, value.env) ? env[value.env] : undefined;
      if (held) read.push({ path, value: held });
      else problems.push(missing(path, value.env, held));
      return held ?? '';
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolve(item, [...path, key])]),
    );
  };
  return { value: resolve(file, []) as Resolved<T>, read, problems, names: [...names] };
}

export function environmentNames(file: unknown): readonly string[] {
  return resolveReferences(file, {}).names;
}

/** Bodies of these requests may have an `env` that is no reference. */
function isSentAsItIs([room, operation]: KeyPath): boolean {
  return room === 'requests' && (operation === 'assign' || operation === 'unassign');
}

function mapsHeaders(path: KeyPath): boolean {
  return path[0] === 'requests' && path.length === (path[1] === 'headers' ? 2 : 3);
}

function isReference(value: object): value is { readonly env: string } {
  return 'env' in value && typeof value.env === 'string' && Object.keys(value).length === 1;
}

function missing(path: KeyPath, name: string, held: string | undefined): Problem {
  return {
    path,
    expected: `the environment variable ${name} to hold the value`,
    actual: held === undefined ? 'no such variable' : 'an empty one',
    advice: `set ${name}, in the environment or in \`.env\` beside the configuration`,
  };
}

/**
 * Adds the variables of an env file (`NAME=value`, quotes and `#` as Node reads them) to those that the environment does not set.
 * @throws ConfigurationError if the file cannot be read, a line has a colon, which Node would skip, or a `#` cuts a value
 */
export function withEnvFile(file: string, env: Environment): Environment {
  const text = readText(file);
  const parsed = parseEnv(text);
  const colon = /^\s*([A-Z][A-Z0-9_]*)\s*:/m.exec(text);
  if (colon !== null) {
    const actual = `${colon[1]} with a colon`;
    throw new ConfigurationError(file, [{ path: [], expected: 'lines such as NAME=value', actual }]);
  }
  const cut = [...text.matchAll(CUT)].flatMap(([, name = '', value = '']): readonly Problem[] => {
    if (parsed[name] !== value.trim()) return [];
    const actual = `${name}, which ends at a # without a space before it`;
    const advice = `quote it, as in ${name}='…', or put a space before a comment`;
    return [{ path: [], expected: 'quotes around a value with #', actual, advice }];
  });
  if (cut.length > 0) throw new ConfigurationError(file, cut);
  const set = Object.entries(env).filter(([, value]) => value !== undefined);
  return { ...parsed, ...Object.fromEntries(set) };
}

/** A value without quotes that Node cuts at a `#` directly behind a character. */
const CUT = /^\s*(?:export\s+)?([\w.-]+)\s*=(?!\s*['"`])((?:[^#\n]*[^\s#])?)#/gm;

export function withEnvBeside(configuration: string, env: Environment): Environment {
  const file = join(dirname(configuration), '.env');
  return existsSync(file) ? withEnvFile(file, env) : env;
}

function readText(file: string): string {
  try {
    return readUtf8(file);
  } catch (error) {
    const actual = (error as Error).message;
    throw new ConfigurationError(file, [{ path: [], expected: 'an env file that can be read', actual }]);
  }
}
