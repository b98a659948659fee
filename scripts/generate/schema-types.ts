import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import openapiTs, { astToString } from 'openapi-typescript';
import { asRecord, pascalCase, type SchemaFile, type SchemaObject, specFolder } from './spec-files.ts';
import { schemaTypeName } from './validators.ts';

/** `generated/schemas.d.ts`: the types of the files that `spec/*.schema.json` describe. */
/**
 * Declares one type per schema file (named by its `title`) and one per definition in it. The latter begins with the file's name,
 * so that two files may define the same name.
 *
 * @throws Error if two files still declare the same name, because TypeScript would merge them silently
 */
export async function generateSchemaTypes(files: readonly SchemaFile[]): Promise<string> {
  const texts: string[] = [];
  const owners = new Map<string, string>();
  for (const { name, file, schema } of files) {
    const text = await compile(readable(name, schema) as JSONSchema, name, {
      additionalProperties: false,
      bannerComment: `// spec/${file}`,
      cwd: specFolder,
      format: true,
      ignoreMinAndMaxItems: true,
      style: { printWidth: 110, singleQuote: true },
      unknownAny: true,
    });
    for (const [, type = ''] of text.matchAll(/^export (?:type|interface) (\w+)/gm)) {
      const owner = owners.get(type);
      if (owner !== undefined)
        throw new Error(`spec/${file}: declares ${type}, which spec/${owner} declares too; change a title`);
      owners.set(type, file);
    }
    texts.push(text);
  }
  return texts.length === 0 ? 'export {};\n' : texts.join('\n');
}

/** Rewrites a schema for the compiler: tuples in the style of draft 7, definitions with unique names. */
function readable(name: string, schema: SchemaObject): SchemaObject {
  const { $id: _id, $schema: _dialect, $defs: definitions, ...rest } = schema;
  const rename = (value: unknown) => renamed(value, pascalCase(name));
  const root = { ...asRecord(rename(rest), name), title: schemaTypeName(name, schema) };
  if (definitions === undefined) return root;
  const entries = Object.entries(asRecord(definitions, `${name}: $defs`));
  return {
    ...root,
    $defs: Object.fromEntries(
      entries.map(([key, value]) => [pascalCase(name) + pascalCase(key), rename(value)]),
    ),
  };
}

function renamed(value: unknown, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, prefix));
  if (typeof value !== 'object' || value === null) return value;
  if (Object.keys(value).every((key) => key === 'description')) return { ...value, tsType: 'unknown' };
  const isTuple = 'prefixItems' in value;
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    // Conditions forbid values; they define no shape.
    if (key === 'allOf' || (key === 'anyOf' && isCondition(inner))) return [];
    return [entryOf(key, inner)];
  });
  return Object.fromEntries(entries);

  function entryOf(key: string, inner: unknown): [string, unknown] {
    if (key === '$ref' && typeof inner === 'string') return [key, renamedReference(inner, prefix)];
    if (isTuple && key === 'prefixItems') return ['items', renamed(inner, prefix)];
    if (isTuple && key === 'items') return ['additionalItems', renamed(inner, prefix)];
    return [key, renamed(inner, prefix)];
  }
}

/** True for alternatives that only list required members. */
function isCondition(alternatives: unknown): boolean {
  return (
    Array.isArray(alternatives) &&
    alternatives.every((one) => Object.keys(asRecord(one, 'anyOf')).every((key) => key === 'required'))
  );
}

function renamedReference(reference: string, prefix: string): string {
  return reference.replace(
    /^#\/\$defs\/(.+)$/,
    (_whole, key: string) => `#/$defs/${prefix}${pascalCase(key)}`,
  );
}

/** Returns the declarations of a specification in `spec/`; empty if it does not exist. */
export async function generateOpenApiTypes(file: string): Promise<string> {
  const path = join(specFolder, file);
  if (!existsSync(path)) return 'export interface components { schemas: Record<never, never> }\n';
  const nodes = await openapiTs(pathToFileURL(path), {
    alphabetize: true,
    emptyObjectsUnknown: true,
    immutable: true,
    silent: true,
  });
  return astToString(nodes);
}
