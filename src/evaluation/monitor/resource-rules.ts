import type { RequirementId } from '../../../generated/ids.ts';
import { isPart, tellsError } from '../../http/answer-body.ts';
import { type Exchange, headerOf, isSuccess, type WireResponse } from '../../http/exchange.ts';
import { type ListReader, setOf } from '../../service/flow/assigned-list.ts';
import type { Operation } from '../../service/flow/request-style.ts';
import { STEP_OWNER } from '../../service/flow/smoke-steps.ts';
import { blameFor, blameForTwice, blameOnReader, type WrongReader } from './blame.ts';
import type { Channels } from './channels.ts';
import type { MonitorEvent } from './events.ts';
import {
  type Broken,
  type MonitorFinding,
  type MonitorFindings,
  PassingPages,
  ServerErrors,
} from './findings.ts';
import { ListHistory } from './list-history.ts';
import { Meetings } from './meetings.ts';
import { nearestTo } from './members.ts';
import type { KnownPair, Model } from './model.ts';
import { OtherUsers } from './other-users.ts';
import { type AssignmentChange, type ListReading, ProjectModel, type WrongUser } from './projects.ts';
import { EVERY_SCOPE, type ReadResourceRequest, readResourceRequest } from './read-request.ts';

/** Seconds after which a refused token most likely expired too early. */
const SHORT_LIFE = 60;

export interface PendingResource {
  readonly request: ReadResourceRequest;
  readonly at: number;
  readonly begun: number;
  readonly pair: KnownPair | undefined;
  readonly refusals: readonly RequirementId[];
  /** The request must succeed: its token is live, has all three scopes, and was presented in a way that worked before. */
  readonly promised: boolean;
  readonly stakes: readonly string[];
  readonly before: ReadonlySet<boolean>;
  /** Another request about the same user was in progress. */
  overlapped: boolean;
  /** Another change of the project was in progress: a refusal may be a conflict with it (RFC 9110 section 15.5.10). */
  met: boolean;
}

/** A wrong list, until the next one shows if it was only outdated. */
interface Uncertainty {
  readonly wrong: WrongUser;
  readonly blame: RequirementId;
  readonly exchange: Exchange;
  readonly during: string | undefined;
  /** Requirement that is violated if the same reader's next list is right. */
  readonly once: RequirementId;
  /** Requirement that is violated if another reader's list is right. */
  readonly ofReader: RequirementId;
  readonly token: string | undefined;
  /** Of the change that the wrong list shows. */
  readonly channel: string | undefined;
}

export class ResourceRules {
  readonly #model: Model;
  readonly #findings: MonitorFindings;
  readonly #projects = new Map<string, ProjectModel>();
  readonly #uncertainties = new Map<string, Uncertainty[]>();
  readonly #lists = new ListHistory();
  readonly #underWay = new Map<string, Set<PendingResource>>();
  /** Lists by project, token, and their tag or date. */
  readonly #tagged = new Map<string, readonly string[]>();
  /** The last list that shows a user, by project. */
  readonly #shown = new Map<string, WireResponse>();
  /** A list without a right token is refused with 2xx. */
  #refusesAsSuccess = false;
  readonly #serverErrors = new ServerErrors();
  readonly #meetings = new Meetings();
  readonly #channels: Channels;
  /** Right changes in channels that no list has shown yet. */
  #tried: PendingResource[] = [];
  readonly #pages = new PassingPages();
  /** Requirements that explain the lists with a user twice, by project, until a list shows each user once. */
  readonly #twice = new Map<string, RequirementId>();
  /** Operations that succeeded with a token of all three scopes from an exchange, not a refresh. */
  readonly #granted = new Set<ReadResourceRequest['operation']>();
  readonly #others = new OtherUsers();
  #moment = 0;
  #reader: ListReader | undefined;
  #guesses = false;
  /** True once a list with a user was read: until then the position of ids is unknown. */
  #hasRead = false;

  constructor(model: Model, findings: MonitorFindings, channels: Channels) {
    this.#model = model;
    this.#findings = findings;
    this.#channels = channels;
  }

  readBy({ reader, guesses }: Extract<MonitorEvent, { kind: 'lists-read' }>): void {
    this.#reader = reader ?? this.#reader;
    this.#guesses = guesses;
  }

  project(id: string): ProjectModel {
    const known = this.#projects.get(id) ?? new ProjectModel();
    this.#projects.set(id, known);
    return known;
  }

