import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import type { ConfiguredSecret } from './configured-secrets.ts';
import type { ReadsList } from './list-reader.ts';
import type { BrowserSession } from './saved-session.ts';
import type { SignInModule } from './sign-in-module.ts';

/** A value as the file has it, every `{ "env": "NAME" }` replaced by what that variable held. */
export type Resolved<T> = T extends { readonly env: string }
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Resolved<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Resolved<T[Key]> }
      : T;

type ResolvedFile = Resolved<ConfigurationFile>;

export interface Pacing {
  readonly requestsPerSecond: number;
  /** Milliseconds that one exchange may take. */
  readonly deadlineMs: number;
  /** How long the lists are read before anything is changed, in seconds. */
  readonly watchSeconds: number;
}

export interface Budget {
  readonly requests: number;
  readonly signIns: number;
  readonly refusedAuthentications: number;
  /** How long a run may take; a wait for expiry comes on top. */
  readonly seconds: number;
}

/** Whom to trust beside the public authorities. */
export interface ExtraTrust {
  /** Certificates of authorities, PEM. */
  readonly ca: string;
  /** Origins, beside those of the two addresses, whose certificates are of these authorities. */
  readonly pageOrigins: readonly string[];
}

export interface SignInConfiguration {
  readonly form: ResolvedFile['signIn']['form'];
  /** Empty when a module or a saved session does without. */
  readonly steps: NonNullable<ResolvedFile['signIn']['steps']>;
  readonly interstitials?: NonNullable<ResolvedFile['signIn']['interstitials']>;
  readonly module?: SignInModule;
  readonly session?: SavedSession;
  /** Origins, beside that of `authUrl`, that may get the owner's credentials. */
  readonly origins: readonly string[];
}

export interface SavedSession {
  /** Absolute path. */
  readonly file: string;
  readonly passphrase: string;
  /** Absent while it is about to be made. */
  readonly state?: BrowserSession;
}

/** The configuration of a live target, valid and complete: secrets in place, defaults filled in, files read. */
export interface Configuration
  extends Omit<
    ResolvedFile,
    '$schema' | 'list' | 'signIn' | 'abilities' | 'requireAbilities' | 'tls' | 'pacing' | 'budget'
  > {
  readonly file: string;
  /** Without a slash at the end. */
  readonly authUrl: string;
  /** Without a slash at the end and without `/v2`. */
  readonly baseUrl: string;
  readonly signIn: SignInConfiguration;
  readonly abilities: NonNullable<ResolvedFile['abilities']>;
  /** Abilities without which a run is inconclusive. */
  readonly requireAbilities: NonNullable<ResolvedFile['requireAbilities']>;
  /** Seconds. */
  readonly skewSeconds: number;
  readonly pacing: Pacing;
  readonly budget: Budget;
  readonly tls?: ExtraTrust;
  /** What came from variables and must not be written anywhere; to be registered before anything else is done. */
  readonly secrets: readonly ConfiguredSecret[];
  readonly list?: KnownList;
}

export interface KnownList {
  /** JSON pointer with `*` for the position. */
  readonly userId?: string;
  /** The function of the module that `list.reader` names. */
  readonly reads?: ReadsList;
}

/** What holds where the file is silent; the schema tells it to readers. */
export const DEFAULTS = {
  skewSeconds: 5,
  settleMs: 3_000,
  accountAreaPath: '/access-keys/applications',
  pacing: { requestsPerSecond: 5, deadlineMs: 10_000, watchSeconds: 10 },
  // A full run on a service that always asks took 2289 requests and 66 refusals; half comes on top.
  budget: { requests: 3_600, signIns: 3, refusedAuthentications: 100, seconds: 3_600 },
} as const;
