/**
 * Reads the files of `spec/` for the generator. The generator stands below everything else: it must run before
 * `generated/` exists, so it imports nothing from `src/` and leaves the judging of the files to the catalogue's loader.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** Root of the package, absolute, with a trailing slash. */
export const packageRoot: string = fileURLToPath(new URL('../../', import.meta.url));

/** The folder `spec/`, absolute. */
export const specFolder: string = join(packageRoot, 'spec');

/** A JSON Schema of `spec/`, as parsed. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** One `spec/<name>.schema.json`. */
export interface SchemaFile {
  /** File name without `.schema.json`: `known-deviations`. */
  readonly name: string;
  /** File name: `known-deviations.schema.json`. */
  readonly file: string;
  readonly schema: SchemaObject;
}

/**
 * The JSON Schemas of `spec/`, sorted by name.
 * @throws Error naming the file when one is not JSON.
 */
export function readSchemaFiles(): readonly SchemaFile[] {
  return namesIn(specFolder, '.schema.json').map((name) => {
    const file = `${name}.schema.json`;
    return { name, file, schema: asRecord(readJson(file), `spec/${file}`) };
  });
}

/** `spec/openapi.yaml` as parsed, or `undefined` when there is none yet. */
export function readOpenApi(): SchemaObject | undefined {
  const path = join(specFolder, 'openapi.yaml');
  return existsSync(path) ? asRecord(readYaml(path), 'spec/openapi.yaml') : undefined;
}

export function readControlOpenApi(): SchemaObject {
  return asRecord(readYaml(join(specFolder, 'control.openapi.yaml')), 'spec/control.openapi.yaml');
}

/** Parses one YAML file. @throws Error naming the file and what is wrong in it. */
export function readYaml(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path}: expected YAML: ${(error as Error).message}`);
  }
}

/** Base names, sorted, of the files in a folder that end in `ending`; none when the folder is missing. */
export function namesIn(folder: string, ending: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort();
}

/** The value as an object. @throws Error naming `where` when it is none. */
export function asRecord(value: unknown, where: string): SchemaObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as SchemaObject;
  throw new Error(`${where}: expected an object, got ${JSON.stringify(value)?.slice(0, 60)}`);
}

/** The value as a list. @throws Error naming `where` when it is none. */
export function asList(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${where}: expected a list, got ${JSON.stringify(value)?.slice(0, 60)}`);
}

/** The value as a string. @throws Error naming `where` when it is none. */
export function asString(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  throw new Error(`${where}: expected a string, got ${JSON.stringify(value)?.slice(0, 60)}`);
}

/** `known-deviations` to `KnownDeviations`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(join(specFolder, file), 'utf8'));
  } catch (error) {
    throw new Error(`spec/${file}: expected JSON: ${(error as Error).message}`);
  }
}
