export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  /** Not JSON. Its text is dropped, because it might quote the request. */
  | { readonly kind: 'other' }
  | { readonly kind: 'empty' };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface Fetched {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** Converts openapi-fetch's result with `parseAs: 'text'`: it parses the bodies of errors, not of successes. */
export function answerFrom({ data, error, response }: Fetched): Answer {
  const { status, headers, ok } = response;
  return { status, headers, body: ok ? bodyFrom(data) : bodyFromError(error) };
}

export function fieldsOf(body: Body): Readonly<Record<string, unknown>> {
  const value = body.kind === 'json' ? body.value : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

export function errorOf(body: Body): string | undefined {
  const { error } = fieldsOf(body);
  return typeof error === 'string' && error !== '' ? error : undefined;
}

/** Describes an answer by media type and kind of body, without content. */
export function shapeOf({ status, headers, body }: Answer): string {
  const type = headers.get('content-type')?.split(';')[0]?.trim();
  const kind = { json: 'JSON', other: 'no JSON', empty: 'an empty body' }[body.kind];
  return `status ${status} with ${kind}${type === undefined || type === '' ? '' : ` (${type.slice(0, 80)})`}`;
}

/**
 * Returns the seconds of `Retry-After` (RFC 9110 section 10.2.3), never negative.
 *
 * @param now milliseconds since 1970
 */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

function bodyFrom(text: unknown): Body {
  if (typeof text !== 'string' || text.trim() === '') return { kind: 'empty' };
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch {
    return { kind: 'other' };
  }
}

function bodyFromError(error: unknown): Body {
  if (error === undefined) return { kind: 'empty' };
  return typeof error === 'string' ? bodyFrom(error) : { kind: 'json', value: error };
}
