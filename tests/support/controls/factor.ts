import type { RequirementId } from '../../../generated/ids.ts';
import type { Options as Answers } from './options/options.ts';

/** One answer to a question that the document leaves open. */
export interface FactorValue {
  /** In a few words: the answer as JSON, unless it has a name. */
  readonly name: string;
  /** Puts it among a profile's answers. */
  readonly set: (answers: Draft) => void;
  /** The requirements of level strictness or standard that it breaks, whatever the other answers are. */
  readonly warns: readonly RequirementId[];
}

/** A question that the document leaves open, with the answers that are tried. */
export interface Factor {
  /** The open point and the key: `refresh-fate.reuse`. */
  readonly name: string;
  readonly values: readonly FactorValue[];
}

/** Answers that are still being put together. */
export type Draft = Record<string, Record<string, unknown>>;

/** Requirements that answers break, by their names. */
type Warns = Readonly<Record<string, readonly RequirementId[]>>;

const NAME: unique symbol = Symbol('name');

/** An answer that is too long to be its own name. */
interface Named {
  readonly [NAME]: string;
  readonly value: unknown;
}

/** An answer under a name. */
export function named(name: string, value: unknown): Named {
  return { [NAME]: name, value };
}

/**
 * A factor that is one key of one open point.
 *
 * @param values the answers that are tried; `undefined` leaves an optional key out, and is called `null`
 */
export function key<P extends keyof Answers>(
  point: P,
  name: keyof Answers[P] & string,
  values: readonly unknown[],
  warns: Warns = {},
): Factor {
  return {
    name: `${point}.${name}`,
    values: values.map((given) => {
      const { [NAME]: label, value } = isNamed(given) ? given : named(JSON.stringify(given ?? null), given);
      return {
        name: label,
        warns: warns[label] ?? [],
        set: (answers) => {
          if (value !== undefined) partOf(answers, point)[name] = structuredClone(value);
        },
      };
    }),
  };
}

/** A factor that sets several keys at once, because not every combination of them makes sense. */
export function keys(name: string, values: Readonly<Record<string, FactorValue['set']>>): Factor {
  return { name, values: Object.entries(values).map(([label, set]) => ({ name: label, set, warns: [] })) };
}

/** The answers to one open point, so far. */
export function partOf(answers: Draft, point: keyof Answers): Record<string, unknown> {
  const known = answers[point] ?? {};
  answers[point] = known;
  return known;
}

function isNamed(given: unknown): given is Named {
  return typeof given === 'object' && given !== null && NAME in given;
}