  reset(): void {
    this.#settleUncertainties();
    for (const project of this.#projects.values()) project.reset();
  }

  sent(exchange: Exchange, at: number, channel?: string): PendingResource | undefined {
    const read = readResourceRequest(exchange.request, this.#model.target.baseUrl);
    if (read === undefined) return undefined;
    const request = channel === undefined ? read : this.#channels.read(read, channel);
    const { token, operation } = request;
    const pair = typeof token === 'string' ? undefined : this.#model.byAccess.get(token.value);
    if (pair?.replaced !== undefined) pair.replaced.successorUsed = true;
    const refusals = request.plain && operation !== 'other' ? this.#refusals(request, pair, at) : [];
    const project = this.project(request.project);
    if (operation !== 'list' && operation !== 'look') this.#settle(request.project);
    const pending: PendingResource = {
      request,
      at,
      begun: this.#moment++,
      pair,
      refusals,
      promised:
        refusals.length === 0 && this.#isUsual(request, exchange) && this.#promised(request, pair, at),
      stakes: this.#model.tokensThatMayChange(pair?.family),
      before: project.valuesOf(request.user ?? ''),
      overlapped: false,
      met: false,
    };
    project.begin();
    const others = this.#underWay.get(request.project) ?? new Set();
    this.#underWay.set(request.project, others);
    for (const other of others)
      if (other.request.user === request.user) other.overlapped = pending.overlapped = true;
    // A service may make one change at a time, whatever its project.
    if (isChange(pending))
      for (const all of this.#underWay.values())
        for (const other of all) if (isChange(other)) other.met = pending.met = true;
    others.add(pending);
    this.#meetings.sent();
    return pending;
  }

  #refusals(request: ReadResourceRequest, pair: KnownPair | undefined, at: number): readonly RequirementId[] {
    const { target } = this.#model;
    const operation = request.operation === 'look' ? 'list' : (request.operation as Operation);
    const found: RequirementId[] = [];
    const byToken = this.#tokenRefusal(operation, request.token, pair, at);
    if (byToken !== undefined) found.push(byToken);
    if (target.unknownProjects.includes(request.project)) found.push(`${operation}.unknown-project-refused`);
    if (operation !== 'list' && target.unknownUsers.includes(request.user ?? ''))
      found.push(`${operation}.unknown-user-refused`);
    return found;
  }

  #tokenRefusal(
    operation: Operation,
    token: ReadResourceRequest['token'],
    pair: KnownPair | undefined,
    at: number,
  ): RequirementId | undefined {
    if (token === 'several') return undefined;
    if (token === 'none' || token.value === '') return `${operation}.token-required`;
    if (pair !== undefined)
      return this.#model.stateOf(pair, at) === 'dead' ? 'lifetime.dead-after-7200' : undefined;
    const { byRefresh, codes, byAccess } = this.#model;
    const isOther = byRefresh.has(token.value) || codes.has(token.value);
    if (isOther && operation === 'list') return 'list.refresh-token-is-no-access-token';
    if (!isOther && nearestTo(token.value, byAccess.keys()) !== undefined) return undefined;
    return `${operation}.token-invalid-refused`;
  }

  #isUsual(request: ReadResourceRequest, { request: { body } }: Exchange): boolean {
    if (request.otherwise) return false;
    const inForm = typeof request.token === 'object' && request.token.how.startsWith('form');
    return body === undefined || inForm || this.#model.target.usualBodies.includes(body);
  }

