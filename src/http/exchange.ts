import { isLong, readFrom, readJson } from './bodies.ts';
import { orElse } from './or-else.ts';

export type Header = readonly [name: string, value: string];

export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body?: string;
  /** Without `Content-Length`, as curl sends a PUT that has no body. */
  readonly noLength?: true;
  /** The connection closes as soon as the request was written, before the answer. */
  readonly cut?: true;
  /** On a connection that an earlier request used, if there is one; false: on one of its own. Absent: true for reading requests. */
  readonly kept?: boolean;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: string;
  readonly bytes: number;
  readonly protocolFault?: ProtocolFault;
  /** The connection that it came on: the same object for each answer on it. */
  readonly connection?: object | undefined;
}

/** A fault around an answer that leaves it readable; see `tolerated-faults.ts`. */
export type ProtocolFault = 'strayBytes' | 'unaskedContinues';

/** `timeout` is the suite's own deadline, `too-large` its own limit. */
type FailureKind = 'timeout' | 'connection' | 'too-large' | 'not-sent';

/** No complete answer arrived. Thrown by transports, recorded in the exchange. */
export class TransportFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TransportFailure';
    this.kind = kind;
  }
}

/** Returns true if the service was asked and gave no answer, or is not asked any more because of that. */
export function isSilence(cause: unknown): cause is TransportFailure {
  return (
    cause instanceof TransportFailure &&
    (cause.kind !== 'not-sent' || cause.cause instanceof TransportFailure)
  );
}

/** The check or the run that needed the request is over, so nothing is sent. */
export class Aborted extends TransportFailure {
  constructor(signal: AbortSignal) {
    super('not-sent', abortReason(signal), { cause: signal.reason });
    this.name = 'Aborted';
  }
}

export function abortReason({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : String(reason);
}

/** Rejects with {@link Aborted} when the signal is aborted first. Does not stop the work itself. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return unlessEnded(work, (end) => {
    const abort = () => end(new Aborted(signal));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    return () => signal.removeEventListener('abort', abort);
  });
}

/** Rejects with what `late` makes when the time is over first. Does not stop the work itself. */
export async function withinMs<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  return unlessEnded(work, (end) => {
    const timer = setTimeout(() => end(late()), ms);
    return () => clearTimeout(timer);
  });
}

async function unlessEnded<T>(
  work: Promise<T>,
  watch: (end: (why: Error) => void) => () => void,
): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const unwatch = watch(ended.reject);
  try {
    // The race handles the later result of the work, too, which no caller needs.
    return await Promise.race([ended.promise, work]);
  } finally {
    unwatch();
  }
}

/** Methods that change nothing, so that a request may be sent again. */
export const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Sends one request and follows no redirect. Rejects with {@link TransportFailure}, or {@link Aborted} after an abort. */
export type Transport = (request: WireRequest, signal?: AbortSignal) => Promise<WireResponse>;

/** Result of schema validation. Evidence only: the requirement that owns a field evaluates it. */
interface Validation {
  readonly schema: string;
  readonly valid: boolean;
  readonly errors: readonly string[];
}

/** An unredacted HTTP exchange. Never write it; use `to-evidence.ts`. */
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

/** Tells whether a request is for tokens (clauses 4.2 and 4.3). */
export function isTokenRequest({ method, url }: WireRequest): boolean {
  return method === 'POST' && /\/oauth\/token\/?$/.test(new URL(url).pathname);
}

/** True for the request of a list of assigned users (clause 4.4). */
export function isListRequest({ method, url }: WireRequest): boolean {
  return method === 'GET' && /\/assigned_users\/?$/.test(new URL(url).pathname);
}

export function headerOf(message: { readonly headers: readonly Header[] }, name: string): string | undefined {
  return headersOf(message, name)[0];
}

/** Returns a request with a header, in place of any of that name. */
export function withHeader(request: WireRequest, name: string, value: string): WireRequest {
  const others = request.headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase());
  return { ...request, headers: [...others, [name, value]] };
}

/** Returns the header lines of a message of Node, where names and values alternate. */
export function headerLines(raw: readonly string[]): readonly Header[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
}

export function headersOf(message: { readonly headers: readonly Header[] }, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return message.headers.filter(([n]) => n.toLowerCase() === wanted).map(([, value]) => value);
}

/** Cache of parsed short bodies, because many checks parse the same one. */
const READ = new WeakMap<WireResponse, ReturnType<typeof read>>();

/** Returns the parsed body; undefined if it is no JSON. The value is shared: do not change it. */
export function jsonOf(response: WireResponse | undefined): unknown {
  if (response === undefined) return undefined;
  const { body } = response;
  if (isLong(body)) return readFrom(body, 'json', () => read(body)).value;
  const known = READ.get(response) ?? read(body);
  READ.set(response, known);
  return known.value;
}

function read(body: string): { readonly value: unknown } {
  return { value: orElse(() => readJson(body), undefined) };
}

/** Returns true for a temporary status (RFC 6585 section 4, RFC 9110 section 15.6): the same request may succeed later. */
export function isBusy(status: number): boolean {
  return status === 429 || (status >= 502 && status <= 504);
}

/** A service rests with it, or ends (RFC 9110 section 15.5.11). */
export const GONE = 410;

/** Returns true for a busy answer, and for one of a service that rests. */
export function isTemporary(status: number): boolean {
  return isBusy(status) || status === GONE;
}

/** Returns true for a server error (RFC 9110 section 15.6.1) that is not a busy answer. */
export function isServerError(status: number): boolean {
  return status >= 500 && !isBusy(status);
}

/** Returns true for no answer, a 429, and any server error: a later retry may succeed. */
export function isUnavailable(response: WireResponse | undefined): boolean {
  return response === undefined || response.status === 429 || response.status >= 500;
}

/**
 * Sends a request again after a server error, which neither refuses nor honours it; the second answer counts. `token.no-5xx` or
 * `resource.no-5xx` reports the error itself.
 */
export async function pastServerError<A extends { readonly response?: WireResponse | undefined }>(
  send: () => Promise<A>,
): Promise<A> {
  const answer = await send();
  return answer.response !== undefined && isServerError(answer.response.status) ? send() : answer;
}

declare const honoured: unique symbol;

type SuccessResponse = WireResponse & { readonly [honoured]: true };

export function isSuccess(response: WireResponse | undefined): response is SuccessResponse {
  return response !== undefined && response.status >= 200 && response.status < 300;
}
