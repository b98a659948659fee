/** The client as the scenarios in `tests/client/scenarios` use it: the reference client, with a store and a clock that a test can look into. */
/** A pair as the client keeps it. */
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
  authorizationRequest(scopes: readonly string[]): Promise<{ readonly url: string; readonly state: string }>;
  /** The code in a redirect. */
  readCallback(url: string, expectedState: string | undefined): Promise<string>;
}

/** The parts of a client's error that calling code can read. */
export interface Explained {
  /** The user said no, as against anything that went wrong. */
  readonly denied?: boolean;
  /** The `error` of the token endpoint's answer. */
  readonly error?: string | undefined;
}
