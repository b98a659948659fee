import { isLong, readFrom } from './long-bodies.ts';
import { readJson } from './read-json.ts';

/** Header name and value, in the order sent or received. */
export type Header = readonly [name: string, value: string];

/** A request as a check means it, before it is sent. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body?: string;
}

/** An answer, whole, with its body as text (bytes that are no UTF-8 are replaced). */
export interface WireResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: string;
  /** Bytes received. */
  readonly bytes: number;
}

/** Why no whole answer came. `timeout` is our own deadline; `too-large` our own limit. */
export type FailureKind = 'timeout' | 'connection' | 'too-large' | 'not-sent';

/** No whole answer came to a request. Thrown by transports, recorded in the exchange. */
export class TransportFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TransportFailure';
    this.kind = kind;
  }
}

/** The check that wanted it, or the run, is over: nothing is sent for it any more. */
export class Aborted extends TransportFailure {
  constructor(signal: AbortSignal) {
    super('not-sent', reasonOf(signal), { cause: signal.reason });
    this.name = 'Aborted';
  }
}

/** Why a signal was aborted, in words. */
export function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : String(reason);
}

/** Rejects with {@link Aborted} when the signal is aborted before the work is done. The work itself is not ended by it. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  // What comes of the work later interests no caller any more.
  work.catch(() => undefined);
  if (signal.aborted) throw new Aborted(signal);
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new Aborted(signal));
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Sends one request and returns the whole answer; never follows a redirect. Rejects with {@link TransportFailure}, with
 * {@link Aborted} once the signal is aborted: then the connection is given up. Who wraps one hands the signal on.
 */
export type Transport = (request: WireRequest, signal?: AbortSignal) => Promise<WireResponse>;

/** Outcome of an answer against its schema in the specification. Evidence: only the requirement that owns a field judges it. */
export interface Validation {
  readonly schema: string;
  readonly valid: boolean;
  readonly errors: readonly string[];
}

/** One HTTP exchange, not yet redacted. Never write it: `to-evidence.ts` makes what may be written. */
export interface Exchange {
  readonly purpose: string;
  readonly request: WireRequest;
  readonly response?: WireResponse;
  readonly failure?: TransportFailure;
  readonly validation?: Validation;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/** The first value of a header, by name in any case. */
export function headerOf(message: { readonly headers: readonly Header[] }, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return message.headers.find(([n]) => n.toLowerCase() === wanted)?.[1];
}

/** All values of a header, by name in any case, each line on its own. */
export function headersOf(message: { readonly headers: readonly Header[] }, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return message.headers.filter(([n]) => n.toLowerCase() === wanted).map(([, value]) => value);
}

/** What was read of a short body before: many ask. */
const READ = new WeakMap<WireResponse, { readonly value: unknown }>();

/** The body read as JSON, or undefined when it is none. It is shared: do not change it. */
export function jsonOf(response: WireResponse | undefined): unknown {
  if (response === undefined) return undefined;
  if (isLong(response.body))
    return readFrom(response.body, 'json', () => ({ value: readOrNothing(response.body) })).value;
  const before = READ.get(response);
  if (before !== undefined) return before.value;
  const value = readOrNothing(response.body);
  READ.set(response, { value });
  return value;
}

function readOrNothing(body: string): unknown {
  try {
    return readJson(body);
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a status is what intermediaries and overloaded services say in place of an answer on the matter (RFC 6585 section
 * 4, RFC 9110 section 15.6): the same request may be answered later.
 */
export function isBusy(status: number): boolean {
  return status === 429 || (status >= 502 && status <= 504);
}

/** Whether a status is an error of the service itself (RFC 9110 section 15.6.1), and not a busy answer. */
export function isServerError(status: number): boolean {
  return status >= 500 && !isBusy(status);
}

/**
 * What a rightful request comes to. A server error neither refuses nor honours it: it is sent a second time, and that answer counts.
 * That there was an error is `token.no-5xx` or `resource.no-5xx`, which every exchange is held against.
 *
 * @param send sends it, each time the same
 */
export async function pastServerError<A extends { readonly response?: WireResponse | undefined }>(
  send: () => Promise<A>,
): Promise<A> {
  const answer = await send();
  return answer.response !== undefined && isServerError(answer.response.status) ? send() : answer;
}

declare const honoured: unique symbol;

/** An answer whose status says that the request was honoured. */
export type SuccessResponse = WireResponse & { readonly [honoured]: true };

/** Whether an answer came and its status says that the request was honoured (2xx). */
export function isSuccess(response: WireResponse | undefined): response is SuccessResponse {
  return response !== undefined && response.status >= 200 && response.status < 300;
}
