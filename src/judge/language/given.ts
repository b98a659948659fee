import type { RequirementId } from '../../../generated/ids.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import { isPart } from '../../http/answer-body.ts';
import { isSuccess, type WireResponse } from '../../http/exchange.ts';
import { atOnce } from '../../http/traffic.ts';
import { exchangedTokens, grantedCode, refreshedPair, type WantedGrant } from '../../target/flow/actor.ts';
import type { ReceivedPair, ResourceAnswer } from '../../target/flow/answers.ts';
import { stillAssigned } from '../../target/flow/assigned-by-run.ts';
import { UNREADABLE_LIST } from '../../target/flow/assigned-list.ts';
import type { Conversation } from '../../target/flow/conversation.ts';
import type { ResourceCall } from '../../target/flow/requests.ts';
import { ALL_SCOPES, type Application } from '../../target/target.ts';
import { Blocked, ConformanceFailure, NotRun } from './outcome.ts';
import { ownerOfAbsence, ownerOfRefusal } from './resource-owners.ts';

export interface GivenPair extends ReceivedPair {
  /** True for the pair of a refresh: another requirement covers refreshing it again. */
  readonly refreshed?: true;
}

/** Seconds after which a cached list is expected to be up to date. */
const STALE = 300;

/**
 * Provides prerequisites that a check does not test. Each method throws {@link Blocked} with the requirement that owns
 * the failed step, so that one fault fails one requirement.
 */
