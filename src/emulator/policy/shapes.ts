import { bodyAnswer, emptyTyped, type HeaderLine, type ServiceAnswer } from '../answer.ts';
import type { Shape } from '../profile.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** How a body is told when it is not that of the case's family. */
export interface BodyChoice {
  readonly body?: 'none' | 'json' | 'text';
  readonly contentType?: string;
  readonly shape?: Shape;
}

/** An answer with nothing, a line of text, or JSON of a shape that tells the line. */
export function shapedAnswer(
  status: number,
  { body = 'none', contentType, shape }: BodyChoice,
  line: string,
  headers: readonly HeaderLine[] = [],
): ServiceAnswer {
  switch (body) {
    case 'none':
      return emptyTyped(status, contentType, headers);
    case 'json':
      return bodyAnswer(status, contentType ?? JSON_TYPE, filled(shape ?? TELLING, line, status), headers);
    case 'text':
      return bodyAnswer(status, contentType ?? TEXT_TYPE, `${line}\n`, headers);
  }
}

/** What failures of the resource API look like unless told. */
const TELLING: Shape = { error: 'string' };

/** JSON of a shape: a text for strings, a number for numbers; `error` may hold an error code. */
export function filled(shape: Shape, text: string, number: number, error: string = text): string {
  const value = (wanted: unknown, name = ''): unknown => {
    if (Array.isArray(wanted)) return wanted.map((inner) => value(inner));
    if (typeof wanted === 'object' && wanted !== null) {
      return Object.fromEntries(
        Object.entries(wanted).map(([member, inner]) => [member, value(inner, member)]),
      );
    }
    switch (wanted) {
      case 'number':
        return number;
      case 'boolean':
        return false;
      case 'null':
        return null;
      default:
        // Some write the status into the body, as text (JSON:API).
        return name === 'status' && number >= 400 ? String(number) : text;
    }
  };
  const whole = value(shape) as Record<string, unknown>;
  return JSON.stringify(shape.error === 'string' ? { ...whole, error } : whole);
}
