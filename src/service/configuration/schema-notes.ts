import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { KeyPath, SchemaNote } from '../../document/describe-errors.ts';

export interface SchemaNode {
  readonly $ref?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly oneOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly $defs?: Readonly<Record<string, SchemaNode>>;
}

export const schemaFile = fileURLToPath(new URL('../../../spec/configuration.schema.json', import.meta.url));

/** Keys where people put secrets by mistake. */
const MAY_HOLD_SECRETS: readonly (string | number)[] = ['steps', 'headers'];

let root: SchemaNode | undefined;

export function configurationSchema(): SchemaNode {
  root ??= JSON.parse(readFileSync(schemaFile, 'utf8')) as SchemaNode;
  return root;
}

export function schemaNote(path: KeyPath): SchemaNote {
  let named: SchemaNode | undefined = configurationSchema();
  let here = shapesOf(named);
  let secret = false;
  for (const part of path) {
    const found = here.map((shape) => childOf(shape, part)).filter((child) => child !== undefined);
    named = found[0];
    secret ||= found.some((child) => child.$ref === '#/$defs/secret') || MAY_HOLD_SECRETS.includes(part);
    here = found.flatMap(shapesOf);
  }
  const described = named && { ...resolvedReference(named), ...named };
  const example = described?.examples?.[0];
  return {
    description: described?.description,
    example: example === undefined ? undefined : JSON.stringify(example),
    secret,
  };
}

/** Returns the places of a key in a configuration, such as `consent.deny`. */
export function keyPlaces(key: string, node = configurationSchema(), path = ''): readonly string[] {
  const found = shapesOf(node).flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, child]) => {
      const at = path === '' ? name : `${path}.${name}`;
      return name === key ? [at] : keyPlaces(key, child, at);
    }),
    ...(items === undefined ? [] : keyPlaces(key, items, `${path}[]`)),
  ]);
  return [...new Set(found)];
}

function childOf(shape: SchemaNode, part: string | number): SchemaNode | undefined {
  if (typeof part === 'number') return shape.items;
  const named = shape.properties?.[part];
  if (named !== undefined) return named;
  return typeof shape.additionalProperties === 'object' ? shape.additionalProperties : undefined;
}

function shapesOf(node: SchemaNode): readonly SchemaNode[] {
  const own = resolvedReference(node);
  const branches = own.oneOf ?? own.anyOf;
  return branches === undefined ? [own] : branches.flatMap(shapesOf);
}

export function resolvedReference(node: SchemaNode): SchemaNode {
  const name = node.$ref?.replace('#/$defs/', '');
  const definition = name === undefined ? undefined : configurationSchema().$defs?.[name];
  return definition === undefined ? node : resolvedReference(definition);
}
