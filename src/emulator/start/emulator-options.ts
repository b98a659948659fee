import { type KindsOf, requireKinds } from '../../document/input/require-kinds.ts';
import type { Defect } from '../defects/define-defect.ts';
import type { Profile } from '../policy/profile.ts';
import type { RehearsedEnd } from '../simulation/retirement.ts';
import type { ApplicationOptions, Seed } from '../store/seed.ts';

/** Options of an emulator. */
export interface EmulatorOptions {
  /** Ports and addresses; by default free ones of 127.0.0.1. */
  readonly addresses?: AddressOptions;
  /** Lifetime of access tokens in seconds. Any value but 7200 violates clause 8. */
  readonly expiresIn?: number;
  /** Email of an owner who grants every authorization request without a form; true for the seed's first owner. */
  readonly autoConsent?: string | true;
  /** Number of requests that the journal keeps. Default 10000. */
  readonly journalLimit?: number | undefined;
  /** False opens no socket: only `fetch` reaches the service. */
  readonly listen?: boolean;
  /** Id of a profile in `spec/profiles`, or a profile. Default `doorkeeper-5`. */
  readonly profile?: string | Profile;
  /** Defects that are on from the start: ids of the shipped ones (`explain defects` lists them), or your own. */
  readonly defects?: readonly (string | Defect)[];
  readonly seed?: Seed;
  /** Id, secret and redirect addresses of the first application. They replace the seed's. */
  readonly application?: ApplicationOptions;
  /** Returned by `emulator.state()` earlier. Its seed, with all generated values, replaces `seed` and `application`. */
  readonly state?: Uint8Array | undefined;
  /** Puts a page of the emulator first among the redirect addresses of the first application: it shows the code and the next request. */
  readonly ownCallback?: boolean;
  /** The announced end of the service. Default: none. */
  readonly retirement?: RehearsedEnd | undefined;
  /**
   * Keeps generated ids, secrets and passwords of the seed the same at every start. They are then public: use it for a service of
   * a CI job. Tokens and codes stay random.
   */
  readonly stableSeed?: boolean;
  /** The control port. Default: off. */
  readonly control?: false | ControlOptions;
  /** `real` follows real time. The default is a virtual clock, which stands still; a number is its start in epoch seconds. */
  readonly clock?: 'real' | number;
  /** Makes every token, code, id and secret the same for the same text. For tests only: nothing is secret then. */
  readonly randomSeed?: string;
}

/** Options of the emulator's addresses. */
export interface AddressOptions {
  /** Port of the authorization server; 0, the default, for any free one. */
  readonly port?: number;
  /** Port of the resource API; 0, the default, for any free one. */
  readonly apiPort?: number;
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Both address spaces on one port. */
  readonly oneOrigin?: boolean;
  /** Path that {auth_url} ends in, such as `/auth`. */
  readonly authPath?: string;
  /** Path that {base_url} ends in, such as `/api`. */
  readonly basePath?: string;
  /**
   * Address under which clients reach the authorization server, such as `http://legacy:8700`. Pages, redirects and printed
   * addresses use it. Its path is the default of `authPath`.
   */
  readonly publicUrl?: string | undefined;
  /** The same for the resource API. Default: the host of `publicUrl` with the API's port. */
  readonly publicApiUrl?: string | undefined;
  /** HTTPS at both addresses, with an authority created at the start. Clients must trust `emulator.caCertificate`. */
  readonly tls?: boolean;
}

/** Options of the control port. */
export interface ControlOptions {
  /** 0, the default, for any free port. */
  readonly port?: number;
  /** Token that requests must present; random by default. The port opens on 127.0.0.1, with `publicUrl` on `host`. */
  readonly token?: string;
  readonly operations?: ControlOperations | undefined;
}

/** More operations of the control port, by method and path, such as `GET /client-report`. A RangeError is answered with 400. */
export type ControlOperations = Readonly<
  Record<string, (query: URLSearchParams) => Promise<ControlAnswer> | ControlAnswer>
>;

/** An answer of the control port, to a request with its token. */
export interface ControlAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const ADDRESS_KINDS: KindsOf<AddressOptions> = {
  port: 'number',
  apiPort: 'number',
  host: 'string',
  oneOrigin: 'boolean',
  authPath: 'string',
  basePath: 'string',
  publicUrl: 'string',
  publicApiUrl: 'string',
  tls: 'boolean',
};

const KINDS: KindsOf<EmulatorOptions> = {
  addresses: 'object',
  expiresIn: 'number',
  autoConsent: 'string or boolean',
  journalLimit: 'number',
  listen: 'boolean',
  profile: 'string or object',
  defects: 'object',
  seed: 'object',
  application: 'object',
  state: 'object',
  ownCallback: 'boolean',
  retirement: 'object',
  stableSeed: 'boolean',
  control: 'boolean or object',
  clock: 'string or number',
  randomSeed: 'string',
};

/** Requires known options of the right type. @throws TypeError with the option */
export function requireOptions(options: EmulatorOptions): void {
  requireKinds('startEmulator', options, KINDS);
  requireKinds('startEmulator, addresses', options.addresses ?? {}, ADDRESS_KINDS);
}
