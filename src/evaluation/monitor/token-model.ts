import type { RequirementId } from '../../../generated/ids.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import type { WireRequest } from '../../http/exchange.ts';
import type { Application, LockPlace } from '../../service/target.ts';
import type { ReadResourceRequest } from './read-request.ts';
import { oddCharacters, traitsOfForm } from './right-requests.ts';

export interface MonitoredTarget {
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly applications: readonly Application[];
  readonly projects: readonly string[];
  readonly users: readonly string[];
  /** The user who stays assigned for as long as the run lasts. */
  readonly lock?: LockPlace | undefined;
  /** Ids that are known to name no project and no user. */
  readonly unknownProjects: readonly string[];
  readonly unknownUsers: readonly string[];
  /** Request bodies that the operations usually take; any other body counts as a variant spelling. */
  readonly usualBodies: readonly (string | undefined)[];
  /** Other people may change their users' assignments, so only the suite's own users are evaluated. */
  readonly isLive: boolean;
  /** Seconds of tolerance around the end of a lifetime, for clock differences and slow answers. */
  readonly spreadSeconds: number;
}

/** All tokens that descend from one grant by the owner. */
export interface Family {
  /** Reason why its tokens are no longer evaluated: the document does not define their state. */
  changed: Misuse | undefined;
  latest: KnownPair | undefined;
}

export interface KnownPair {
  readonly access: string | undefined;
  readonly refresh: string | undefined;
  readonly family: Family;
  /** 0 for the pair of an exchange; increases by one with every refresh. */
  readonly generation: number;
  readonly scope: string | undefined;
  readonly clientId: string | undefined;
  readonly issuedAt: number;
  presented: number;
  /** Presentations of it with the client's own credentials. */
  used: number;
  readonly replaced: KnownPair | undefined;
  /** True if a token of a pair that replaced it was sent: its client has stored the new pair. */
  successorUsed: boolean;
}

/** An event that may revoke a token, and what else was wrong in its request. A grant that survives the event alone survives both. */
export type Misuse = readonly [
  kind:
    | 'code presented again'
    | 'code presented twice at once'
    | 'code nearly presented'
    | 'refresh token used twice'
    | 'refresh token nearly presented'
    | 'refresh token in place of a code'
    | 'refresh without an answer'
    | 'issued to an undocumented request'
    | 'handed out again'
    | 'shown elsewhere'
    | RequirementId,
  ...besides: string[],
];

/** A pair of which nothing else is known. */
export function newPair(
  known: Pick<KnownPair, 'access' | 'refresh' | 'family' | 'issuedAt'> & Partial<KnownPair>,
): KnownPair {
  const unknown = { scope: undefined, clientId: undefined, replaced: undefined };
  return { ...unknown, generation: 0, presented: 0, used: 0, successorUsed: false, ...known };
}

export interface Code {
  readonly value: string;
  readonly clientId: string | undefined;
  readonly redirectUri: string | undefined;
  readonly scope: string | undefined;
  readonly documented: boolean;
  readonly issuedAt: number;
  presented: number;
  gave: KnownPair | undefined;
  inFlight: number;
  overlapped: boolean;
}

export class TokenModel {
  readonly target: MonitoredTarget;
  readonly applications = new Map<
    string,
    { readonly secret: string; readonly redirectUris: readonly string[] }
  >();
  readonly codes = new Map<string, Code>();
  readonly byAccess = new Map<string, KnownPair>();
  readonly byRefresh = new Map<string, KnownPair>();
  readonly #pairs = new Set<KnownPair>();
  /** Seconds: the smallest age of an access token whose refresh was honoured. Clause 5.1 promises none before expiry. */
  earliestRefresh = Number.POSITIVE_INFINITY;
  /** Ways of presenting a token that worked, by operation; the document leaves them open (clause 5.6). */
  readonly presentations = new Set<string>();
  /** Misuses that another grant of the same client survived, by {@link keyOf}; a service may revoke all of the client's grants. */
  readonly outlived = new Set<string>();
  /** Misuses of other grants of the client that may have revoked each grant or code. */
  readonly #stakes = new WeakMap<
    Family | Code,
    Map<string, { readonly kind: Misuse; readonly tells: boolean }>
  >();
  underWay = 0;
  /** By client, the grant of its latest exchange; absent after one without an answer. */
  readonly #newest = new Map<string | undefined, Family>();
  /** The service has honoured the refresh token of an earlier grant, which clause 4.3 does not promise. */
  keepsEarlierGrants = false;

