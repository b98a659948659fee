import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { KeyPath } from '../catalogue/describe-errors.ts';

/** A JSON Schema, as far as it is looked into for words. */
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

export interface SchemaNote {
  /** Completes "expected …". */
  readonly description: string | undefined;
  /** A value that would do, as JSON. */
  readonly example: string | undefined;
  /** True if a secret belongs here, or has its variable named here: what came is never shown. */
  readonly secret: boolean;
  /** Keys that may stand here. */
  readonly keys: readonly string[];
  /** Where several shapes are possible: the keys that each must have. */
  readonly shapes: readonly { readonly required: readonly string[]; readonly keys: readonly string[] }[];
}

export const schemaFile = fileURLToPath(new URL('../../spec/configuration.schema.json', import.meta.url));

/** Keys under which people put secrets although they do not belong there. */
const MAY_HOLD_SECRETS: readonly (string | number)[] = ['steps', 'headers'];

let root: SchemaNode | undefined;

/** The schema itself; read when it is first asked for, not at every start. */
export function configurationSchema(): SchemaNode {
  root ??= JSON.parse(readFileSync(schemaFile, 'utf8')) as SchemaNode;
  return root;
}

/** Looks up what the schema says of a place in the configuration. */
export function schemaNote(path: KeyPath): SchemaNote {
  const root = configurationSchema();
  let here: readonly SchemaNode[] = shapesOf(root, root);
  let secret = false;
  let named: SchemaNode | undefined = root;
  for (const part of path) {
    const found = here.map((shape) => childOf(shape, part)).filter((child) => child !== undefined);
    named = found[0];
    secret ||= found.some((child) => child.$ref === '#/$defs/secret') || MAY_HOLD_SECRETS.includes(part);
    here = found.flatMap((child) => shapesOf(child, root));
  }
  const described = named === undefined ? undefined : { ...followed(named, root), ...named };
  const shapes = here.filter((shape) => shape.properties !== undefined);
  const example = described?.examples?.[0];
  return {
    description: described?.description,
    example: example === undefined ? undefined : JSON.stringify(example),
    secret,
    keys: [...new Set(shapes.flatMap((shape) => Object.keys(shape.properties ?? {})))],
    shapes: shapes.map((shape) => ({
      required: shape.required ?? [],
      keys: Object.keys(shape.properties ?? {}),
    })),
  };
}

function childOf(shape: SchemaNode, part: string | number): SchemaNode | undefined {
  if (typeof part === 'number') return shape.items;
  const named = shape.properties?.[part];
  if (named !== undefined) return named;
  return typeof shape.additionalProperties === 'object' ? shape.additionalProperties : undefined;
}

/** A node without references, taken apart into the shapes that it allows. */
function shapesOf(node: SchemaNode, root: SchemaNode): readonly SchemaNode[] {
  const own = followed(node, root);
  const branches = own.oneOf ?? own.anyOf;
  return branches === undefined ? [own] : branches.flatMap((branch) => shapesOf(branch, root));
}

/** The definition that a node refers to, or the node itself. */
export function followed(node: SchemaNode, root: SchemaNode): SchemaNode {
  const name = node.$ref?.replace('#/$defs/', '');
  const definition = name === undefined ? undefined : root.$defs?.[name];
  return definition === undefined ? node : followed(definition, root);
}
