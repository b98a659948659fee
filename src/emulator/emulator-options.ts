import type { Defect } from './defect.ts';
import type { Profile } from './profile.ts';
import type { ApplicationOptions, Seed } from './seed.ts';

/** How an emulator is started. */
export interface EmulatorOptions {
  /** Port of the authorization server; 0, the default, for any. */
  readonly port?: number;
  /** Port of the resource API; 0, the default, for any. */
  readonly apiPort?: number;
  /** Address to listen on; 127.0.0.1 unless told. */
  readonly host?: string;
  /** Both address spaces on one port. */
  readonly oneOrigin?: boolean;
  /** Path that {auth_url} ends in, such as `/auth`. */
  readonly authPath?: string;
  /** Path that {base_url} ends in, such as `/api`. */
  readonly basePath?: string;
  /** Origin that clients reach the authorization server at, such as `http://legacy:8700`; pages, redirects and printed addresses have it. */
  readonly publicUrl?: string | undefined;
  /** The same of the resource API; the host of `publicUrl` with the API's port unless told. */
  readonly publicApiUrl?: string | undefined;
  /** HTTPS at both addresses, with an authority made at the start: `emulator.caCertificate` is what clients must trust. */
  readonly tls?: boolean;
  /** Lifetime of access tokens in seconds. Any other than 7200 departs from clause 8. */
  readonly expiresIn?: number;
  /** Email of an owner who grants every authorization request at once, without a form; true for the seed's first owner. */
  readonly autoConsent?: string | true;
  /** How many requests the journal remembers: 10000 unless told. */
  readonly journalLimit?: number | undefined;
  /** False opens no socket: only `fetch` reaches the service. */
  readonly listen?: boolean;
  /** Id of a profile in `spec/profiles`, or a profile; `doorkeeper-5` unless told. */
  readonly profile?: string | Profile;
  /** Defects that are on from the start. */
  readonly defects?: readonly Defect[];
  /** Further defects that can be switched on. */
  readonly knownDefects?: readonly Defect[];
  readonly seed?: Seed;
  /** Id, secret and redirect addresses of the first application, in place of the seed's. */
  readonly application?: ApplicationOptions;
  /**
   * Makes the ids, secrets and passwords that the seed leaves out the same at every start. Anybody can know them then: for a service of
   * a CI job. Tokens and codes stay random.
   */
  readonly stableSeed?: boolean;
  /** The control port; off unless asked for. */
  readonly control?: false | ControlOptions;
  /** `virtual`, the default, stands still between moves; `real` follows real time. */
  readonly clock?: 'virtual' | 'real';
  /** Where a virtual clock starts, in seconds since the epoch. */
  readonly clockStart?: number;
  /** Makes every token, code, id and secret the same for the same text. For tests: nothing is secret then. */
  readonly randomSeed?: string;
}

/** How the control port is opened. */
export interface ControlOptions {
  /** 0, the default, for any. */
  readonly port?: number;
  /** What requests must present; made up when left out. The port is opened on 127.0.0.1, with `publicUrl` on `host`. */
  readonly token?: string;
}
