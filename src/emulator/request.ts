import type { ServiceAnswer } from './answer.ts';
import type { Effect, WireForm } from './control/control-types.ts';

/** A request as an adapter received it: from a socket, as a `Request`, or as a plain object. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Names and values alternate. */
  readonly rawHeaders: readonly string[];
  /** Undefined if it is larger than {@link RequestHandler.bodyLimit}. */
  readonly body: string | undefined;
  /** The number of its socket, from 1; undefined in-process. */
  readonly connection: number | undefined;
  /** Returns a header's value, name in lower case; empty for none. */
  header(name: string): string;
  isGone(): boolean;
  gone(): AbortSignal;
}

/** An adapter ends a request with the answer, with half of its body, or by resetting or dropping the connection. */
export interface HandledRequest {
  readonly by: 'answer' | 'half' | 'reset' | 'drop';
  readonly answer: ServiceAnswer | undefined;
  /** On a socket; elsewhere the answer is plain. */
  readonly form?: WireForm | undefined;
}

export function handledAnswer(answer: ServiceAnswer): HandledRequest {
  return { by: 'answer', answer };
}

export interface RequestHandler {
  /** Largest request body in bytes. */
  readonly bodyLimit: number;
  handle(request: ReceivedRequest): Promise<HandledRequest>;
}

/** A request as the service's functions see it: complete, and not decoded. A missing header is empty. */
export interface HttpRequest {
  /** The effective method: HEAD may count as GET. */
  readonly method: string;
  /** Path below the listener's own prefix, percent-encoded as sent. */
  readonly path: string;
  /** Query as sent, without its question mark; empty for none. */
  readonly query: string;
  readonly body: string;
  readonly accept: string;
  readonly authorization: string;
  readonly contentType: string;
  readonly cookie: string;
  /** The service's action, for the journal: recorded at once, whatever happens to the answer. */
  readonly outcome: RequestOutcome;
}

/** The service's action on a request. Holds values, not records, which would stay alive as long as the journal's entry. */
export interface RequestOutcome {
  effect: Effect | undefined;
  code: string | undefined;
  accessToken: string | undefined;
  refreshToken: string | undefined;
}

export function noOutcome(): RequestOutcome {
  return { effect: undefined, code: undefined, accessToken: undefined, refreshToken: undefined };
}

export function targetOf(url: string): string {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  if (slash < 0) return '/';
  const hash = url.indexOf('#', slash);
  return hash < 0 ? url.slice(slash) : url.slice(slash, hash);
}
