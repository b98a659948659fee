import type { AbilityId } from '../../generated/ids.ts';
import type {
  ConfigurationFile,
  ConfigurationSelector,
  ConfigurationStep,
} from '../../generated/schemas.d.ts';
import type { EdgeHeaders } from '../http/connections.ts';
import type { Header, Transport } from '../http/exchange.ts';
import type { Traffic } from '../http/traffic.ts';
import type { Unreachable } from '../http/unreachable.ts';
import type { BrowserSession } from './configuration/sealed-file.ts';
import type { ReadsList, SignInModule } from './configuration/user-modules.ts';

export interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Authorized redirect URIs. The first is used unless a check needs another. */
  readonly redirectUris: readonly [string, ...string[]];
}

interface Owner {
  readonly login: string;
  /** Absent if a saved session or a module replaces it. */
  readonly password?: string;
  /** Base32 secret for RFC 6238 codes, if the service asks for them. */
  readonly totpSecret?: string;
}

/** Place of the access token in API requests. The document leaves it open (clause 5.6). */
export type PresentationPlace =
  | { readonly in: 'header'; readonly scheme: string }
  | { readonly in: 'query'; readonly name: string }
  | { readonly in: 'form'; readonly name: string };

/** The places of open point 1. */
export const TOKEN_PLACES = {
  'authorization-header': { in: 'header', scheme: 'Bearer' },
  'query-access-token': { in: 'query', name: 'access_token' },
  'query-bearer-token': { in: 'query', name: 'bearer_token' },
  'form-access-token': { in: 'form', name: 'access_token' },
} as const satisfies Record<string, PresentationPlace>;

/** Extra content of assign and unassign requests. The document leaves it open (clause 4.4). */
export interface ResourceRequestShape {
  readonly headers: readonly Header[];
  readonly body?: string;
}

/** A clock that the suite may move. Seconds; it only goes forward. */
export interface TargetClock {
  advance(seconds: number): Promise<void>;
  /** Seconds since the epoch, if known. */
  readonly now?: () => number;
  /** It moves only on request. */
  readonly standsStill?: true;
}

/** The document's three scope combinations (clauses 4.1 and 5.3). */
export const SCOPES = ['read', 'write', 'destroy'] as const;
export type DocumentedScope = (typeof SCOPES)[number];
export const ALL_SCOPES = SCOPES.join(' ');

/** The lock of a live target: one more of the suite's own users, in one project. */
export interface LockPlace {
  readonly project: string;
  readonly user: string;
  /** Seconds to wait for another run. */
  readonly waitSeconds: number;
}

/** The only view of the service that checks have; emulator, staging and shim look the same. */
export interface Target {
  readonly kind: 'emulator' | 'live';
  readonly name: string;
  /** Others use the target: an outage, a wrong setting or another client may explain an observation. */
  readonly isLive: boolean;
  /** Without a trailing slash. */
  readonly authUrl: string;
  /** Without a trailing slash and without `/v2`. */
  readonly baseUrl: string;
  readonly profile?: string;
  readonly defects: readonly string[];
  /** Requirements that warn on the emulator's profile. */
  readonly expectedWarnings?: readonly string[];
  readonly application: Application;
  readonly secondApplication?: Application;
  readonly owner: Owner;
  /** The keys of the configuration that name the first user and the first project; absent if they are `users[0]` and `projects[0]`. */
  readonly keys?: { readonly user: string; readonly project: string };
  /** Projects that the suite may change; a second one requires the ability `second-project`. */
  readonly projects: readonly [string, ...string[]];
  /** The only users that the suite may assign or unassign. */
  readonly users: readonly [string, ...string[]];
  readonly abilities: ReadonlySet<AbilityId>;
  /** For each missing ability, the reason and what would supply it. */
  readonly missing: ReadonlyMap<AbilityId, string>;
  /** Fixed way to present the token; if absent, the suite tries the usual ways and reports the one found. */
  readonly presentation?: PresentationPlace;
  /** JSON pointer of a listed user's id with `*` for the index; detected if absent. */
  readonly userIdPointer?: string;
  readonly readsList?: ReadsList;
  readonly assignRequest: ResourceRequestShape;
  readonly unassignRequest: ResourceRequestShape;
  readonly pages: FormPages;
  readonly savedSession?: BrowserSession;
  /** Tolerated clock difference in seconds. */
  readonly skewSeconds: number;
  /** Maximum number of password entries in one run; unlimited if absent. */
  readonly mostSignIns?: number;
  /** Maximum number of wrong passwords typed in one run; unlimited if absent. */
  readonly mostRefusedSignIns?: number;
  readonly transport: Transport;
  /** Absolute report folder for the list of users assigned by a run; absent if no list is kept. */
  readonly report?: string;
  /** The configuration's file as the user named it. */
  readonly file?: string;
  /** Waits in real time; tests that simulate it wait less. */
  readonly pause: (ms: number) => Promise<void>;
  /** Tells a person a line while the run goes on. */
  readonly say?: (line: string) => void;
  /** The user who is assigned for as long as a run lasts; absent if nothing else keeps runs apart, or nothing needs to. */
  readonly lock?: LockPlace;
  /** Connects to each address, and sends nothing. Returns why one cannot be reached; undefined if both can. */
  readonly reach?: () => Promise<string | undefined>;
  /** Traffic rules for a shared service; absent if nobody else is affected. */
  readonly traffic?: Traffic;
  /** For smoke runs: the browser loads no images, styles, fonts or media. */
  readonly loadsLittle?: boolean;
  readonly guardedOrigins?: ReadonlySet<string>;
  /** `trustedKeys`: base64 SHA-256 of SPKIs accepted without a public authority. */
  readonly browserAccess?: () => Promise<{ readonly proxy?: URL; readonly trustedKeys: readonly string[] }>;
  readonly clock?: TargetClock;
  /** Returns the failure of a page that did not load, by its address and Chromium's code, with the proxy before it. */
  readonly unreached: (address: string, code: string) => Unreachable;
  readonly forgetConsent?: () => Promise<void>;
  readonly restoreAssignments?: () => Promise<void>;
  close(): Promise<void>;
}

