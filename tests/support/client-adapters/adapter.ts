/**
 * What a client has to offer so that the scenarios in `tests/client/scenarios` can be run on it. To run them on yours,
 * write a module whose default export is a {@link ClientAdapter} and run `legacy-conformance client --client FILE`, which
 * names it in `LEGACY_CONFORMANCE_CLIENT`.
 */
import type { ScenarioId } from './scenario-ids.ts';

/** A pair as the client keeps it. A client may add what it needs. */
export interface StoredPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly [more: string]: unknown;
}

/** The store that the client under test must use, so that a test sees what is stored and when. */
export interface StoreHooks {
  /** The stored pair, or undefined. */
  load(): Promise<StoredPair | undefined>;
  /** Stores. Until it has resolved nothing is stored; where it rejects nothing was. */
  save(pair: StoredPair): Promise<void>;
}

/** Options of a client under test. */
export interface ClientSettings {
  /** Address of the authorization server. */
  readonly authUrl: string;
  /** Address of the resource API. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** Milliseconds that one request may take. */
  readonly deadlineMs: number;
  /** Seconds before its expiry from which on an access token is to be refreshed before use. */
  readonly leewaySeconds: number;
  /** The clock: milliseconds since 1970. */
  now(): number;
  readonly store: StoreHooks;
}

/** A client under test. Every function rejects when what it was asked for did not happen. */
export interface ClientUnderTest {
  /** Exchanges a code and stores the pair. */
  exchange(code: string): Promise<void>;
  /** Refreshes now and stores the new pair. */
  refresh(): Promise<void>;
  /** An access token fit for use: refreshed before if it has expired. */
  accessToken(): Promise<string>;
  assign(projectId: string, userId: string): Promise<void>;
  unassign(projectId: string, userId: string): Promise<void>;
  /** The users of a project, as records or ids. */
  list(projectId: string): Promise<readonly unknown[]>;
  /** Leave this out if something else builds the address; the scenarios `authorize.*` are skipped then. */
  authorizationRequest?(scopes: readonly string[]): Promise<{ readonly url: string; readonly state: string }>;
  /** The code in a redirect. Leave it out likewise; the scenarios `callback.*` are skipped then. */
  readCallback?(url: string, expectedState: string | undefined): Promise<string>;
}

/** The parts of a client's error that calling code can read. */
export interface Explained {
  /** The user said no, as against anything that went wrong. */
  readonly denied?: boolean;
  /** The `error` of the token endpoint's answer. */
  readonly error?: string | undefined;
}

/** A scenario that a client is known to fail. */
export interface ExpectedFailure {
  /** The reason of the failure, for the reader of the report. */
  readonly reason: string;
  /** Words of the failure. A scenario that fails otherwise, or passes, makes the list stale, and the run fails. */
  readonly failsWith: string;
}

/** A client and how to run it. */
export interface ClientAdapter {
  /** Name of the client, for titles. */
  readonly name: string;
  createClient(settings: ClientSettings): ClientUnderTest | Promise<ClientUnderTest>;
  /** The part of an error on which calling code decides. */
  explain(error: unknown): Explained;
  /** True if the client reads `Date.now` and cannot be given a clock: the scenarios then set that one. */
  readonly readsSystemClock?: boolean;
  readonly expectedFailures?: Readonly<Partial<Record<ScenarioId, ExpectedFailure>>>;
}
