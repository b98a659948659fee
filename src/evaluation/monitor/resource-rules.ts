import type { RequirementId } from '../../../generated/ids.ts';
import { reportsError } from '../../http/answer-body.ts';
import { type Exchange, headerOf, isSuccess, type WireResponse } from '../../http/exchange.ts';
import type { Operation } from '../../service/flow/requests.ts';
import { STEP_OWNER } from '../../service/flow/smoke-steps.ts';
import type { Channels } from './channels.ts';
import { ConcurrentErrors } from './concurrent-errors.ts';
import { type Broken, type MonitorFindings, ServerErrors } from './findings.ts';
import type { ListRules } from './list-rules.ts';
import { nearestTo } from './members.ts';
import { isChange, type PendingResource } from './pending-resource.ts';
import { type ReadResourceRequest, readResourceRequest, SORTED_SCOPES } from './read-request.ts';
import type { KnownPair, TokenModel } from './token-model.ts';

/** Seconds after which a refused token most likely expired too early. */
const SHORT_LIFE = 60;

/** Evaluates the answers to assign, unassign and list requests by their token, project and user; {@link ListRules} what lists show. */
export class ResourceRules {
  readonly #model: TokenModel;
  readonly #findings: MonitorFindings;
  readonly #lists: ListRules;
  readonly #underWay = new Map<string, Set<PendingResource>>();
  /** A list without a right token is refused with 2xx. */
  #refusesAsSuccess = false;
  readonly #serverErrors = new ServerErrors();
  readonly #meetings = new ConcurrentErrors();
  readonly #channels: Channels;
  /** The token of the first call on each connection: some services take the connection for that token's user. */
  readonly #firstOn = new WeakMap<object, string>();
  /** Operations that succeeded with a token of all three scopes from an exchange, not a refresh. */
  readonly #granted = new Set<ReadResourceRequest['operation']>();

  constructor(model: TokenModel, findings: MonitorFindings, channels: Channels, lists: ListRules) {
    this.#model = model;
    this.#findings = findings;
    this.#channels = channels;
    this.#lists = lists;
  }

