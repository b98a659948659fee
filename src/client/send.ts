import { type Answer, answerFrom, type Fetched } from './answer.ts';
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
