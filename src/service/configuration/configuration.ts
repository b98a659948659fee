import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import type { ConfiguredSecret } from './configured-secrets.ts';
import type { TlsSettings } from './read-tls.ts';
import type { Resolved } from './resolve-references.ts';
import type { BrowserSession } from './sealed-file.ts';
import type { ReadsList, SignInModule } from './user-modules.ts';

type ResolvedFile = Resolved<ConfigurationFile>;

interface SignInConfiguration {
  readonly form: ResolvedFile['signIn']['form'];
  readonly steps: NonNullable<ResolvedFile['signIn']['steps']>;
  readonly interstitials?: NonNullable<ResolvedFile['signIn']['interstitials']>;
  readonly module?: Partial<SignInModule>;
  readonly session?: SavedSession;
  readonly origins: readonly string[];
}

export interface SavedSession {
  readonly file: string;
  readonly passphrase: string;
  readonly state?: BrowserSession;
}

/** A valid live configuration: secrets resolved, defaults filled in, files read. */
export interface Configuration
  extends Omit<
    ResolvedFile,
    '$schema' | 'list' | 'signIn' | 'abilities' | 'requireAbilities' | 'tls' | 'pacing' | 'budget'
  > {
  readonly file: string;
  /** Without a trailing slash. */
  readonly authUrl: string;
  /** Without a trailing slash and without `/v2`. */
  readonly baseUrl: string;
  readonly signIn: SignInConfiguration;
  readonly abilities: NonNullable<ResolvedFile['abilities']>;
  readonly requireAbilities: NonNullable<ResolvedFile['requireAbilities']>;
  readonly skewSeconds: number;
  /** `careful` leaves out requirements whose checks may revoke grants, send odd ids or take many authorizations. */
  readonly care: 'careful' | 'usual';
  /** Days; `check --like` warns of an older recorded profile. */
  readonly maxAgeDays: number;
  readonly pacing: Required<NonNullable<ResolvedFile['pacing']>>;
  readonly budget: Required<NonNullable<ResolvedFile['budget']>>;
  readonly tls?: TlsSettings;
  /** Value of the variable `NO_PROXY`. */
  readonly noProxy?: string | undefined;
  /** Secrets from variables. Register them before doing anything else. */
  readonly secrets: readonly ConfiguredSecret[];
  readonly list?: { readonly userId?: string; readonly reads?: ReadsList };
}

export const DEFAULTS = {
  skewSeconds: 5,
  maxAgeDays: 30,
  care: 'usual',
  settleMs: 3_000,
  accountAreaPath: '/access-keys/applications',
  pacing: { requestsPerSecond: 5, perMinute: {}, deadlineMs: 10_000 },
  // A full run on a service that always asks took 2289 requests and 66 refusals; these limits add half.
  budget: { requests: 4_200, signIns: 6, refusedSignIns: 0, refusedAuthentications: 100, seconds: 3_600 },
} as const;
