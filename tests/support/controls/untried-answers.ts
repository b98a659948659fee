/** The part of JSON Schema that `spec/profile.schema.json` is written in. */
export interface AnswerSchema {
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string;
  readonly anyOf?: readonly AnswerSchema[];
  readonly properties?: Readonly<Record<string, AnswerSchema>>;
  readonly required?: readonly string[];
  readonly items?: AnswerSchema;
}

/**
 * The answers that a schema permits and none of some values gives: enumerated values, both truth values, optional members
 * present and absent, every alternative.
 *
 * @param definitions the schema's `$defs`
 * @param values all instances of `schema` there are
 * @returns one line each: `refresh-fate.reuse: "refused"`
 */
export function untriedAnswers(
  schema: AnswerSchema,
  definitions: Readonly<Record<string, AnswerSchema>>,
  values: readonly unknown[],
  at = '',
): readonly string[] {
  const here = resolve(schema, definitions);
  const table = tableOf(here);
  if (table !== undefined) return untriedInTable(here, table, definitions, values, at);
  const missing = permitted(here)
    .filter((wanted) => !values.some((value) => value === wanted))
    .map((wanted) => `${at}: ${JSON.stringify(wanted)}`);
  const inside = (inner: AnswerSchema, innerValues: readonly unknown[], innerAt: string) =>
    untriedAnswers(inner, definitions, innerValues, innerAt);
  return [
    ...missing,
    ...(here.anyOf ?? []).flatMap((alternative) => {
      const fitting = values.filter((value) => fits(value, resolve(alternative, definitions)));
      return fitting.length === 0 ? [`${at}: an alternative`] : inside(alternative, fitting, at);
    }),
    ...(here.items === undefined ? [] : inside(here.items, values.flat(), `${at}[]`)),
    ...Object.entries(here.properties ?? {}).flatMap(([name, member]) => {
      const where = at === '' ? name : `${at}.${name}`;
      const present = values.filter((value) => isRecord(value) && name in value);
      const always = here.required?.includes(name) ?? false;
      return [
        ...(!always && present.length === values.length ? [`${where}: left out`] : []),
        ...(present.length === 0
          ? [`${where}: given`]
          : inside(
              member,
              present.map((value) => (value as Record<string, unknown>)[name]),
              where,
            )),
      ];
    }),
  ];
}

/** Members that one case of a table has where it is not as all others: to try them at one case is to try them. */
const OWN = ['body', 'contentType', 'shape', 'challenged', 'delivery'];

/** Of a table whose members are all of one kind, that kind, where it has members of {@link OWN}. */
function tableOf({ properties = {} }: AnswerSchema): string | undefined {
  const [first, ...others] = Object.values(properties).map(({ $ref }) => $ref);
  return first?.endsWith('Failure') && others.every((other) => other === first) ? first : undefined;
}

/** Every case by itself, but for the members of {@link OWN}; those once for all cases. */
function untriedInTable(
  table: AnswerSchema,
  kind: string,
  definitions: Readonly<Record<string, AnswerSchema>>,
  values: readonly unknown[],
  at: string,
): readonly string[] {
  const { properties = {}, ...one } = resolve({ $ref: kind }, definitions);
  const members = (own: boolean) =>
    Object.fromEntries(Object.entries(properties).filter(([name]) => OWN.includes(name) === own));
  const plain = { ...one, properties: members(false) };
  const cases = Object.fromEntries(Object.keys(table.properties ?? {}).map((name) => [name, plain]));
  const all = values.filter(isRecord).flatMap((value) => Object.values(value));
  return [
    ...untriedAnswers({ ...table, properties: cases }, definitions, values, at),
    ...untriedAnswers({ ...one, properties: members(true) }, definitions, all, `${at}.*`),
  ];
}

function resolve(schema: AnswerSchema, definitions: Readonly<Record<string, AnswerSchema>>): AnswerSchema {
  if (schema.$ref === undefined) return schema;
  const found = definitions[schema.$ref.replace('#/$defs/', '')];
  if (found === undefined) throw new Error(`the schema has no ${schema.$ref}`);
  return found;
}

function permitted(schema: AnswerSchema): readonly unknown[] {
  if (schema.enum !== undefined) return schema.enum;
  if ('const' in schema) return [schema.const];
  return schema.type === 'boolean' ? [true, false] : [];
}

function fits(value: unknown, { type, ...schema }: AnswerSchema): boolean {
  if ('const' in schema) return value === schema.const;
  if (type === 'integer') return Number.isInteger(value);
  // An alternative without a type narrows the type of what it stands in, by bounds: any number is as good as another.
  return type === undefined ? true : type === (isRecord(value) ? 'object' : typeof value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
