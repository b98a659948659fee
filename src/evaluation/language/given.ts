import { isPart } from '../../http/answer-body.ts';
import { isSuccess, type WireResponse } from '../../http/exchange.ts';
import { atOnce } from '../../http/traffic.ts';
import { stillAssigned } from '../../service/flow/assigned-by-run.ts';
import { STALE_SECONDS } from '../../service/flow/clean-up.ts';
import { FlowSteps, type GivenPair, orStopped, Stopped } from '../../service/flow/flow-steps.ts';
import {
  Blocked,
  ConformanceFailure,
  noEffect,
  ownerOfAbsence,
  shownLate,
  unreadableListEnd,
} from './outcome.ts';

/**
 * Provides prerequisites that a check does not test. Each method throws `Stopped` or {@link Blocked} with the requirement that
 * owns the failed step, so that one fault fails one requirement.
 */
export class Given extends FlowSteps {
  /** The case that a check of several is in. */
  caseName: string | undefined;

  /** Names the case that begins: a failure has its name. */
  case(name: string): void {
    this.caseName = name;
  }

  /** Returns a pair to refresh for a check about something else; undefined if other requirements cover why there is none. */
  async pairAside(): Promise<GivenPair | undefined> {
    if (!this.mayRefresh) return undefined;
    const { accessToken, refreshToken } = await this.tokens(await this.code());
    return refreshToken === undefined ? undefined : { accessToken, refreshToken };
  }

  async refreshedAtOnce(pairs: readonly GivenPair[]): Promise<readonly GivenPair[]> {
    await this.waitUntilRefreshIsAllowed();
    return atOnce(
      this.target,
      pairs.map((pair) => () => this.refreshedNow(pair)),
    );
  }

  /** Returns a refresh token that may be used now. */
  async refreshTokenNow(): Promise<string> {
    const { refreshToken } = await this.pair();
    await this.waitUntilRefreshIsAllowed();
    return refreshToken;
  }

  /** False if the clock must move before a refresh; anything that lives for seconds has then expired. */
  get refreshesAtOnce(): boolean {
    return this.serviceClient.requestStyle.refreshBeforeExpiry;
  }

  get mayRefresh(): boolean {
    return this.refreshesAtOnce || this.target.clock !== undefined;
  }

  async listed(project: string = this.target.projects[0]): Promise<readonly string[]> {
    const answer = await this.act('list', { project });
    const listed = this.serviceClient.evaluated(answer.response);
    if (listed === undefined) throw unreadableListEnd(answer.response);
    this.session.lastLists.keep(project, answer);
    return listed;
  }

  /** Returns the users in the answer of a list; undefined for a refusal, and for a list that continues elsewhere. */
  listedIn(response: WireResponse): readonly string[] | undefined {
    if (!isSuccess(response) || isPart(response)) return undefined;
    return this.serviceClient.evaluated(response);
  }

  /**
   * Returns a project's list as the state to compare later ones with. Rereads one that contradicts what the run has assigned; if
   * the next one does not, the list was wrong.
   */
  async baseline(project: string = this.target.projects[0]): Promise<readonly string[]> {
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
    const { target, assignedByRun } = this.serviceClient.session;
    const assigned = assignedByRun.assigned.filter((one) => one.project === project).map(({ user }) => user);
    const own = listed.filter((user) => target.users.includes(user));
    return own.length === assigned.length && assigned.every((user) => own.includes(user));
  }

  async lists(): Promise<ReadonlyMap<string, readonly string[]>> {
    const lists = new Map<string, readonly string[]>();
    for (const project of this.target.projects) lists.set(project, await this.lastListed(project));
    return lists;
  }

  async baselines(): Promise<ReadonlyMap<string, readonly string[]>> {
    const lists = new Map(await this.lists());
    for (const [project, listed] of lists)
      if (!this.#isAsAssigned(project, listed)) lists.set(project, await this.baseline(project));
    return lists;
  }

  /** Returns a project's current list. Rereads it only after a request that may have changed it. */
  async lastListed(project: string = this.target.projects[0]): Promise<readonly string[]> {
    const seen = this.session.lastLists.of(project)?.response;
    return (seen && this.serviceClient.evaluated(seen)) ?? this.listed(project);
  }

  /**
   * Classifies a list that did not show a change: `stale` if it appears on rereading, to another token or, with a clock, minutes later;
   * otherwise `true`, because nothing changed. `unknown` without a clock.
   */
  async staleness(
    shows: (listed: readonly string[]) => boolean,
    project?: string,
  ): Promise<'stale' | 'true' | 'unknown'> {
    if (shows(await this.listed(project))) return 'stale';
    if (await this.#showsToAnother(shows, project)) return 'stale';
    const { clock } = this.target;
    if (clock === undefined) return 'unknown';
    await clock.advance(STALE_SECONDS);
    return shows(await this.listed(project)) ? 'stale' : 'true';
  }

  /** True if a list that a new token reads shows the change: then a list is kept for each token. */
  async #showsToAnother(shows: (listed: readonly string[]) => boolean, project?: string): Promise<boolean> {
    const token = await orStopped(this.freshAccessToken());
    if (token instanceof Stopped) return false;
    const { response } = await this.operation('list', { project, token });
    const listed = response && this.listedIn(response);
    return listed !== undefined && shows(listed);
  }

  async unassigned(user: string, project: string): Promise<void> {
    if (!(await this.lastListed(project)).includes(user)) return;
    const { response } = await this.operation('unassign', { project, user });
    if (!(await this.listed(project)).includes(user)) return;
    const seen = isSuccess(response) ? noEffect('unassign') : undefined;
    throw new Blocked('see a user unassigned', 'unassign.removes-user', 'the user is still listed', seen);
  }

  /** Blocks the check if an ineffective unassign left one of the suite's users assigned. */
  nobodyStaysAssigned(): void {
    const { leftovers } = this.serviceClient.session;
    if (leftovers.any)
      throw new Blocked('begin without assigned users', leftovers.owner, stillAssigned(leftovers.users));
  }

  async assigned(users: readonly string[], project: string = this.target.projects[0]) {
    for (const user of users) await this.act('assign', { project, user });
    const listed = await this.listed(project);
    const owner = ownerOfAbsence(listed, [], users);
    if (owner === undefined) return;
    const stale = (await this.staleness((l) => users.every((u) => l.includes(u)), project)) === 'stale';
    const seen = stale ? shownLate('assign') : noEffect('assign');
    throw new Blocked('see users assigned', stale ? 'list.fresh' : owner, 'not all of them are listed', seen);
  }
}
