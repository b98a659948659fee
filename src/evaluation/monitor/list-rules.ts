import type { RequirementId } from '../../../generated/ids.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import { isPart, reportsError } from '../../http/answer-body.ts';
import { type Exchange, headerOf, isSuccess, type WireResponse } from '../../http/exchange.ts';
import type { ExchangeFinding } from '../../report/facts.ts';
import { isBrokenJson, type ListReader, setOf } from '../../service/flow/assigned-list.ts';
import { STEP_OWNER } from '../../service/flow/smoke-steps.ts';
import { blameFor, blameForTwice, blameOnReader, type WrongReader } from './blame.ts';
import type { Channels } from './channels.ts';
import type { MonitorEvent } from './events.ts';
import { type MonitorFindings, PassingPages } from './findings.ts';
import { ListHistory, type TokenReader } from './list-history.ts';
import { OtherUsers } from './other-users.ts';
import type { PendingResource } from './pending-resource.ts';
import {
  type AssignmentChange,
  type DoneChange,
  type ListReading,
  ProjectModel,
  type WrongUser,
} from './projects.ts';
import type { ReadResourceRequest } from './read-request.ts';
import type { RightRequest } from './right-requests.ts';
import type { TokenModel } from './token-model.ts';
import { WrongLists } from './wrong-lists.ts';

/** Users of a project up to which their number is compared. */
const FEW = 8;

/** Evaluates what lists show: the changes before them, the reader, and users who are not the suite's own. */
export class ListRules {
  readonly #model: TokenModel;
  readonly #findings: MonitorFindings;
  readonly #channels: Channels;
  readonly #projects = new Map<string, ProjectModel>();
  readonly #wrong: WrongLists;
  readonly #history = new ListHistory();
  /** Lists by project, token, and their tag or date. */
  readonly #tagged = new Map<string, readonly string[]>();
  /** The last list that shows a user, by project. */
  readonly #shown = new Map<string, WireResponse>();
  /** Right changes in channels that no list has shown yet. */
  #tried: PendingResource[] = [];
  readonly #pages = new PassingPages();
  /** Requirements that explain the lists with a user twice, by project, until a list shows each user once. */
  readonly #twice = new Map<string, RequirementId>();
  readonly #others = new OtherUsers();
  /** The last operation, by project. */
  readonly #last = new Map<string, ReadResourceRequest['operation']>();
  /** Counts the begins and ends of requests. */
  #moment = 0;
  #reader: ListReader | undefined;
  #guesses = false;
  /** Lists from before a reader was known. */
  #unread: readonly (readonly [project: string, by: TokenReader, response: WireResponse | undefined])[] = [];
  /** True once a list with a user was read: until then the position of ids is unknown. */
  #hasRead = false;

  constructor(model: TokenModel, findings: MonitorFindings, channels: Channels) {
    this.#model = model;
    this.#findings = findings;
    this.#channels = channels;
    this.#wrong = new WrongLists(findings);
  }