  #promised(request: ReadResourceRequest, pair: KnownPair | undefined, at: number): boolean {
    const { presentations } = this.#model;
    const { operation } = request;
    if (!request.plain || operation === 'other' || operation === 'look') return false;
    if (typeof request.token === 'string') return false;
    if (pair === undefined || this.#model.stateOf(pair, at) !== 'live' || pair.scope !== EVERY_SCOPE)
      return false;
    if (!presentations.has(`${request.operation} ${request.token.how}`)) return false;
    if (!this.#isOwnProject(request.project)) return false;
    return request.operation === 'list' || this.#isOwnUser(request.user);
  }

  answered(pending: PendingResource, exchange: Exchange, during: string | undefined): void {
    const { request } = pending;
    const { response } = exchange;
    this.#underWay.get(request.project)?.delete(pending);
    this.#meetings.answered(pending.promised ? request.operation : undefined, exchange);
    const broken = this.#findings.of(exchange, during, request.channel);
    if (request.operation === 'look') {
      this.#evaluateLook(pending, response, broken);
      this.#takeWrong(request.project, this.project(request.project).end(undefined), exchange, during);
      return;
    }
    this.#tryChannel(pending, response);
    const answered = response !== undefined && response.status !== 429 && response.status < 500;
    if (answered) this.#evaluateStatus(pending, response, broken);
    else if (pending.promised) {
      const operation = request.operation as Operation;
      const owners = ['resource.no-5xx', STEP_OWNER[operation]] as const;
      this.#serverErrors.evaluate(operationKey(request), response, operation, owners, broken);
    }
    if (request.operation === 'list') this.#endReading(pending, exchange, during);
    else this.#endChange(pending, exchange, answered);
  }

  /** The answer to a wrong HEAD may be no refusal of its own; that of the list shows that the service did not look at the token. */
  #evaluateLook(
    { request, refusals }: PendingResource,
    response: WireResponse | undefined,
    broken: Broken,
  ): void {
    const list = this.#shown.get(request.project);
    if (!isSuccess(response) || list === undefined || this.#refusesAsSuccess) return;
    const tag = headerOf(list, 'etag');
    const isList =
      tag === undefined
        ? headerOf(response, 'content-length') === String(list.bytes)
        : headerOf(response, 'etag') === tag;
    if (isList)
      for (const id of refusals) broken(id, 'HEAD', 'HEAD to be refused', 'the headers of the list');
  }

  /** Notes a channel as honoured: by a list in it at once, by a change with the list that shows it. */
  #tryChannel(pending: PendingResource, response: WireResponse | undefined): void {
    const { channel, operation } = pending.request;
    if (channel === undefined || !this.#surelyLives(pending) || !isSuccess(response)) return;
    if (operation !== 'list') this.#tried.push(pending);
    else if (this.#idsIn(response)?.some((id) => this.#isOwnUser(id)))
      this.#channels.honoured(channel, operation);
  }

  #channelsShownBy(project: string, ids: ReadonlySet<string>): void {
    const about = this.#tried.filter(({ request }) => request.project === project);
    for (const { request, before } of about) {
      const { channel, operation, user = '' } = request;
      const assigned = operation === 'assign';
      if (before.size === 1 && before.has(!assigned) && ids.has(user) === assigned)
        this.#channels.honoured(channel, operation);
    }
    this.#tried = this.#tried.filter((one) => !about.includes(one));
  }

  #evaluateStatus(pending: PendingResource, response: WireResponse, broken: Broken): void {
    const { request, refusals, pair } = pending;
    const operation = request.operation as Operation;
    const success = isSuccess(response);
    const [only, ...more] = refusals;
    if (only !== undefined) {
      const nobody = operation === 'list' && this.project(request.project).assigned.length === 0;
      const ids = success && operation === 'list' ? this.#idsIn(response) : undefined;
      const lists = (ids?.length ?? 0) > 0;
      this.#refusesAsSuccess ||= operation === 'list' && pair === undefined && success && !lists;
      if (operation === 'list' && (!nobody || refusals.some((id) => id.includes('unknown')))) {
        if (more.length === 0) this.#findings.example(only);
        if (lists) for (const id of refusals) broken(id, 'refusal', 'no user listed', 'a list');
      }
      if (nobody || lists || request.channel !== undefined) return;
      this.#findings.example('resource.failure-status');
      if (success)
        broken('resource.failure-status', 'success', 'a refusal (4xx)', `status ${response.status}`);
      return;
    }
    if (success && pair !== undefined && typeof request.token === 'object' && request.plain) {
      this.#model.presentations.add(`${operation} ${request.token.how}`);
      if (!tellsError(response)) this.#model.survives(pending.stakes);
      if (pair.generation === 0 && pair.scope === EVERY_SCOPE) this.#granted.add(operation);
    }
    if (success && isChange(pending) && request.plain && !request.channel && tellsError(response))
      broken(
        'resource.failure-status',
        'error',
        'a refusal (4xx), or no error in the body',
        `status ${response.status} with an error in the body`,
      );
    if (success) this.#serverErrors.forget(operationKey(request));
    if (!pending.promised || pair === undefined) return;
    // The token's state may have changed while the answer was in transit.
    if (this.#model.stateOf(pair, pending.at) !== 'live') return;
    const changes =
      operation === 'list' ||
      (!pending.overlapped && pending.before.size === 1 && pending.before.has(operation === 'unassign'));
    if (!changes || (pending.met && response.status === 409)) return;
    if (request.noLength && response.status === 411) return;
    const ofToken = tokenOwner(pair, pending.at);
    const owner = STEP_OWNER[operation];
    this.#findings.example(ofToken, 'scope.granted-scopes-act', owner, 'resource.no-5xx');
    if (success) return;
    const { status } = response;
    const otherwise = status === 403 ? this.#scopeOwner(pair, operation) : owner;
    const id = status === 401 ? ofToken : otherwise;
    broken(id, 'refused', `${operation} to be honoured`, `status ${status}`);
  }

  /** Blames the refresh for lost scopes only if the scopes sufficed before it. */
  #scopeOwner(pair: KnownPair, operation: ReadResourceRequest['operation']): RequirementId {
    const lost = pair.generation > 0 && this.#granted.has(operation);
    return lost ? 'refresh.new-token-acts' : 'scope.granted-scopes-act';
  }

