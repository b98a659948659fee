import type { WireRequest, WireResponse } from '../../http/exchange.ts';
import type { AuthorizeOptions, AuthorizeOutcome, ShownCredentials } from '../../service/agent/user-agent.ts';
import type { ListReader } from '../../service/flow/assigned-list.ts';

/** Times are in seconds on the target's clock. */
export type MonitorEvent =
  | {
      readonly kind: 'sent';
      readonly id: number;
      readonly at: number;
      readonly during: string | undefined;
      /** The documented request. */
      readonly request: WireRequest;
      /** The channel that it was sent in, and the request as sent there. */
      readonly channel?: { readonly name: string; readonly wire: WireRequest };
      /** Milliseconds since the epoch. */
      readonly startedAt: number;
    }
  | {
      readonly kind: 'answered';
      readonly id: number;
      /** Absent when no complete answer came. */
      readonly response: WireResponse | undefined;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'authorized';
      readonly at: number;
      readonly during: string | undefined;
      readonly url: string;
      readonly options: AuthorizeOptions;
      readonly outcome: AuthorizeOutcome;
      /** False if a missing code proves nothing, because an agent without a browser may have failed. */
      readonly conclusive: boolean;
      readonly startedAt: number;
    }
  | {
      readonly kind: 'application-created';
      readonly shown: ShownCredentials;
      readonly redirectUri: string;
    }
  | { readonly kind: 'assignments-reset' }
  | {
      readonly kind: 'lists-read';
      readonly reader: ListReader | undefined;
      /** True if the reader looks for known ids, so that a list of other users may be unreadable to it. */
      readonly guesses: boolean;
    };
