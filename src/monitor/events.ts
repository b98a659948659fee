import type { AuthorizeOptions, AuthorizeOutcome, ShownCredentials } from '../agent/user-agent.ts';
import type { WireRequest, WireResponse } from '../exchange/exchange.ts';
import type { ListReader } from '../flow/assigned-list.ts';

/** Something that happened between the suite and its target. Times in seconds on the target's clock. */
export type MonitorEvent =
  | {
      readonly kind: 'sent';
      /** Ties the answer to the request. */
      readonly id: number;
      readonly at: number;
      /** What the request was sent for: the id of a check, or of a step. */
      readonly during: string | undefined;
      readonly request: WireRequest;
      /** Milliseconds since the epoch. */
      readonly startedAt: number;
    }
  | {
      readonly kind: 'answered';
      readonly id: number;
      /** Absent when no whole answer came. */
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
      /** Whether no code means that the service gave none: an agent without a browser may just get nowhere. */
      readonly conclusive: boolean;
      readonly startedAt: number;
    }
  | {
      readonly kind: 'application-created';
      readonly shown: ShownCredentials;
      readonly redirectUri: string;
    }
  | { readonly kind: 'assignments-reset' }
  /** How lists are read, once that is known. */
  | { readonly kind: 'lists-read'; readonly reader: ListReader | undefined };