  #surelyLives({ pair, at }: PendingResource): boolean {
    return pair !== undefined && this.#model.stateOf(pair, at) === 'live';
  }

  #endReading(pending: PendingResource, exchange: Exchange, during: string | undefined): void {
    const { request, refusals } = pending;
    const broken = this.#findings.of(exchange, during);
    const project = this.project(request.project);
    const shown = refusals.length === 0 && request.plain ? this.#shownBy(request, exchange) : undefined;
    // An empty list for a possibly dead token may be a refusal.
    const ids = shown?.length === 0 && !this.#surelyLives(pending) ? undefined : shown;
    if (ids === undefined) {
      const { response } = exchange;
      const unreadable =
        pending.promised && isSuccess(response) && this.#hasRead && !this.#guesses && !isPart(response);
      if (unreadable && !this.#pages.tolerates('list', response))
        broken('list.returns-assigned', 'unreadable', 'a list', 'a body without ids');
      this.#takeWrong(request.project, project.end(undefined), exchange, during);
      return;
    }
    this.#hasRead ||= ids.length > 0;
    this.#pages.tolerates('list', exchange.response);
    const { since } = project;
    const reading: ListReading = { ids: setOf(ids), begun: pending.begun, ended: this.#moment++ };
    this.#findings.example('list.returns-assigned', 'list.project-scoped');
    const twice = repeatedIn(ids);
    if (twice === undefined) this.#twice.delete(request.project);
    else {
      const id = this.#twice.get(request.project) ?? blameForTwice(twice, request.project, since);
      this.#twice.set(request.project, id);
      broken(id, 'listed twice', 'each user once', 'a user twice');
    }
    const reader = { token: JSON.stringify(request.token), family: pending.pair?.family };
    this.#channelsShownBy(request.project, reading.ids);
    this.#solveDoubts(request.project, reading.ids, reader.token);
    const wrong = project.end(reading);
    const how = this.#lists.shows(request.project, reader, reading.ids, pending.at);
    if (project.busy) {
      this.#lists.keep(request.project, reader, reading.ids);
      return;
    }
    this.#countExamples(request.project, since);
    if (this.#model.target.shared) {
      const areListed = ids.some((id) => !this.#isOwnUser(id));
      this.#others.listed(since, wrong.filter(this.#isOther), areListed, { during, exchanges: [exchange] });
    }
    if (wrong.length === 0) {
      project.ignore();
      this.#lists.right(request.project, reader, pending.at);
    }
    this.#takeWrong(request.project, wrong, exchange, during, { ...how, token: reader.token });
    this.#lists.keep(request.project, reader, reading.ids);
  }

  #countExamples(project: string, since: readonly AssignmentChange[]): void {
    if (since.length > 0) this.#findings.example('list.fresh');
    else this.#findings.example('list.safe');
    for (const { project: at, operation, blame, effect, redundant } of since) {
      if (operation === 'other') continue;
      if (blame !== 'lawful') {
        if (blame !== undefined) this.#findings.example(blame);
      } else if (at !== project) this.#findings.example(`${operation}.project-scoped`);
      else {
        if (redundant) this.#findings.example(`${operation}.idempotent`);
        else if (effect === 'done') this.#findings.example(STEP_OWNER[operation]);
        this.#findings.example(`${operation}.leaves-others`);
      }
    }
  }

  #endChange(pending: PendingResource, exchange: Exchange, answered: boolean): void {
    const { request, refusals } = pending;
    const { response } = exchange;
    const named = this.#isOwnUser(request.user);
    const lawful = refusals.length === 0 && request.plain && this.#isOwnProject(request.project);
    const ofUser = named ? 'lawful' : 'resource.odd-ids-contained';
    const known = lawful && named && !request.channel && this.#surelyLives(pending);
    const change: AssignmentChange = {
      operation: request.operation === 'list' || request.operation === 'look' ? 'other' : request.operation,
      project: request.project,
      user: request.user,
      // The status and the body of an answer may contradict each other: the next list decides.
      effect: effectOf(pending, answered, isSuccess(response), known && !tellsError(response)),
      blame: refusals[0] ?? (lawful ? ofUser : undefined),
      // Of several concurrent ones, each may be the first.
      redundant:
        !pending.overlapped &&
        pending.before.size === 1 &&
        pending.before.has(request.operation === 'assign'),
      channel: request.channel,
      begun: pending.begun,
      ended: this.#moment++,
    };
    for (const [id, project] of this.#projects) project.remember(change, id === request.project);
    this.#lists.changed(request.project);
    const project = this.project(request.project);
    this.#takeWrong(request.project, project.end(change), exchange, undefined);
  }

  #takeWrong(
    project: string,
    wrong: readonly WrongUser[],
    exchange: Exchange,
    during: string | undefined,
    reader?: WrongReader & { readonly token: string },
  ): void {
    if (wrong.length === 0) return;
    const model = this.project(project);
    const ofAnother = reader !== undefined && this.#isOfAnother(project) ? 'list.project-scoped' : undefined;
    for (const one of wrong) {
      if (this.#isOther(one)) {
        model.trust(one);
        continue;
      }
      const isElsewhere = this.#isElsewhere(one, project);
      const onReader = reader && blameOnReader(one, reader, model.lastDoneTo(one.user), isElsewhere);
      const lasting = model.since.length === 0 ? onReader : undefined;
      const uncertainty: Uncertainty = {
        wrong: one,
        blame: ofAnother ?? lasting ?? blameFor(one, project, model.since, isElsewhere),
        // A list that was never shown before is not stale, only wrong.
        once: ofAnother ?? (reader?.shownBefore ? 'list.fresh' : 'list.returns-assigned'),
        // A right list for another reader shows that reading changed nothing.
        ofReader: ofAnother ?? (onReader === 'list.safe' ? undefined : onReader) ?? 'list.returns-assigned',
        token: reader?.token,
        channel: model.since.findLast((change) => change.user === one.user)?.channel,
        exchange,
        during,
      };
      model.trust(one);
      const uncertainties = this.#uncertainties.get(project) ?? [];
      uncertainties.push(uncertainty);
      this.#uncertainties.set(project, uncertainties);
    }
    model.ignore();
  }

  readonly #isOther = ({ user }: WrongUser): boolean => this.#model.target.shared && !this.#isOwnUser(user);

  #isOwnUser(user: string | undefined): boolean {
    const { users, lock } = this.#model.target;
    return user !== undefined && (users.includes(user) || user === lock?.user);
  }

  #isOwnProject(project: string): boolean {
    const { projects, lock } = this.#model.target;
    return projects.includes(project) || project === lock?.project;
  }

  #isElsewhere({ user }: WrongUser, project: string): boolean {
    return [...this.#projects].some(([id, other]) => id !== project && other.isAssigned(user));
  }

  #isOfAnother(project: string): boolean {
    const { since, readings, assigned } = this.project(project);
    const lists = [...readings, ...(since.length === 0 ? [new Set(assigned)] : [])];
    // After a change, a single user may have been changed in both projects.
    const fewest = since.length === 0 ? 1 : 2;
    return [...this.#projects].some(
      ([id, other]) => id !== project && lists.some((list) => list.size >= fewest && other.isExactly(list)),
    );
  }

  get inDoubt(): readonly string[] {
    return [...this.#uncertainties.keys()];
  }

  /** Uses a repeated list, with no change in between, to tell an outdated list from a wrong one. */
  #solveDoubts(project: string, ids: ReadonlySet<string>, token: string): void {
    for (const uncertainty of this.#uncertainties.get(project) ?? []) {
      const { user, listed } = uncertainty.wrong;
      const changed = ids.has(user) !== listed;
      if (!changed) this.#tell(uncertainty, uncertainty.blame, false);
      else if (uncertainty.token === token) this.#tell(uncertainty, uncertainty.once, true);
      else this.#tell(uncertainty, uncertainty.ofReader, false);
      if (changed) this.project(project).trust({ user, listed: !listed });
    }
    this.#uncertainties.delete(project);
  }

  #settle(project: string): void {
    for (const uncertainty of this.#uncertainties.get(project) ?? [])
      this.#tell(uncertainty, unread(uncertainty.blame), false);
    this.#uncertainties.delete(project);
  }

  /** Evaluates what no later list can explain any more, and what the whole run shows. */
  end(): void {
    this.#settleUncertainties();
    this.#findings.meetings(this.#meetings, (step) => STEP_OWNER[step as Operation]);
  }

  #settleUncertainties(): void {
    for (const project of [...this.#uncertainties.keys()]) this.#settle(project);
  }

  /** The finding of the whole run about other people's users. */
  get ofOthers(): readonly MonitorFinding[] {
    const { finding } = this.#others;
    return finding === undefined ? [] : [finding];
  }

  /** @param once true if the next list was right */
  #tell({ wrong, exchange, during, channel }: Uncertainty, id: RequirementId, once: boolean): void {
    const [expected, got] = wrong.listed
      ? ['no user listed who is not assigned', 'a list with such a user']
      : ['every assigned user listed', 'a list without one of them'];
    const kind = wrong.listed ? 'listed' : 'absent';
    this.#findings.of(exchange, during, channel)(id, once ? `${kind} once` : kind, expected, got);
  }

  /** Returns the ids in a list; for an unchanged list, those of the tagged one (RFC 9110 section 13.1.2). */
  #shownBy(
    { project, token, unless, since }: ReadResourceRequest,
    exchange: Exchange,
  ): readonly string[] | undefined {
    const { response } = exchange;
    if (response === undefined || typeof token === 'string') return this.#idsIn(response);
    const key = (tag: string) => JSON.stringify([project, token.value, tag]);
    if (response.status === 304) return this.#tagged.get(key(unless ?? since ?? ''));
    const ids = this.#idsIn(response);
    if (ids === undefined) return undefined;
    for (const shown of [headerOf(response, 'etag'), surelyOldDateOf(response)])
      if (shown !== undefined) this.#tagged.set(key(shown), ids);
    if (ids.length > 0) this.#shown.set(project, response);
    return ids;
  }

  #idsIn(response: WireResponse | undefined): readonly string[] | undefined {
    return isSuccess(response) && !isPart(response) ? this.#reader?.(response) : undefined;
  }
}