  constructor(target: MonitoredTarget) {
    this.target = target;
    for (const { clientId, clientSecret, redirectUris } of target.applications)
      this.applications.set(clientId, { secret: clientSecret, redirectUris });
  }

  isOwnUser(user: string | undefined): boolean {
    const { users, lock } = this.target;
    return user !== undefined && (users.includes(user) || user === lock?.user);
  }

  isOwnProject(project: string): boolean {
    const { projects, lock } = this.target;
    return projects.includes(project) || project === lock?.project;
  }

  /** Notes that an exchange gave a grant to a client, or may have given one. */
  exchanged(clientId: string | undefined, family: Family | undefined): void {
    if (family === undefined) this.#newest.delete(clientId);
    else this.#newest.set(clientId, family);
  }

  /** Returns whether a client has a later grant than that of a pair; `maybe` beside an exchange without an answer. */
  hasLaterGrant({ clientId, family }: KnownPair): 'yes' | 'maybe' | 'no' {
    const newest = this.#newest.get(clientId);
    if (newest !== undefined && newest !== family) return 'yes';
    const isExchanging = [...this.codes.values()].some(
      (code) => code.inFlight > 0 && code.clientId === clientId,
    );
    return newest === undefined || isExchanging ? 'maybe' : 'no';
  }

  /** Keeps a pair under its tokens, unless they were given before. */
  keep(pair: KnownPair): void {
    const { access, refresh } = pair;
    if (access !== undefined && !this.byAccess.has(access)) this.byAccess.set(access, pair);
    if (refresh !== undefined && !this.byRefresh.has(refresh)) this.byRefresh.set(refresh, pair);
    this.#pairs.add(pair);
  }

  /** Returns `live` or `dead` by the time since issue, `open` if neither can be expected. */
  stateOf(pair: KnownPair, at: number): 'live' | 'dead' | 'open' {
    const age = at - pair.issuedAt;
    const spread = this.target.spreadSeconds;
    if (pair.family.changed === HANDED_OUT_AGAIN) return 'open';
    if (age > LIFETIME + spread) return 'dead';
    const { changed, latest } = pair.family;
    const known = changed === undefined && latest === pair && pair.used === 0 && !this.mayChange(pair.family);
    return known && age < LIFETIME - spread ? 'live' : 'open';
  }

  /** Returns features of a code, for {@link RightRequest}. */
  traitsOfCode({ value, clientId, redirectUri, scope }: Code): readonly string[] {
    return [
      ...oddCharacters(value, 'a code'),
      this.applicationTrait(clientId),
      `the redirect address ${redirectUri}`,
      `the scope ${scope}`,
    ];
  }

  /** Returns features of a pair, for {@link RightRequest}. */
  traitsOfPair(pair: KnownPair, sent: 'access' | 'refresh'): readonly string[] {
    return [
      ...oddCharacters(pair[sent] ?? '', sent === 'access' ? 'an access token' : 'a refresh token'),
      this.applicationTrait(pair.clientId),
      ...traitsOfRefreshes(pair),
      `tokens for the scope ${pair.scope}`,
    ];
  }

  /** Returns features of a pair that later grants change: to be read when the request is sent. */
  traitsOfLaterGrant({ clientId, family, scope }: KnownPair): readonly string[] {
    const newest = this.#newest.get(clientId);
    if (newest === undefined || newest === family) return [];
    const isLess = countOf(newest.latest?.scope) < countOf(scope);
    return [
      'a later grant of its application',
      ...(isLess ? ['a later grant of its application, for fewer scopes'] : []),
    ];
  }

