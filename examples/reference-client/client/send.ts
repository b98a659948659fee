import { type ClientOperation, Unreachable, type Unreached } from './errors.ts';

export interface Sending {
  readonly operation: ClientOperation;
  /** Milliseconds until the last byte of the answer. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** With these codes the request was not sent, or did not reach an HTTP server. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/**
 * Sends one request and reads the complete answer within the deadline. Never retries or follows a redirect, which would carry
 * credentials to an address that the application did not choose.
 *
 * @param call makes the request with openapi-fetch; `parseAs` must be `text`
 * @throws Unreachable if no complete answer arrived
 * @throws the reason of the caller's signal if it was aborted
 */
export async function send(
  { operation, deadlineMs, signal }: Sending,
  call: (init: { signal: AbortSignal; redirect: 'manual'; parseAs: 'text' }) => Promise<Fetched>,
): Promise<Answer> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  const either = signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]);
  try {
    return answerFrom(await call({ signal: either, redirect: 'manual', parseAs: 'text' }));
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const code = codeIn(error);
    throw new Unreachable(operation, deadline.signal.aborted ? 'deadline' : unreached(code), code);
  } finally {
    clearTimeout(timer);
  }
}

function unreached(code: string | undefined): Unreached {
  return code !== undefined && NOT_SENT.has(code) ? 'not-sent' : 'interrupted';
}

/** Returns the code of an error or of its cause, because `fetch` wraps errors. Returns only values that look like a code. */
function codeIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(error.code)) {
    return error.code;
  }
  return codeIn(error.cause);
}

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
function answerFrom({ data, error, response }: Fetched): Answer {
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
