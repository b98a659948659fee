import type { components } from '../../../generated/control.d.ts';

/** Types of the control port (`spec/control.openapi.yaml`) and of `emulator.control`: the same names in both. */
type Schemas = components['schemas'];

/** A request from a client, and its result. `target`, `headers` and `body` hold secrets, the other members none. */
export type JournalEntry = Schemas['JournalEntry'];
/** A part of the journal, with the numbers of dropped and pending requests. */
export type JournalPage = Schemas['JournalPage'];
/** A request that a hold or a fault delays. */
export type PendingRequest = Schemas['PendingRequest'];
/** Codes and tokens by ordinals such as `refresh_token#2`. */
export type Ordinals = Schemas['Ordinals'];
/** The service's action for a request. */
export type Effect = Schemas['Effect'];
/** Selects the requests for a fault or a hold. */
export type RequestFilter = Schemas['RequestFilter'];
/** A fault for matching requests. */
export type Fault = Schemas['Fault'];
/** A fault in the HTTP of an answer. */
export type WireForm = Schemas['WireForm'];
/** An armed fault, with the number of requests that it still affects. */
export type ArmedFault = Schemas['ArmedFault'];
/** Selects the answers to hold, and the end of the hold. */
export type Hold = Schemas['Hold'];
/** The reason why a hold ended. */
export type HoldEnd = Schemas['HoldEnd'];
/** An armed hold, with the number of waiting requests. */
export type ArmedHold = Schemas['ArmedHold'];
/** The token or grant to revoke. */
export type Revocation = Schemas['Revocation'];
/** The lifetime of newly issued access tokens. */
export type Lifetime = Schemas['Lifetime'];
/** The owner whose consent is given or refused without a form. */
export type AutoConsent = Schemas['AutoConsent'];
/** The form of newly issued tokens. */
export type TokenForm = Schemas['TokenForm']['form'];

/** Arms faults for the next requests. */
export interface FaultControl {
  /** Arms a fault. @throws RangeError if a number is out of range, or a member does not fit the kind */
  arm(fault: Fault): ArmedFault;
  armed(): readonly ArmedFault[];
  clear(): void;
}

/** Holds answers until enough of them wait. */
export interface HoldControl {
  /** Holds the answers to the next requests. @throws RangeError if a number is out of range */
  arm(hold: Hold): ArmedHold;
  /** Returns every hold since the last reset, including released ones. */
  list(): readonly ArmedHold[];
  /** Releases the answers of a hold; without an id, of every hold. Throws a RangeError for an unknown id. */
  release(id?: string): void;
  /** Resolves with the reason when the hold has ended. */
  ended(id: string): Promise<HoldEnd>;
  clear(): void;
}

/** The journal of clients' requests. */
export interface JournalControl {
  /** Returns all kept entries, oldest first. */
  entries(): readonly JournalEntry[];
  /** Returns the entries whose `sequence` is greater than `since` (0 for all), at most `limit`. */
  page(since?: number, limit?: number): JournalPage;
  /**
   * Like `page`, but waits for an entry. Returns an empty page after `seconds` of real time (at most 60) or when `signal` aborts.
   */
  wait(since: number, seconds: number, options?: JournalWait): Promise<JournalPage>;
  /** Removes every entry. */
  clear(): void;
  /**
   * Marks the entries of requests that arrive from now on; undefined removes the mark.
   * @param application client id; its requests alone. Its mark replaces the one for every application
   */
  mark(text: string | undefined, application?: string): void;
  /** Returns the current mark of an application, or of every one. */
  marked(application?: string): string | undefined;
}

/** Options for waiting for the journal. */
export interface JournalWait {
  /** Limit of entries. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal;
}

/** Control of situations, besides time, defects and seed. */
export interface SituationControl {
  readonly faults: FaultControl;
  readonly holds: HoldControl;
  readonly journal: JournalControl;
  readonly lifetime: {
    read(): Lifetime;
    /** Sets the lifetime in seconds of newly issued access tokens; undefined restores the document's. */
    set(expiresIn: number | undefined): Lifetime;
  };
  readonly tokenForm: { read(): TokenForm; set(form: TokenForm): void };
  readonly autoConsent: {
    read(): AutoConsent;
    /** Decides as this owner (by email) on every authorization request, without a form; undefined shows the forms again. */
    set(user: string | undefined, decision?: 'grant' | 'deny'): AutoConsent;
  };
  /** Revokes a token or a grant; returns its ordinal. @throws RangeError if there is no such token or grant */
  revoke(what: Revocation): string;
}
