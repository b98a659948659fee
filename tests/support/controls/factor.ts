import type { RequirementId } from '../../../generated/ids.ts';
import type { AspectAnswer, AspectId } from '../../../src/document/profiles/aspects.ts';

/** Answers by aspect. Those of a later factor complete or replace those of an earlier one. */
export type Answers = Readonly<Partial<Record<AspectId, AspectAnswer>>>;

export interface FactorValue {
  readonly answers: Answers;
  /** The requirements of level strictness or standard that they break, whatever the other answers are. */
  readonly warns: readonly RequirementId[];
}

/** A question that the document leaves open, with the answers that are tried. */
export type Factor = readonly FactorValue[];

export function value(answers: Answers, ...warns: readonly RequirementId[]): FactorValue {
  return { answers, warns };
}

/** Answers to one aspect, none of which breaks a requirement. */
export function choice(aspect: AspectId, answers: readonly AspectAnswer[]): Factor {
  return answers.map((answer) => value({ [aspect]: answer }));
}

export function combined(values: readonly FactorValue[]): Answers {
  const all: Record<string, AspectAnswer> = {};
  for (const [aspect, answer] of values.flatMap(({ answers }) => Object.entries(answers))) {
    const before = all[aspect];
    all[aspect] = isObject(before) && isObject(answer) ? { ...before, ...answer } : answer;
  }
  return all;
}

export function isObject(answer: unknown): answer is Readonly<Record<string, AspectAnswer>> {
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer);
}