/** Milliseconds between two dates that differ, however a service rounds to seconds. */
const SURELY_APART_MS = 2_000;

/** Returns the date of the last change if each later one has another (RFC 9110 section 8.8.2.2). */
function surelyOldDateOf(response: WireResponse): string | undefined {
  const [changed = '', answered = ''] = ['last-modified', 'date'].map((name) => headerOf(response, name));
  return Date.parse(answered) - Date.parse(changed) >= SURELY_APART_MS ? changed : undefined;
}

function tokenOwner(pair: KnownPair, at: number): RequirementId {
  const late = at - pair.issuedAt > SHORT_LIFE;
  if (pair.generation === 0) return late ? 'lifetime.alive-until-7200' : 'exchange.token-acts';
  return late ? 'lifetime.refreshed-full' : 'refresh.new-token-acts';
}

function effectOf(
  { request, refusals }: PendingResource,
  answered: boolean,
  success: boolean,
  known: boolean,
): AssignmentChange['effect'] {
  // A refusal has no effect; if it has one, the next list shows it.
  if (answered && refusals.length > 0) return 'none';
  if (!answered) return 'maybe';
  if (!success) return request.operation === 'other' ? 'maybe' : 'none';
  return known ? 'done' : 'maybe';
}

/** Needed because only a second list shows that reading changed something. */
function unread(blame: RequirementId): RequirementId {
  return blame === 'list.safe' ? 'list.returns-assigned' : blame;
}

function operationKey({ operation, project, user }: ReadResourceRequest): string {
  return JSON.stringify([operation, project, user]);
}

function isChange({ request }: PendingResource): boolean {
  return request.operation !== 'list' && request.operation !== 'look';
}

function repeatedIn(ids: readonly string[]): string | undefined {
  if (setOf(ids).size === ids.length) return undefined;
  const seen = new Set<string>();
  return ids.find((id) => seen.has(id) || !seen.add(id));
}
