import { isDeepStrictEqual } from 'node:util';
import { bodyAnswer, type HeaderLine, type ServiceAnswer } from '../answer.ts';
import type { Body, Look } from './profile.ts';

interface Words {
  readonly text: string;
  /** Replaces the string `error` of the outermost object; the text is used if undefined. */
  readonly error?: string | null;
}

export function answerOfLook(
  { status, contentType, body }: Look,
  words: Words,
  headers: readonly HeaderLine[] = [],
): ServiceAnswer {
  if (body === 'none') return bodyAnswer(status, contentType, '', headers);
  const text = body === 'text' ? `${words.text}\n` : JSON.stringify(filledBody(body, words, status));
  return bodyAnswer(status, contentType, text, headers);
}

export function filledBody(shape: Body, { text, error }: Words, status: number): unknown {
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

export function challenge(scheme: string, error?: string | null, description?: string): string {
  const parameters = { realm: 'legacy service', error, error_description: error ? description : undefined };
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}="${value.replace(/["\\]/g, '\\$&')}"`] : [],
  );
  return `${scheme} ${written.join(', ')}`;
}

const VARIES = 'varies';

/** Varies a header's value in each answer where the profile says so. The value has the header's usual format. */
export function varyingLines(lines: readonly HeaderLine[]): () => readonly HeaderLine[] {
  if (!lines.some(([, value]) => value === VARIES)) return () => lines;
  let answers = 0;
  return () => {
    answers += 1;
    return lines.map(([name, value]) => (value === VARIES ? [name, nthValue(name, answers)] : [name, value]));
  };
}

function nthValue(name: string, nth: number): string {
  const lower = name.toLowerCase();
  const id = nth.toString(16).padStart(12, '0');
  if (lower === 'etag') return `"${id}"`;
  if (lower === 'cache-control') return `max-age=${nth}`;
  if (lower === 'vary') return `X-Variant-${nth}`;
  if (/^(?:expires|last-modified|sunset)$/.test(lower)) return new Date(nth * 1_000).toUTCString();
  if (lower === 'deprecation') return `@${nth}`;
  if (/^(?:age|retry-after)$|limit|remaining|reset|count|duration|runtime|time$/.test(lower))
    return String(nth);
  return id;
}
