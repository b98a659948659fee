import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { code, type Page, table } from './page.ts';

/** A JSON Schema, as far as the page needs it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const FILE = fileURLToPath(new URL('../../spec/configuration.schema.json', import.meta.url));

/** Every key of a configuration of a live target. */
export function configurationPage(): Page {
  const schema = JSON.parse(readFileSync(FILE, 'utf8')) as Schema;
  const definitions = schema.$defs ?? {};
  const rows = keysOf(schema, definitions, '');
  const kinds = Object.entries(definitions)
    .filter(([, { description }]) => description !== undefined)
    .map(([name, { description = '', examples = [] }]) => [
      code(name),
      description,
      examples.map(shown).join(', '),
    ]);
  return {
    file: 'configuration.md',
    title: 'Configuration keys',
    when: 'You need this page when you write the configuration of a live target by hand; [configuration](../configuration.md) shows how its parts work together',
    body: `${table(['key', 'kind', 'what', 'default'], rows)}\n\nKeys in bold must be given. Kinds:\n\n${table(['kind', 'what', 'examples'], kinds)}`,
  };
}

function keysOf(
  schema: Schema,
  definitions: NonNullable<Schema['$defs']>,
  above: string,
): readonly string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const target = definitions[value.$ref?.split('/').at(-1) ?? ''];
    const path = `${above}${key}`;
    const must = schema.required?.includes(key) === true;
    // A secret is always `{ "env": … }`, as its kind says.
    const nested = target?.properties === undefined || kindOf(value) === 'secret' ? value : target;
    return [
      [
        must ? `**${code(path)}**` : code(path),
        kindOf(value),
        `${value.description ?? target?.description ?? ''}${optionsIn(value)}`,
        value.default === undefined ? '' : shown(value.default),
      ],
      ...keysOf(nested, definitions, `${path}.`),
    ];
  });
}

function kindOf({ $ref, type, items }: Schema): string {
  const named = $ref?.split('/').at(-1);
  if (named !== undefined) return named;
  if (items !== undefined) return `list of ${kindOf(items)}`;
  return type === undefined ? 'several' : [type].flat().join(' or ');
}

function optionsIn(schema: Schema): string {
  const options = schema.enum ?? schema.items?.enum;
  return options === undefined ? '' : `: ${options.map(shown).join(', ')}`;
}

function shown(value: unknown): string {
  return code(JSON.stringify(value));
}