export class Given {
  readonly #conversation: Conversation;
  #accessToken: string | undefined;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  async code(wanted: WantedGrant = {}): Promise<string> {
    const c = this.#conversation;
    const code = await grantedCode(c, wanted);
    if (code.ok) return code.value;
    if (code.status === 'no-answer') throw new NotRun(`obtaining a code: ${code.message}`);
    throw new Blocked('obtain a code', ownerOfCode(wanted.scope ?? ALL_SCOPES), code.message);
  }

  async exchanged(code: string, wanted: WantedGrant = {}): Promise<GivenPair> {
    const { accessToken, refreshToken } = await this.#tokensFor(code, wanted);
    if (refreshToken === undefined) throw absentToken('refresh_token');
    return { accessToken, refreshToken };
  }

  async #tokensFor(code: string, wanted: WantedGrant = {}) {
    const tokens = await exchangedTokens(this.#conversation, code, wanted);
    if (tokens.ok) return tokens.value;
    if (tokens.status === 'no-answer') throw new NotRun(`exchanging a code: ${tokens.message}`);
    if (tokens.status === 'wrong') throw absentToken('access_token', tokens.message);
    throw new Blocked('exchange a code', 'exchange.form-encoded', tokens.message);
  }

  async pair(wanted: WantedGrant = {}): Promise<GivenPair> {
    return this.exchanged(await this.code(wanted), wanted);
  }

  /**
   * Returns a pair to refresh for a check about something else. Returns undefined if the target does not refresh now, or gives
   * no refresh token; other requirements cover that.
   */
  async pairAside(): Promise<GivenPair | undefined> {
    if (!this.mayRefresh) return undefined;
    const { accessToken, refreshToken } = await this.#tokensFor(await this.code());
    return refreshToken === undefined ? undefined : { accessToken, refreshToken };
  }

  async accessTokenOf(application: Application): Promise<string> {
    return (await this.#tokensFor(await this.code({ application }), { application })).accessToken;
  }

  async refreshed(pair: GivenPair, application?: Application): Promise<GivenPair> {
    await this.refreshable();
    return this.#refresh(pair, application);
  }

  async refreshedAtOnce(pairs: readonly GivenPair[]): Promise<readonly GivenPair[]> {
    await this.refreshable();
    return atOnce(
      this.#conversation.session.target,
      pairs.map((pair) => () => this.#refresh(pair)),
    );
  }

  async #refresh(
    pair: GivenPair,
    application: Application = this.#conversation.session.target.application,
  ): Promise<GivenPair> {
    const next = await refreshedPair(this.#conversation, pair.refreshToken, application);
    // A service that reissues tokens may refresh the check's own token here.
    this.forgetToken();
    if (next.ok) return { ...next.value, refreshed: true };
    if (next.status === 'no-answer') throw new NotRun(`refreshing: ${next.message}`);
    throw new Blocked('refresh', pair.refreshed ? 'refresh.chain' : 'refresh.token-response', next.message);
  }

  /** The number of sign-ins that `budget.signIns` still allows. */
  get signInsLeft(): number {
    return this.#conversation.session.signInsLeft();
  }

  /** False if the clock must move before a refresh; anything that lives for seconds has then expired. */
  get refreshesAtOnce(): boolean {
    return this.#conversation.requestStyle.refreshBeforeExpiry;
  }

  get mayRefresh(): boolean {
    const { requestStyle, session } = this.#conversation;
    return requestStyle.refreshBeforeExpiry || session.target.clock !== undefined;
  }

  /**
   * Lets the tokens issued so far expire if the target refuses an earlier refresh, which the document allows. Blocks
   * the check if that needs a clock and there is none.
   */
  async refreshable(): Promise<void> {
    const { requestStyle, session } = this.#conversation;
    if (requestStyle.refreshBeforeExpiry) return;
    if (session.target.clock === undefined) {
      throw new Blocked(
        'refresh',
        'refresh.token-response',
        'refused before expiry, and there is no clock to move',
      );
    }
    await session.target.clock.advance(LIFETIME + session.target.skewSeconds);
    this.#accessToken = undefined;
  }

  /** Returns a working access token with all three scopes, the same throughout a check; a refresh token is not required. */
  async accessToken(): Promise<string> {
    this.#accessToken ??= (await this.#tokensFor(await this.code())).accessToken;
    return this.#accessToken;
  }

  /** Forgets the token of {@link accessToken} after time has passed or a refresh may have replaced it. */
  forgetToken(): void {
    this.#conversation.session.lastLists.forget();
    this.#accessToken = undefined;
  }

  async listed(project: string = this.#conversation.session.target.projects[0]): Promise<readonly string[]> {
    const c = this.#conversation;
    const answer = await this.#honoured('list the assigned users', { operation: 'list', project });
    const listed = answer.response && c.evaluated(answer.response);
    if (listed === undefined) throw new NotRun(UNREADABLE_LIST);
    c.session.lastLists.keep(project, answer);
    return listed;
  }

  /** Returns the users in the answer of a list; undefined for a refusal, and for a list that continues elsewhere. */
  listedIn(response: WireResponse): readonly string[] | undefined {
    if (!isSuccess(response) || isPart(response)) return undefined;
    return this.#conversation.evaluated(response);
  }

  /**
   * Returns a project's list as the state to compare later ones with. Rereads one that contradicts what the run has assigned; if
   * the next one does not, the list was wrong.
   */
  async baseline(
    project: string = this.#conversation.session.target.projects[0],
  ): Promise<readonly string[]> {
    const listed = await this.listed(project);
    if (this.#isAsAssigned(project, listed)) return listed;
    const next = await this.listed(project);
    if (!this.#isAsAssigned(project, next)) return next;
    throw new Blocked(
      'see who is assigned',
      'list.returns-assigned',
      'the next list differs',
      new ConformanceFailure('a list to hold who is assigned', 'a list that the next one contradicts'),
    );
  }

  #isAsAssigned(project: string, listed: readonly string[]): boolean {
    const { target, assignedByRun } = this.#conversation.session;
    const assigned = assignedByRun.assigned.filter((one) => one.project === project).map(({ user }) => user);
    const own = listed.filter((user) => target.users.includes(user));
    return own.length === assigned.length && assigned.every((user) => own.includes(user));
  }

  async #honoured(step: string, call: Omit<ResourceCall, 'token'>): Promise<ResourceAnswer> {
    const { operation } = call;
    const token = await this.accessToken();
    const answer = await this.#conversation.resource(operation, { ...call, token });
    const { response, exchange } = answer;
    if (response === undefined) throw new NotRun(exchange.failure?.message ?? 'no answer');
    const { status } = response;
    if (status === 429 || status === 503) throw new NotRun(`the target answered ${status}`);
    if (isSuccess(response)) return answer;
    throw new Blocked(step, ownerOfRefusal(operation, status), `status ${status}`);
  }

  async lists(): Promise<ReadonlyMap<string, readonly string[]>> {
    const { session } = this.#conversation;
    const lists = new Map<string, readonly string[]>();
    for (const project of session.target.projects) lists.set(project, await this.lastListed(project));
    return lists;
  }

  async baselines(): Promise<ReadonlyMap<string, readonly string[]>> {
    const lists = new Map(await this.lists());
    for (const [project, listed] of lists)
      if (!this.#isAsAssigned(project, listed)) lists.set(project, await this.baseline(project));
    return lists;
  }

  /** Returns a project's current list. Rereads it only after a request that may have changed it. */
  async lastListed(
    project: string = this.#conversation.session.target.projects[0],
  ): Promise<readonly string[]> {
    const c = this.#conversation;
    const seen = c.session.lastLists.of(project)?.response;
    return (seen && c.evaluated(seen)) ?? this.listed(project);
  }

  /**
   * Classifies a list that did not show a change: `stale` if it appears on rereading or, with a clock, minutes later;
   * otherwise `true`, because nothing changed. `unknown` without a clock.
   */
  async staleness(
    shows: (listed: readonly string[]) => boolean,
    project?: string,
  ): Promise<'stale' | 'true' | 'unknown'> {
    if (shows(await this.listed(project))) return 'stale';
    const { clock } = this.#conversation.session.target;
    if (clock === undefined) return 'unknown';
    await clock.advance(STALE);
    return shows(await this.listed(project)) ? 'stale' : 'true';
  }

  async unassigned(user: string, project: string): Promise<void> {
    if (!(await this.lastListed(project)).includes(user)) return;
    const token = await this.accessToken();
    const call = { operation: 'unassign', project, user, token } as const;
    const { response } = await this.#conversation.resource('unassign', call);
    if (!(await this.listed(project)).includes(user)) return;
    const seen = isSuccess(response) ? noEffect('unassign') : undefined;
    throw new Blocked('see a user unassigned', 'unassign.removes-user', 'the user is still listed', seen);
  }

  /** Blocks the check if an ineffective unassign left one of the suite's users assigned. */
  nobodyStaysAssigned(): void {
    const { leftovers } = this.#conversation.session;
    if (leftovers.any)
      throw new Blocked('begin without assigned users', leftovers.owner, stillAssigned(leftovers.users));
  }

  async assigned(users: readonly string[], project: string = this.#conversation.session.target.projects[0]) {
    for (const user of users) await this.#honoured('assign a user', { operation: 'assign', project, user });
    const listed = await this.listed(project);
    const owner = ownerOfAbsence(listed, [], users);
    if (owner === undefined) return;
    const stale = (await this.staleness((l) => users.every((u) => l.includes(u)), project)) === 'stale';
    const seen = stale ? shownLate('assign') : noEffect('assign');
    throw new Blocked('see users assigned', stale ? 'list.fresh' : owner, 'not all of them are listed', seen);
  }

  async freshConsent(): Promise<void> {
    await this.#conversation.session.target.forgetConsent?.();
  }
}

export function noEffect(operation: 'assign' | 'unassign'): ConformanceFailure {
  const [wanted, got] = operation === 'assign' ? ['to hold', 'without'] : ['not to hold', 'with'];
  return new ConformanceFailure(`the list ${wanted} the user after ${operation}`, `a list ${got} the user`);
}

export function shownLate(operation: 'assign' | 'unassign'): ConformanceFailure {
  return new ConformanceFailure(`a list read after ${operation} to show it`, 'the list as it was before');
}

function absentToken(name: 'access_token' | 'refresh_token', got = `a success without ${name}`): Blocked {
  const seen = new ConformanceFailure(`a token response with ${name}`, got);
  return new Blocked('exchange a code', 'exchange.token-response', got, seen);
}

function ownerOfCode(scope: string): RequirementId {
  if (scope === ALL_SCOPES) return 'authorize.redirects-with-code';
  return scope.includes(' ') ? 'authorize.scope-combined' : 'authorize.scope-each';
}
