import type { BodyShape, Shape } from '../shape.ts';

/** What the emulator sends when a profile does not say more. */
export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** How a profile chooses a body. */
export interface ExpectedBody {
  readonly body?: 'none' | 'json' | 'text';
  readonly contentType?: string;
  readonly shape?: { readonly [member: string]: unknown };
}

/** The body and content type that a choice comes to. */
export function bodyOfChoice(
  { body = 'none', contentType, shape }: ExpectedBody,
  usual: Shape = { error: 'string' },
): { readonly body: BodyShape; readonly contentType: string | null } {
  if (body === 'none') return { body: 'none', contentType: contentType ?? null };
  if (body === 'text') return { body: 'text', contentType: contentType ?? TEXT_TYPE };
  return { body: (shape as Shape | undefined) ?? usual, contentType: contentType ?? JSON_TYPE };
}

/** Whether JSON of a shape holds any text. */
export function holdsText(shape: unknown): boolean {
  if (shape === 'string') return true;
  return typeof shape === 'object' && shape !== null && Object.values(shape).some(holdsText);
}
