import type { Effect } from './control-types.ts';

/** A request as handlers see it: read whole, and neither normalized nor decoded. */
export interface HttpRequest {
  readonly method: string;
  /** Path below the listener's own prefix, percent-encoded as sent. */
  readonly path: string;
  /** Query as sent, without its question mark; empty for none. */
  readonly query: string;
  readonly body: string;
  /** A header's value, name in lower case; empty for none. */
  header(name: string): string;
  /** What the service did, for the journal: handlers write it down where it happens, whatever becomes of the answer. */
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

/** Nothing so far. */
export function noOutcome(): RequestOutcome {
  return { effect: undefined, code: undefined, accessToken: undefined, refreshToken: undefined };
}