  readBy({ reader, guesses }: Extract<MonitorEvent, { kind: 'lists-read' }>): void {
    this.#reader = reader ?? this.#reader;
    this.#guesses = guesses;
    if (this.#reader === undefined) return;
    for (const [project, by, response] of this.#unread) {
      const ids = this.idsIn(response);
      if (ids !== undefined) this.#history.keep(project, by, setOf(ids));
    }
    this.#unread = [];
  }

  project(id: string): ProjectModel {
    const known = this.#projects.get(id) ?? new ProjectModel();
    this.#projects.set(id, known);
    return known;
  }

  reset(): void {
    this.#wrong.end();
    for (const project of this.#projects.values()) project.reset();
  }

  /** @returns the moment at which the request began */
  begin({ operation, project }: ReadResourceRequest): number {
    if (operation !== 'list' && operation !== 'head') this.#wrong.settle(project);
    this.project(project).begin();
    return this.#moment++;
  }

  /** The last list of a project that shows a user. */
  shownIn(project: string): WireResponse | undefined {
    return this.#shown.get(project);
  }

  endLook(
    { request: { project }, at }: PendingResource,
    exchange: Exchange,
    during: string | undefined,
  ): void {
    this.#takeWrong(project, this.project(project).end(undefined), exchange, during, at);
  }

  /** Notes a channel as honoured: by a list in it at once, by a change with the list that shows it. */
  tryChannel(pending: PendingResource, response: WireResponse | undefined): void {
    const { channel, operation } = pending.request;
    if (channel === undefined || !this.#surelyLives(pending) || !isSuccess(response)) return;
    if (operation !== 'list') this.#tried.push(pending);
    else if (this.idsIn(response)?.some((id) => this.#model.isOwnUser(id)))
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

  #surelyLives({ pair, at }: PendingResource): boolean {
    return pair !== undefined && this.#model.stateOf(pair, at) === 'live';
  }

  endReading(pending: PendingResource, exchange: Exchange, during: string | undefined): void {
    const { request, refusals } = pending;
    const broken = this.#findings.of(exchange, during);
    const project = this.project(request.project);
    const reader = { token: JSON.stringify(request.token), family: pending.pair?.family };
    const isRight = refusals.length === 0 && request.plain;
    if (isRight && this.#reader === undefined)
      this.#unread = [...this.#unread, [request.project, reader, exchange.response]];
    const shown = isRight ? this.#shownBy(request, exchange) : undefined;
    // An empty list for a possibly dead token may be a refusal.
    const ids = shown?.length === 0 && !this.#surelyLives(pending) ? undefined : shown;
    if (ids === undefined) {
      const { response } = exchange;
      const unreadable =
        shown === undefined &&
        pending.promised &&
        isSuccess(response) &&
        this.#hasRead &&
        !this.#guesses &&
        !isPart(response);
      const hasAccept = headerOf(exchange.request, 'accept') !== undefined;
      const withoutAccept = hasAccept ? '' : ' for a request without `Accept`';
      if (unreadable && !this.#pages.tolerates('list', response))
        broken(
          'list.returns-assigned',
          'unreadable',
          'a list',
          `${isBrokenJson(response) ? 'JSON that is broken off' : 'a body without ids'}${withoutAccept}`,
        );
      this.#takeWrong(request.project, project.end(undefined), exchange, during, pending.at);
      return;
    }
    this.#hasRead ||= ids.length > 0;
    this.#last.set(request.project, request.operation);
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
    this.#channelsShownBy(request.project, reading.ids);
    for (const other of this.#wrong.compare(request.project, reading.ids, reader.token)) project.trust(other);
    const wrong = project.end(reading);
    const how = this.#history.shows(request.project, reader, reading.ids, pending.at);
    if (project.busy) {
      this.#history.keep(request.project, reader, reading.ids);
      return;
    }
    this.#countExamples(request.project, since);
    this.#compareEffects(request.project, since, reading.ids);
    if (this.#model.target.isLive) {
      const areListed = ids.some((id) => !this.#model.isOwnUser(id));
      this.#others.listed(since, wrong.filter(this.#isOther), areListed, { during, exchanges: [exchange] });
    }
    if (wrong.length === 0) {
      project.ignore();
      this.#history.right(request.project, reader, pending.at);
    }
    this.#takeWrong(request.project, wrong, exchange, during, pending.at, { ...how, token: reader.token });
    this.#history.keep(request.project, reader, reading.ids);
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

  #compareEffects(project: string, since: readonly AssignmentChange[], ids: ReadonlySet<string>): void {
    const last = new Map(since.filter((one) => one.project === project).map((one) => [one.user, one]));
    for (const { operation, user = '', right } of last.values()) {
      if (right === undefined || operation === 'other') continue;
      const isShown = ids.has(user) === (operation === 'assign');
      this.#findings.right.answered(right, isShown ? undefined : STEP_OWNER[operation]);
    }
  }

  #effectOf(
    { request, pair, at, overlapped, met }: PendingResource,
    { request: wire, response }: Exchange,
  ): RightRequest | undefined {
    const { operation, project, user = '' } = request;
    if (pair === undefined) return undefined;
    const model = this.project(project);
    const [last, count, before] = [model.lastDoneTo(user), model.assignedUpTo(FEW), this.#last.get(project)];
    const isAlone = count === Number(model.isAssigned(user));
    return {
      is: `the effect of ${operation}`,
      traits: () => [
        ...(isAlone ? ['no other user assigned to the project'] : []),
        ...this.#model.traitsOfCall(request, pair, wire),
        ...Array.from({ length: count }, (_, index) => `${index + 1} users or more assigned before it`),
        ...(last === undefined ? ['a user who was never changed before'] : traitsOfChange(last, at)),
        `${before} as the project's request before it`,
        ...(overlapped || met ? ['another change under way'] : []),
      ],
      credential: { issuedAt: pair.issuedAt },
      at,
      connection: response?.connection,
    };
  }

  endChange(pending: PendingResource, exchange: Exchange, answered: boolean): void {
    const { request, refusals } = pending;
    const { response } = exchange;
    const named = this.#model.isOwnUser(request.user);
    const lawful = refusals.length === 0 && request.plain && this.#model.isOwnProject(request.project);
    const ofUser = named ? 'lawful' : 'resource.odd-ids-contained';
    const known = lawful && named && !request.channel && this.#surelyLives(pending);
    const change: AssignmentChange = {
      operation: request.operation === 'list' || request.operation === 'head' ? 'other' : request.operation,
      project: request.project,
      user: request.user,
      // The status and the body of an answer may contradict each other: the next list decides.
      effect: effectOf(pending, answered, isSuccess(response), known && !reportsError(response)),
      blame: refusals[0] ?? (lawful ? ofUser : undefined),
      // Of several concurrent ones, each may be the first.
      redundant:
        !pending.overlapped &&
        pending.before.size === 1 &&
        pending.before.has(request.operation === 'assign'),
      channel: request.channel,
      right: known && isSuccess(response) ? this.#effectOf(pending, exchange) : undefined,
      at: pending.at,
      begun: pending.begun,
      ended: this.#moment++,
    };
    for (const [id, project] of this.#projects) project.remember(change, id === request.project);
    this.#history.changed(request.project);
    this.#last.set(request.project, request.operation);
    const project = this.project(request.project);
    this.#takeWrong(request.project, project.end(change), exchange, undefined, pending.at);
  }

  #takeWrong(
    project: string,
    wrong: readonly WrongUser[],
    exchange: Exchange,
    during: string | undefined,
    at: number,
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
      const onReader =
        reader && blameOnReader(one, reader, model.lastDoneTo(one.user)?.operation, isElsewhere);
      // A lifetime has passed since the user was listed: no change after it need be the cause.
      const isAged = !one.listed && at - (this.#history.lastRight(project) ?? at) > LIFETIME;
      const aged = isAged ? 'list.returns-assigned' : undefined;
      const lasting = model.since.length === 0 ? onReader : undefined;
      this.#wrong.add(project, {
        wrong: one,
        blame: ofAnother ?? lasting ?? aged ?? blameFor(one, project, model.since, isElsewhere),
        // A list that was never shown before is not stale, only wrong.
        once: ofAnother ?? (reader?.shownBefore ? 'list.fresh' : 'list.returns-assigned'),
        // A right list for another reader shows that reading changed nothing.
        ofReader: ofAnother ?? (onReader === 'list.safe' ? undefined : onReader) ?? 'list.returns-assigned',
        token: reader?.token,
        channel: model.since.findLast((change) => change.user === one.user)?.channel,
        exchange,
        during,
      });
      model.trust(one);
    }
    model.ignore();
  }

  readonly #isOther = ({ user }: WrongUser): boolean =>
    this.#model.target.isLive && !this.#model.isOwnUser(user);

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

  /** Projects whose last list was wrong. */
  get inDoubt(): readonly string[] {
    return this.#wrong.projects;
  }

  end(): void {
    this.#wrong.end();
  }

  /** The finding of the whole run about other people's users. */
  get ofOthers(): readonly ExchangeFinding[] {
    const { finding } = this.#others;
    return finding === undefined ? [] : [finding];
  }

  /** Returns the ids in a list; for an unchanged list, those of the tagged one (RFC 9110 section 13.1.2). */
  #shownBy(
    { project, token, unless, since }: ReadResourceRequest,
    exchange: Exchange,
  ): readonly string[] | undefined {
    const { response } = exchange;
    if (response === undefined || typeof token === 'string') return this.idsIn(response);
    const key = (tag: string) => JSON.stringify([project, token.value, tag]);
    if (response.status === 304) return this.#tagged.get(key(unless ?? since ?? ''));
    const ids = this.idsIn(response);
    if (ids === undefined) return undefined;
    for (const shown of [headerOf(response, 'etag'), surelyOldDateOf(response)])
      if (shown !== undefined) this.#tagged.set(key(shown), ids);
    if (ids.length > 0) this.#shown.set(project, response);
    return ids;
  }

  idsIn(response: WireResponse | undefined): readonly string[] | undefined {
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

function repeatedIn(ids: readonly string[]): string | undefined {
  if (setOf(ids).size === ids.length) return undefined;
  const seen = new Set<string>();
  return ids.find((id) => seen.has(id) || !seen.add(id));
}

/** Seconds between two changes of one user that are compared. */
const SOON = [60, 30, 10, 5, 2, 1];

function traitsOfChange(last: DoneChange, at: number): readonly string[] {
  const name = `a user whose last change was ${last.operation}`;
  const soon = SOON.filter((seconds) => at - last.at < seconds);
  // Of traits that tell alike, the first is named.
  return [name, ...soon.map((seconds) => `${name}, less than ${seconds} s before`)];
}
