import { isDeepStrictEqual } from 'node:util';
import { emptyTyped, type HeaderLine, type ServiceAnswer } from '../answer.ts';
import type { Body } from '../profile.ts';

export interface Look {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: Body;
}

export interface Words {
  readonly text: string;
  /** Replaces the string `error` of the outermost object; the text is used if undefined. */
  readonly error?: string | null;
}

export function lookingAnswer(
  { status, contentType, body }: Look,
  words: Words,
  headers: readonly HeaderLine[] = [],
): ServiceAnswer {
  const empty = emptyTyped(status, contentType ?? undefined, headers);
  if (body === 'none') return empty;
  if (body === 'text') return { ...empty, body: `${words.text}\n` };
  return { ...empty, body: JSON.stringify(filled(body, words, status)) };
}

export function filled(shape: Body, { text, error }: Words, status: number): unknown {
  const value = (wanted: unknown, name = ''): unknown => {
    if (Array.isArray(wanted)) return wanted.map((inner) => value(inner));
    if (typeof wanted === 'object' && wanted !== null) {
      return Object.fromEntries(
        Object.entries(wanted).map(([member, inner]) => [member, value(inner, member)]),
      );
    }
    switch (wanted) {
      case 'number':
        return status;
      case 'boolean':
        return false;
      case 'null':
        return null;
      default:
        // Some services write the status into the body, as text (JSON:API).
        return name === 'status' && status >= 400 ? String(status) : text;
    }
  };
  const whole = value(shape);
  const hasError = typeof shape === 'object' && 'error' in shape && shape.error === 'string';
  return hasError && error ? { ...(whole as object), error } : whole;
}

export function shapeOf(value: unknown): unknown {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

/** Returns the member names that lead to a part of a shape; undefined if the shape does not contain it. */
export function pathTo(part: unknown, shape: unknown): readonly string[] | undefined {
  if (isDeepStrictEqual(shape, part)) return [];
  if (typeof shape !== 'object' || shape === null || Array.isArray(shape)) return undefined;
  for (const [name, inner] of Object.entries(shape)) {
    const path = pathTo(part, inner);
    if (path !== undefined) return [name, ...path];
  }
  return undefined;
}