/** A setting that does not fit the service: the observation, the key, and the fix. */
export interface ConfigurationFinding {
  readonly observed: string;
  readonly remedy: string;
}

export function findingText({ observed, remedy }: ConfigurationFinding): string {
  return `configuration: ${observed}; ${remedy}`;
}

export interface ReliableTarget {
  readonly target: Target;
  readonly wrongSettings: readonly ConfigurationFinding[];
}

export function withoutAbility(target: Target, ability: AbilityId, why: string): Target {
  return {
    ...target,
    abilities: new Set([...target.abilities].filter((one) => one !== ability)),
    missing: new Map([...target.missing, [ability, why]]),
  };
}

export function withAbility(target: Target, ability: AbilityId): Target {
  return {
    ...target,
    abilities: new Set([...target.abilities, ability]),
    missing: new Map([...target.missing].filter(([one]) => one !== ability)),
  };
}

export function applicationsOf({
  application,
  secondApplication,
}: Pick<Target, 'application' | 'secondApplication'>): readonly Application[] {
  return secondApplication === undefined ? [application] : [application, secondApplication];
}

/** As in the configuration: a CSS selector, a field's label, or the name of a button or link. */
export type Selector = Readonly<ConfigurationSelector>;

export type SignInStep = Readonly<ConfigurationStep>;

export type FillValue = Extract<SignInStep, { fill: unknown }>['with'];

/** The account area's form for a new application (clauses 1 and 5.2); only for targets that allow it. */
type ConfiguredArea = NonNullable<ConfigurationFile['accountArea']>;
export type AccountAreaPages = Readonly<Required<Omit<ConfiguredArea, 'fields' | 'open'>>> & {
  /** Undefined where the first page has the form. */
  readonly open?: ConfiguredArea['open'] | undefined;
  readonly fields: readonly Readonly<NonNullable<ConfiguredArea['fields']>[number]>[];
};

/** The sign-in and consent that the suite finds on the pages of a service, for a configuration without them. */
export interface Proposal {
  form?: Selector;
  readonly steps: SignInStep[];
  grant?: Selector;
  deny?: Selector;
  /** The names of the buttons on the page after the sign-in. */
  buttons: readonly string[];
  /** True if that page shows a box that is not ticked. */
  asksToTick?: boolean;
}

export interface FormPages {
  readonly signInForm: Selector;
  readonly signIn: readonly SignInStep[];
  /** Signs in, and may decide on consent, instead of steps and clicks. */
  readonly signInModule?: Partial<SignInModule>;
  /** Filled in from the pages, in place of steps. */
  readonly proposal?: Proposal;
  /** True for a saved session: then a sign-in page means that the session has expired. */
  readonly savedSession?: boolean;
  /** Origins besides the authorization server's that may get the owner's credentials. */
  readonly signInOrigins: readonly string[];
  readonly interstitials: readonly Selector[];
  readonly grant: Selector;
  readonly deny?: Selector;
  readonly consentShown: ConfigurationFile['consent']['shown'];
  /** Maximum milliseconds after loading until a page shows a form or moves on. */
  readonly settleMs: number;
  /** Maximum milliseconds for a page to load or to show an element. */
  readonly pageDeadlineMs: number;
  readonly accountArea?: AccountAreaPages;
  readonly edgeHeaders?: EdgeHeaders;
}
