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
