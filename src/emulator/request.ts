import type { ServiceAnswer } from './answer.ts';
import type { Effect } from './control-types.ts';

/** A request as an adapter received it: from a socket, as a `Request`, or as a plain object. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Names and values in turns. */
  readonly rawHeaders: readonly string[];
  /** Undefined where it is larger than {@link RequestHandler.bodyLimit}. */
  readonly body: string | undefined;
  /** The number of its socket, from 1; undefined in-process. */
  readonly connection: number | undefined;
  /** A header's value, name in lower case; empty for none. */
  header(name: string): string;
  /** Whether the client has closed the connection. */
  isGone(): boolean;
  /** Aborts when the client closes the connection. */
  gone(): AbortSignal;
}

/** How an adapter ends a request: with the answer, with half of its body, or with the connection reset or dropped. */
export interface Ending {
  readonly by: 'answer' | 'half' | 'reset' | 'drop';
  /** Undefined where the service never made one. */
  readonly answer: ServiceAnswer | undefined;
}

/** What answers at one origin. */
export interface RequestHandler {
  /** Largest request body in bytes. */
  readonly bodyLimit: number;
  handle(request: ReceivedRequest): Promise<Ending>;
}

/** A request as the service's functions see it: read whole, and not decoded. A header that was not sent is empty. */
export interface HttpRequest {
  /** What it is treated as: HEAD may stand for GET. */
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
  /** What the service did, for the journal: written down where it happens, whatever becomes of the answer. */
  readonly outcome: RequestOutcome;
}

/** What the service did on a request. Values, not records: a record would be kept alive for as long as the journal's entry is. */
export interface RequestOutcome {
  effect: Effect | undefined;
  /** The code, or the tokens, that it issued. */
  code: string | undefined;
  accessToken: string | undefined;
  refreshToken: string | undefined;
}

/** An outcome to be filled in. */
export function noOutcome(): RequestOutcome {
  return { effect: undefined, code: undefined, accessToken: undefined, refreshToken: undefined };
}

/** Path and query of an absolute address, as they stand. */
export function targetOf(url: string): string {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  if (slash < 0) return '/';
  const hash = url.indexOf('#', slash);
  return hash < 0 ? url.slice(slash) : url.slice(slash, hash);
}
