import type { AbilityId } from '../../generated/ids.ts';
import type { BrowserSession } from '../config/saved-session.ts';
import type { Transport, WireResponse } from '../exchange/exchange.ts';
import type { Traffic } from '../exchange/traffic.ts';
import type { FormPages } from './page-actions.ts';

/** A client application registered with the service (clause 1). */
export interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Authorized redirect addresses; the first is used unless a check needs another. At least one. */
  readonly redirectUris: readonly [string, ...string[]];
}

/** Who grants: the user of the service whose browser is sent to the authorization address. */
export interface Owner {
  readonly login: string;
  /** Absent where a saved session, or a module, does without. */
  readonly password?: string;
  /** Base32 secret of an RFC 6238 generator, where the service asks for one-time codes. */
  readonly totpSecret?: string;
}

/** How an access token is presented to the resource API. The document leaves it open (clause 5.6). */
export type PresentationPlace =
  | { readonly in: 'header'; readonly scheme: string }
  | { readonly in: 'query'; readonly name: string }
  | { readonly in: 'form'; readonly name: string };

/** What a live service may want in the requests that assign and unassign. The document leaves it open (clause 4.4). */
export interface ResourceRequestShape {
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
}

/** The clock of a target that has one we may move. Seconds; it only goes forward. */
export interface TargetClock {
  /** Moves the target's clock. Resolves when every later request sees the new time. */
  advance(seconds: number): Promise<void>;
  /** Seconds since the epoch, where it can be told. */
  readonly now?: () => number;
}

/** What a browser must know to reach a service as requests do. */
export interface BrowserAccess {
  /** An HTTP proxy, name and password included. */
  readonly proxy?: URL;
  /** Public keys of the service to accept although no public authority vouches for them: SHA-256 of the SPKI, base64. */
  readonly trustedKeys: readonly string[];
}

/** The three combinations of scope values that the document names (clauses 4.1 and 5.3). */
export const SCOPES = ['read', 'write', 'destroy'] as const;
export type DocumentedScope = (typeof SCOPES)[number];
export const ALL_SCOPES = SCOPES.join(' ');

/**
 * What is checked. Checks see nothing else of it: whether an emulator, staging or a shim stands behind it makes no
 * difference to them.
 */
export interface Target {
  readonly kind: 'emulator' | 'live';
  readonly name: string;
  /** Address of the authorization server, without a slash at the end. */
  readonly authUrl: string;
  /** Address of the resource API, without a slash at the end and without `/v2`. */
  readonly baseUrl: string;
  readonly profile?: string;
  readonly defects: readonly string[];
  readonly application: Application;
  readonly secondApplication?: Application;
  readonly owner: Owner;
  /** Projects the suite may work on; a second one only with the ability `second-project`. */
  readonly projects: readonly [string, ...string[]];
  /** Users that are the suite's own: nobody else is ever assigned or unassigned. */
  readonly users: readonly [string, ...string[]];
  readonly abilities: ReadonlySet<AbilityId>;
  /** For each ability that is missing, why, and what would supply it. */
  readonly missing: ReadonlyMap<AbilityId, string>;
  /** Fixed answer to how the token is presented; when absent the usual ways are tried and the one found is reported. */
  readonly presentation?: PresentationPlace;
  /** JSON pointer of a listed user's id with `*` for the position, `/users/ * /id`; when absent it is found out. */
  readonly userIdPointer?: string;
  /** Reads the list where its form takes code of the user's own; undefined when the answer is no list. */
  readonly readsList?: (response: WireResponse) => readonly string[] | undefined;
  readonly assignRequest: ResourceRequestShape;
  readonly unassignRequest: ResourceRequestShape;
  /** How pages are signed in to, granted on and denied on. */
  readonly pages: FormPages;
  /** What the owner's browser starts with, where a human has signed in before. */
  readonly savedSession?: BrowserSession;
  /** Seconds by which the target's clock may differ from ours without harm. */
  readonly skewSeconds: number;
  /** How often the owner's password may be typed in one run; as often as need be when absent. */
  readonly mostSignIns?: number;
  readonly transport: Transport;
  /** Absolute path of the report's folder, for the list of users whom a run has assigned; absent where none is kept. */
  readonly report?: string;
  /** Waits for so many milliseconds; really where absent. */
  readonly pause?: (ms: number) => Promise<void>;
  /** Seconds for which the lists are read before anything is changed; absent where nobody else can change them. */
  readonly watchSeconds?: number;
  /** What is sent to a service that others use too; absent where nobody else is disturbed. */
  readonly traffic?: Traffic;
  /** The browser loads no pictures, styles, fonts and films, checks look at one answer of a kind: a smoke run may send little. */
  readonly loadsLittle?: boolean;
  /** How a browser reaches the service; as it reaches anybody when absent. May ask the service for its certificates. */
  readonly browserAccess?: () => Promise<BrowserAccess>;
  readonly clock?: TargetClock;
  /** Makes the service forget that the owner has consented, so that the consent page is shown again. */
  readonly forgetConsent?: () => Promise<void>;
  /** Puts every project's assignments back as they were at the start, where the target can do that at once. */
  readonly restoreAssignments?: () => Promise<void>;
  /** Releases whatever the target holds. */
  close(): Promise<void>;
}
