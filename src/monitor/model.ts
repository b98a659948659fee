import type { Application } from '../targets/target.ts';

/** What the monitor must know of a target to hold exchanges against the document. */
export interface MonitoredTarget {
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly applications: readonly Application[];
  readonly projects: readonly string[];
  readonly users: readonly string[];
  /** Ids that are known to name no project and no user. */
  readonly unknownProjects: readonly string[];
  readonly unknownUsers: readonly string[];
  /** Bodies that the target's operations take as a matter of course; a request with another is asked for otherwise. */
  readonly usualBodies: readonly (string | undefined)[];
  /** Others may assign and unassign users too: what becomes of users that are not the suite's is not held against the target. */
  readonly shared: boolean;
  /** Seconds around the end of a lifetime of which nothing is said: clocks differ, and answers take their time. */
  readonly spreadSeconds: number;
}

/** Everything that came of one grant by the owner. */
export interface Family {
  /** Why nothing more is expected of its tokens: the document does not say what becomes of them then. */
  disturbed: string | undefined;
  latest: KnownPair | undefined;
}

/** The tokens of one token response. */
export interface KnownPair {
  readonly access: string | undefined;
  readonly refresh: string | undefined;
  readonly family: Family;
  /** 0 for the pair of an exchange, one more with every refresh. */
  readonly generation: number;
  /** Undefined where it is not known. */
  readonly scope: string | undefined;
  readonly clientId: string | undefined;
  /** Seconds; when it was answered. */
  readonly issuedAt: number;
  /** How often its refresh token was presented, rightly or wrongly. */
  presented: number;
  /** How often it was presented rightly: with the client's own credentials. */
  used: number;
}

/** An authorization code that the user agent was sent anywhere with. */
export interface Code {
  readonly value: string;
  readonly clientId: string | undefined;
  readonly redirectUri: string | undefined;
  readonly scope: string | undefined;
  /** It came of a documented request, once. */
  readonly documented: boolean;
  readonly issuedAt: number;
  presented: number;
  /** What it was exchanged for. */
  gave: KnownPair | undefined;
  inFlight: number;
  /** It was presented again while it was being exchanged. */
  overlapped: boolean;
}

/** Seconds that an access token lives (clause 8). */
export const LIFETIME = 7200;

/** What the suite has been given, and what became of it. */
export class Model {
  readonly target: MonitoredTarget;
  readonly applications = new Map<
    string,
    { readonly secret: string; readonly redirectUris: readonly string[] }
  >();
  readonly codes = new Map<string, Code>();
  readonly byAccess = new Map<string, KnownPair>();
  readonly byRefresh = new Map<string, KnownPair>();
  /** Whether a refresh before expiry was seen honoured: the document promises it nowhere. */
  refreshesEarly = false;
  /** Presentations of tokens that were seen honoured, by operation: the document leaves them open (clause 5.6). */
  readonly presentations = new Set<string>();
  /** Kinds of misuse that another grant of the same client was seen to outlive: a service may take back all that the owner granted it. */
  readonly outlived = new Set<string>();
  /** What grants and codes may have been taken back by since: a misuse of another grant of the client. */
  readonly #stakes = new WeakMap<Family | Code, Map<string, 'tells' | 'tells nothing'>>();
  /** Token requests on their way. */
  underWay = 0;

  constructor(target: MonitoredTarget) {
    this.target = target;
    for (const { clientId, clientSecret, redirectUris } of target.applications)
      this.applications.set(clientId, { secret: clientSecret, redirectUris });
  }

  /** Seconds since a pair was issued, and whether its access token must work, must not, or neither is said. */
  stateOf(pair: KnownPair, at: number): 'live' | 'dead' | 'open' {
    const age = at - pair.issuedAt;
    const spread = this.target.spreadSeconds;
    if (pair.family.disturbed === HANDED_OUT_AGAIN) return 'open';
    if (age > LIFETIME + spread) return 'dead';
    const { disturbed, latest } = pair.family;
    const known =
      disturbed === undefined && latest === pair && pair.used === 0 && !this.isAtStake(pair.family);
    return known && age < LIFETIME - spread ? 'live' : 'open';
  }

  /** Whoever holds a value that was given out, as whatever, has it used up or revoked: nothing is expected of it any more. */
  disturbWhere(text: string, why: string): void {
    for (const pair of this.#pairs())
      if (holds(text, pair.access) || holds(text, pair.refresh)) this.misused(pair, why);
  }

  /**
   * Nothing more is expected of a family's tokens, nor, until one is seen to outlive such a misuse, of whatever else the client was granted: services keep
   * one grant for each owner and client, and take it back as a whole. The document says nothing of it.
   */
  misused(pair: Pick<KnownPair, 'family' | 'clientId'> | undefined, why: string): void {
    if (pair === undefined) return;
    // What was taken back already takes nothing more with it: that others outlive it tells nothing.
    const tells = pair.family.disturbed === undefined && !this.isAtStake(pair.family);
    disturb(pair.family, why);
    if (this.#hasOutlived(why)) return;
    const others = [...this.#pairs()].filter(
      (one) => one.clientId === pair.clientId && one.family !== pair.family,
    );
    const codes = [...this.codes.values()].filter((code) => code.clientId === pair.clientId);
    const stake = (one: Family | Code, kind: string) => {
      const stakes = this.#stakes.get(one) ?? new Map();
      if (tells || !stakes.has(kind)) stakes.set(kind, tells ? 'tells' : 'tells nothing');
      this.#stakes.set(one, stakes);
    };
    for (const { family } of others) stake(family, why);
    for (const code of codes) stake(code, variantOf(why, 'of codes'));
  }

  /** Whether a misuse of another grant may have taken this one back. */
  isAtStake(one: Family | Code): boolean {
    return [...(this.#stakes.get(one)?.keys() ?? [])].some((why) => !this.#hasOutlived(why));
  }

  /** The kinds of misuse that it outlives if what is sent now is honoured. */
  stakesOf(one: Family | Code | undefined): readonly string[] {
    if (one === undefined || this.underWay > 0) return [];
    return [...(this.#stakes.get(one) ?? [])].flatMap(([why, tells]) => (tells === 'tells' ? [why] : []));
  }

  /** What was sent was honoured. */
  outlives(stakes: readonly string[]): void {
    for (const why of stakes) this.outlived.add(why);
  }

  #hasOutlived(why: string): boolean {
    return [...this.outlived].some((kind) => why === kind || why.startsWith(variantOf(kind, '')));
  }

  #pairs(): ReadonlySet<KnownPair> {
    return new Set([...this.byAccess.values(), ...this.byRefresh.values()]);
  }
}

/**
 * A kind of misuse that shows less: it is outlived where the kind itself is, and not the other way round. Who presents a used code with a wrong secret
 * may be refused before it is seen that the code was used; and services keep codes elsewhere than tokens.
 */
export function variantOf(why: string, how: string): string {
  return `${why}, ${how}`;
}

/** A service may give the same tokens for two codes; then nobody can tell how old they are. */
export const HANDED_OUT_AGAIN = 'its tokens were handed out again';

/** Nothing more is expected of a family's tokens. */
export function disturb(family: Family | undefined, why: string): void {
  if (family !== undefined && family.disturbed !== HANDED_OUT_AGAIN) family.disturbed = why;
}

function holds(text: string, value: string | undefined): boolean {
  return value !== undefined && text.includes(value);
}