  sent(exchange: Exchange, at: number, channel?: string): PendingResource | undefined {
    const read = readResourceRequest(exchange.request, this.#model.target.baseUrl);
    if (read === undefined) return undefined;
    const request = channel === undefined ? read : this.#channels.read(read, channel);
    const { token, operation } = request;
    const pair = typeof token === 'string' ? undefined : this.#model.byAccess.get(token.value);
    if (pair?.replaced !== undefined) pair.replaced.successorUsed = true;
    const refusals = request.plain && operation !== 'other' ? this.#refusals(request, pair, at) : [];
    const begun = this.#lists.begin(request);
    const pending: PendingResource = {
      request,
      at,
      begun,
      pair,
      refusals,
      promised:
        refusals.length === 0 && this.#isUsual(request, exchange) && this.#promised(request, pair, at),
      endangeredBy: this.#model.tokensThatMayChange(pair?.family),
      before: this.#lists.project(request.project).valuesOf(request.user ?? ''),
      overlapped: false,
      met: false,
    };
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
    const operation = request.operation === 'head' ? 'list' : (request.operation as Operation);
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
    if (!request.plain || operation === 'other' || operation === 'head') return false;
    if (typeof request.token === 'string') return false;
    if (pair === undefined || this.#model.stateOf(pair, at) !== 'live' || pair.scope !== SORTED_SCOPES)
      return false;
    if (!presentations.has(`${request.operation} ${request.token.how}`)) return false;
    if (!this.#model.isOwnProject(request.project)) return false;
    return request.operation === 'list' || this.#model.isOwnUser(request.user);
  }

  answered(pending: PendingResource, exchange: Exchange, during: string | undefined): void {
    const { request } = pending;
    const { response } = exchange;
    this.#underWay.get(request.project)?.delete(pending);
    const connection = response?.connection;
    if (connection !== undefined && typeof request.token === 'object' && !this.#firstOn.has(connection))
      this.#firstOn.set(connection, request.token.value);
    this.#meetings.answered(pending.promised ? request.operation : undefined, exchange);
    const broken = this.#findings.of(exchange, during, request.channel);
    if (request.operation === 'head') {
      this.#evaluateLook(pending, response, broken);
      this.#lists.endLook(pending, exchange, during);
      return;
    }
    this.#lists.tryChannel(pending, response);
    const answered = response !== undefined && response.status !== 429 && response.status < 500;
    if (answered) this.#evaluateStatus(pending, exchange, response, broken);
    else if (pending.promised) {
      const operation = request.operation as Operation;
      const owners = ['resource.no-5xx', STEP_OWNER[operation]] as const;
      this.#serverErrors.evaluate(operationKey(request), response, operation, owners, broken);
    }
    if (request.operation === 'list') this.#lists.endReading(pending, exchange, during);
    else this.#lists.endChange(pending, exchange, answered);
  }

  /** The answer to a wrong HEAD may be no refusal of its own; that of the list shows that the service did not look at the token. */
  #evaluateLook(
    { request, refusals }: PendingResource,
    response: WireResponse | undefined,
    broken: Broken,
  ): void {
    const list = this.#lists.shownIn(request.project);
    if (!isSuccess(response) || list === undefined || this.#refusesAsSuccess) return;
    const tag = headerOf(list, 'etag');
    const isList =
      tag === undefined
        ? headerOf(response, 'content-length') === String(list.bytes)
        : headerOf(response, 'etag') === tag;
    if (isList)
      for (const id of refusals) broken(id, 'HEAD', 'HEAD to be refused', 'the headers of the list');
  }

  #evaluateStatus(
    pending: PendingResource,
    { request: wire }: Exchange,
    response: WireResponse,
    broken: Broken,
  ): void {
    const { request, refusals, pair } = pending;
    const operation = request.operation as Operation;
    const success = isSuccess(response);
    const [only, ...more] = refusals;
    if (only !== undefined) {
      const nobody = operation === 'list' && this.#lists.project(request.project).assigned.length === 0;
      const ids = success && operation === 'list' ? this.#lists.idsIn(response) : undefined;
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
      if (!reportsError(response)) this.#model.survives(pending.endangeredBy);
      if (pair.generation === 0 && pair.scope === SORTED_SCOPES) this.#granted.add(operation);
    }
    if (success && isChange(pending) && request.plain && !request.channel && reportsError(response))
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
    const first = this.#model.byAccess.get(this.#firstOn.get(response.connection ?? {}) ?? '');
    const isOutlived =
      first !== undefined && first !== pair && this.#model.stateOf(first, pending.at) === 'dead';
    const later = this.#model.traitsOfLaterGrant(pair);
    const right = {
      is: operation,
      traits: () => [
        ...this.#model.traitsOfCall(request, pair, wire),
        ...later,
        ...(isOutlived ? ['a connection whose first token has expired'] : []),
      ],
      credential: pair,
      at: pending.at,
      connection: response.connection,
    };
    if (success) {
      this.#findings.right.answered(right);
      return;
    }
    const { status } = response;
    const otherwise = status === 403 ? this.#scopeOwner(pair, operation) : owner;
    const id = status === 401 ? ofToken : otherwise;
    this.#findings.right.answered(right, id);
    broken(id, 'refused', `${operation} to be honoured`, `status ${status}`);
  }

  /** Evaluates what the whole run shows. */
  end(): void {
    this.#findings.meetings(this.#meetings, (step) => STEP_OWNER[step as Operation]);
  }

  /** Blames the refresh for lost scopes only if the scopes sufficed before it. */
  #scopeOwner(pair: KnownPair, operation: ReadResourceRequest['operation']): RequirementId {
    const lost = pair.generation > 0 && this.#granted.has(operation);
    return lost ? 'refresh.new-token-acts' : 'scope.granted-scopes-act';
  }
}

function tokenOwner(pair: KnownPair, at: number): RequirementId {
  const late = at - pair.issuedAt > SHORT_LIFE;
  if (pair.generation === 0) return late ? 'lifetime.alive-until-7200' : 'exchange.token-acts';
  return late ? 'lifetime.refreshed-full' : 'refresh.new-token-acts';
}

function operationKey({ operation, project, user }: ReadResourceRequest): string {
  return JSON.stringify([operation, project, user]);
}