  /** Returns features of a call, for {@link RightRequest}. */
  traitsOfCall(
    { project, user }: ReadResourceRequest,
    pair: KnownPair,
    wire: WireRequest,
  ): readonly string[] {
    return [
      ...this.traitsOfPair(pair, 'access'),
      `project ${project}`,
      `user ${user}`,
      ...traitsOfForm(wire),
    ];
  }

  applicationTrait(clientId: string | undefined): string {
    const index = this.target.applications.findIndex((one) => one.clientId === clientId);
    return (
      ['the first application', 'the second application'][index] ?? 'an application from the account area'
    );
  }

  /** Stops evaluating every issued value in the text: its recipient may have used or revoked it. */
  changeWhere(text: string, why: Misuse): void {
    for (const pair of this.#pairs)
      if (holds(text, pair.access) || holds(text, pair.refresh)) this.misused(pair, why);
  }

  /**
   * Stops evaluating this token family, and the client's other grants until one survives such a misuse: services may
   * revoke an owner's grants to a client as a whole. The document does not define it.
   * @param conclusive false if the survival of other grants shows nothing about another misuse of this kind
   */
  misused(
    of: { readonly family?: Family; readonly clientId: string | undefined } | undefined,
    why: Misuse,
    conclusive: boolean = true,
  ): void {
    if (of === undefined) return;
    const { family: misused, clientId } = of;
    // A revoked family's misuse revokes nothing else, so the survival of other grants shows nothing.
    const tells =
      conclusive && misused !== undefined && misused.changed === undefined && !this.mayChange(misused);
    markChanged(misused, why);
    if (this.#hasOutlived(why)) return;
    const pairs = [...this.#pairs].filter((one) => one.clientId === clientId && one.family !== misused);
    const codes = [...this.codes.values()].filter((code) => code.clientId === clientId);
    const stake = (one: Family | Code, kind: Misuse) => {
      const stakes = this.#stakes.get(one) ?? new Map();
      const key = keyOf(kind);
      if (tells || !stakes.has(key)) stakes.set(key, { kind, tells });
      this.#stakes.set(one, stakes);
    };
    for (const family of new Set(pairs.map((pair) => pair.family))) stake(family, why);
    for (const code of codes) stake(code, [...why, 'of codes']);
  }

  mayChange(one: Family | Code): boolean {
    return [...(this.#stakes.get(one)?.values() ?? [])].some(({ kind }) => !this.#hasOutlived(kind));
  }

  tokensThatMayChange(one: Family | Code | undefined): readonly string[] {
    if (one === undefined || this.underWay > 0) return [];
    return [...(this.#stakes.get(one) ?? [])].flatMap(([key, { tells }]) => (tells ? [key] : []));
  }

  survives(stakes: readonly string[]): void {
    for (const why of stakes) this.outlived.add(why);
  }

  #hasOutlived(why: Misuse): boolean {
    return why.some((_, index) => this.outlived.has(keyOf(why.slice(0, index + 1))));
  }
}

function keyOf(why: readonly string[]): string {
  return why.join(', ');
}

/** Reason for services that issue the same tokens for two codes: the tokens' age is unknown. */
export const HANDED_OUT_AGAIN: Misuse = ['handed out again'];

export function markChanged(family: Family | undefined, why: Misuse): void {
  if (family !== undefined && family.changed !== HANDED_OUT_AGAIN) family.changed = why;
}

function countOf(scope: string | undefined): number {
  return scope?.split(' ').length ?? Number.NaN;
}

function holds(text: string, value: string | undefined): boolean {
  return value !== undefined && text.includes(value);
}

/** Refreshes of one grant up to which their number is compared. */
const MOST_REFRESHES = 5;

function traitsOfRefreshes({ generation: count, issuedAt, replaced }: KnownPair): readonly string[] {
  if (count === 0 || replaced === undefined) return ['tokens of an exchange'];
  const when = issuedAt < replaced.issuedAt + LIFETIME ? 'before' : 'after';
  const more = Array.from({ length: Math.min(count, MOST_REFRESHES) - 1 }, (_, index) => index + 2);
  return [
    'tokens of a refresh',
    `tokens of a refresh ${when} the expiry`,
    ...more.map((least) => `tokens of ${least} or more refreshes`),
  ];
}
