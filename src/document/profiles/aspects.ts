import { type OpenPointId, openPointAspects, openPointIds } from '../../../generated/ids.ts';
import { canonical } from '../canonical.ts';
import type { WholeProfile } from './profile.ts';

/** Open point and aspect: `refresh-fate.reuse`. */
export type AspectId = keyof WholeProfile['answers'];

export type AnswerAt<A extends AspectId> = ReadOnly<WholeProfile['answers'][A]>;

type ReadOnly<T> = T extends (infer E)[] ? readonly E[] : T;

export type AspectAnswer =
  | null
  | boolean
  | number
  | string
  | readonly AspectAnswer[]
  | { readonly [name: string]: AspectAnswer };

export type SeenAnswers = ReadonlyMap<AspectId, AspectAnswer>;

/** `no-answer`: the service did not answer, so a retry may help. */
export interface Unseen {
  readonly why: 'not-asked' | 'not-observable' | 'no-answer';
  readonly reason: string;
}

export interface SeenAtOpenPoints {
  readonly answers: SeenAnswers;
  readonly unseen: ReadonlyMap<AspectId, Unseen>;
  readonly evidence: ReadonlyMap<AspectId, string>;
}

export const aspectIds: readonly AspectId[] = openPointIds.flatMap((point) => aspectsOfPoint(point));

export function aspectsOfPoint(point: OpenPointId): readonly AspectId[] {
  return openPointAspects[point].map((name) => `${point}.${name}` as AspectId);
}

export function namesOf(id: AspectId): { readonly openPoint: OpenPointId; readonly aspect: string } {
  const dot = id.indexOf('.');
  return { openPoint: id.slice(0, dot) as OpenPointId, aspect: id.slice(dot + 1) };
}

export function isAspectId(text: string): text is AspectId {
  return (aspectIds as readonly string[]).includes(text);
}

/** Compares two answers without member order. */
export function sameAnswer(one: AspectAnswer, other: AspectAnswer): boolean {
  return canonical(one) === canonical(other);
}

/** Reduces maps to the members that differ. */
export function differingParts(
  one: AspectAnswer,
  other: AspectAnswer,
): readonly [AspectAnswer, AspectAnswer] {
  if (!isMap(one) || !isMap(other)) return [one, other];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => canonical(one[name]) !== canonical(other[name]),
  );
  const part = (whole: { readonly [name: string]: AspectAnswer }) =>
    Object.fromEntries(names.flatMap((name) => (name in whole ? [[name, whole[name] ?? null]] : [])));
  return [part(one), part(other)];
}

function isMap(value: unknown): value is { readonly [name: string]: AspectAnswer } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
