import type { components } from '../../generated/control.d.ts';

/**
 * What passes the control port (`spec/control.openapi.yaml`), and a program's own calls of `emulator.control`: the same names, the
 * same types.
 */
type Schemas = components['schemas'];

/** A request that a client sent, and what came of it. `target`, `headers` and `body` hold secrets, the other members none. */
export type JournalEntry = Schemas['JournalEntry'];
/** A part of the journal, with what was dropped and what still waits. */
export type JournalPage = Schemas['JournalPage'];
/** A request that a hold or a fault keeps waiting. */
export type PendingRequest = Schemas['PendingRequest'];
/** Which codes and tokens, by ordinals such as `refresh_token#2`. */
export type Ordinals = Schemas['Ordinals'];
/** What the service did on a request. */
export type Effect = Schemas['Effect'];
/** Which requests a fault or a hold is for. */
export type RequestFilter = Schemas['RequestFilter'];
/** What requests that fit suffer. */
export type Fault = Schemas['Fault'];
/** A fault that is armed, with the number of requests that it has left. */
export type ArmedFault = Schemas['ArmedFault'];
/** Which answers are held, and until when. */
export type Hold = Schemas['Hold'];
/** What let a hold go on. */
export type HoldEnd = Schemas['HoldEnd'];
/** A hold, with the number of requests that wait. */
export type ArmedHold = Schemas['ArmedHold'];
/** What is revoked: one token, or one grant. */
export type Revocation = Schemas['Revocation'];
/** The lifetime of access tokens that are issued now. */
export type Lifetime = Schemas['Lifetime'];
/** Whose consent is given, or refused, without a form. */
export type AutoConsent = Schemas['AutoConsent'];
/** The form of the tokens that are issued now. */
export type TokenForm = Schemas['TokenForm']['form'];

/** Faults: what requests that come next suffer. */
export interface FaultControl {
  /**
   * Arms a fault.
   *
   * @throws RangeError when a number is out of range, or a member does not go with the kind
   */
  arm(fault: Fault): ArmedFault;
  armed(): readonly ArmedFault[];
  clear(): void;
}

/** Holds: answers that wait until enough of them do. */
export interface HoldControl {
  /**
   * Holds answers to requests that come next.
   *
   * @throws RangeError when a number is out of range
   */
  arm(hold: Hold): ArmedHold;
  /** Every hold since the last reset, those that were released included. */
  list(): readonly ArmedHold[];
  /** Lets what a hold keeps waiting go on; without an id, what every hold keeps. Throws a RangeError for an id that is none. */
  release(id?: string): void;
  /** Resolves when the hold has let go, with what ended it; at once where it has. */
  ended(id: string): Promise<HoldEnd>;
  clear(): void;
}

/** The journal: what clients sent. */
export interface JournalControl {
  /** Every entry that is kept, oldest first. */
  entries(): readonly JournalEntry[];
  /** The entries whose `sequence` is greater than `since` (0 for all), at most `limit`. */
  page(since?: number, limit?: number): JournalPage;
  /** The same, once there is such an entry; an empty page after so many seconds of real time (at most 60) or when `signal` aborts. */
  wait(since: number, seconds: number, options?: JournalWait): Promise<JournalPage>;
  /** Forgets every entry. */
  clear(): void;
  /** Marks the entries of requests that arrive from now on; undefined takes the mark away. */
  mark(text: string | undefined): void;
  /** The mark. */
  marked(): string | undefined;
}

/** How the journal is waited for. */
export interface JournalWait {
  /** At most this many entries. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal;
}

/** What a program adds to the control of time, defects and seed. */
export interface SituationControl {
  readonly faults: FaultControl;
  readonly holds: HoldControl;
  readonly journal: JournalControl;
  readonly lifetime: {
    read(): Lifetime;
    /** Issues access tokens of another lifetime (seconds) from now on; undefined is the document's again. */
    set(expiresIn: number | undefined): Lifetime;
  };
  readonly tokenForm: { read(): TokenForm; set(form: TokenForm): void };
  readonly autoConsent: {
    read(): AutoConsent;
    /** Decides as this owner (by email) on every authorization request, without a form; undefined shows the forms again. */
    set(user: string | undefined, decision?: 'grant' | 'deny'): AutoConsent;
  };
  /**
   * Revokes a token or a grant; returns its ordinal.
   *
   * @throws RangeError when there is no such token or grant
   */
  revoke(what: Revocation): string;
}
