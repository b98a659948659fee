/** The part of JSON Schema that the answers of `generated/profile.schema.json` are written in. */
interface AnswerSchema {
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly anyOf?: readonly AnswerSchema[];
}

/** The answers that a schema permits at each aspect, and none of some profiles gives: words, both truth values, every alternative. */
export function untriedAnswers(
  aspects: Readonly<Record<string, AnswerSchema>>,
  profiles: readonly Readonly<Record<string, unknown>>[],
): readonly string[] {
  return Object.entries(aspects).flatMap(([aspect, schema]) => {
    const given = profiles.map((answers) => answers[aspect]);
    return (schema.anyOf ?? [schema])
      .flatMap(permitted)
      .filter(({ fits }) => !given.some(fits))
      .map(({ name }) => `${aspect}: ${name}`);
  });
}

interface Permitted {
  readonly name: string;
  readonly fits: (value: unknown) => boolean;
}

function permitted({ $ref, enum: words, type }: AnswerSchema): readonly Permitted[] {
  const one = (wanted: unknown): Permitted => ({
    name: String(wanted),
    fits: (value) => value === wanted,
  });
  if (words !== undefined) return words.map(one);
  if (type === 'boolean') return [one(true), one(false)];
  if (type === 'null') return [one(null)];
  if (type === 'integer') return [{ name: type, fits: (value) => typeof value === 'number' }];
  const name = $ref?.replace('#/$defs/', '') ?? '';
  if (name === 'text' || name === 'pointer')
    return [{ name, fits: (value) => typeof value === 'string' && value !== '' }];
  if (name === 'body') return [one('none'), one('text'), { name, fits: isObject }];
  // A refusal may be an acceptance, at aspects where a service may do either.
  return [{ name, fits: isObject }];
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
