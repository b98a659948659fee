import type { SituationId } from '../../../generated/ids.ts';
import type { JournalEntry } from '../../emulator/control/control-types.ts';

export type SessionName = 'first' | 'second';

/** The name of a special act, by which rules find it; empty for an ordinary one. */
export type ActName =
  | ''
  | 'after-503'
  | 'after-expiry'
  | 'after-failure'
  | 'after-loss'
  | 'after-race'
  | 'after-refusal'
  | 'after-restart'
  | 'again'
  | 'at-once'
  | 'awkward'
  | 'beside'
  | 'both-due'
  | 'denied'
  | 'failed'
  | 'hostile'
  | 'kept'
  | 'killed'
  | 'late'
  | 'later'
  | 'left'
  | 'lost'
  | 'meeting'
  | 'odd'
  | 'odd-body'
  | 'other'
  | 'recover'
  | 'recovered'
  | 'redirected'
  | 'refused'
  | 'refused-once'
  | 'refused-renewal'
  | 'reload'
  | 'rested'
  | 'resting'
  | 'stalled'
  | 'tolerant'
  | 'tolerant-renewal'
  | 'unstored';

export type Outcome = 'ok' | 'error' | 'no-answer';

export interface ActResult {
  readonly outcome: Outcome;
  /** Evidence such as `answered 500` or `exit code 1`. Holds no secret. */
  readonly detail: string;
  /** HTTP status of the answer; undefined for a command. */
  readonly status?: number;
  /** True if a failed act's answer asks its user to try again: by its status, or in words. */
  readonly asksAgain?: true;
  /** True if the application closed the connection without an answer, and went on running. */
  readonly isCut?: true;
  /** True if an answer led the browser to the authorization server again. */
  readonly leadsBack?: true;
  /** True if the client showed a success by the text that `success.contains` names. */
  readonly shown?: true;
  /** Digest of what a call that ended well showed. */
  readonly page?: string;
  /** Cookies that the browser kept back on the way from the service. */
  readonly keptBack?: readonly string[];
  /** Address, body and error output of a failed act; may hold secrets. */
  readonly why?: string;
}

export interface Act extends ActResult {
  readonly act: 'connect' | 'callback' | 'call' | 'restart' | 'kill' | 'time';
  readonly as: ActName;
  readonly session: SessionName;
  /** Another browser of the same user, where that one acted. */
  readonly browser?: 'other';
  readonly asked?: Asked;
  /** Real milliseconds. */
  readonly tookMs?: number;
  /** The step's requests have an `arrival` greater than `after` and at most `until`. */
  readonly after: number;
  readonly until: number;
}

export interface Asked {
  readonly operation: 'list' | 'assign' | 'unassign';
  readonly project: string;
  readonly user: string;
  readonly named: readonly ('project' | 'user')[];
}

/** A page, a redirect or a cookie that a user's browser got from the client; it may hold secrets. */
export interface Received {
  readonly session: SessionName;
  /** The page's Content-Type, or which header it is. */
  readonly type: string;
  readonly text: string;
}

export interface Episode {
  readonly situation: SituationId | 'own-tests';
  readonly steps: readonly Act[];
  readonly entries: readonly JournalEntry[];
  readonly owners: Readonly<Record<SessionName, string>>;
  readonly output?: string;
  /** Names of the tokens that the service issued, by value. */
  readonly issued?: ReadonlyMap<string, string>;
  readonly received?: readonly Received[];
  /** True if the service takes a refresh token again as long as the pair that followed it was not used. */
  readonly forgives?: boolean;
  /** The redirect address that the service knows. */
  readonly redirectUri?: string;
  /** Reason why the situation did not come about. Only what every request shows is then evaluated. */
  readonly gap?: Gap;
}

export interface Gap {
  readonly reason: string;
  /** True when the client does not support the situation, such as two users at a time: neutral. Otherwise it should occur. */
  readonly unable: boolean;
}
