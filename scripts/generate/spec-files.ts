/**
 * Reads the files of `spec/` for the generator, which must run before `generated/` exists. So it imports nothing from `src/`, and
 * the catalogue's loader checks the files.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const packageRoot: string = fileURLToPath(new URL('../../', import.meta.url));

export const specFolder: string = join(packageRoot, 'spec');

/** A JSON Schema of `spec/`, as parsed. */
export type SchemaObject = Readonly<Record<string, unknown>>;

export interface SchemaFile {
  /** File name without `.schema.json`: `known-deviations`. */
  readonly name: string;
  readonly file: string;
  readonly schema: SchemaObject;
}

/**
 * Returns the JSON Schemas of `spec/`, sorted by name.
 *
 * @throws Error naming a file that is not JSON
 */
export function readSchemaFiles(): readonly SchemaFile[] {
  return namesIn(specFolder, '.schema.json').map((name) => {
    const file = `${name}.schema.json`;
    return { name, file, schema: asRecord(readJson(file), `spec/${file}`) };
  });
}

export function readOpenApi(): SchemaObject | undefined {
  const path = join(specFolder, 'openapi.yaml');
  return existsSync(path) ? asRecord(readYaml(path), 'spec/openapi.yaml') : undefined;
}

export function readControlOpenApi(): SchemaObject {
  return asRecord(readYaml(join(specFolder, 'control.openapi.yaml')), 'spec/control.openapi.yaml');
}

/** @throws Error naming the file and the problem */
export function readYaml(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path}: expected YAML: ${(error as Error).message}`);
  }
}

/** Returns the base names, sorted, of files with this ending; none for a missing folder. */
export function namesIn(folder: string, ending: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort();
}

/** @throws Error naming `where` */
export function asRecord(value: unknown, where: string): SchemaObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as SchemaObject;
  throw new Error(`${where}: expected an object, got ${JSON.stringify(value)?.slice(0, 60)}`);
}

/** @throws Error naming `where` */
export function asList(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${where}: expected a list, got ${JSON.stringify(value)?.slice(0, 60)}`);
}

/** @throws Error naming `where` */
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
