import type { RequirementId } from '../../../generated/ids.ts';
import { isSuccess, pastServerError } from '../../http/exchange.ts';
import { atOnce } from '../../http/traffic.ts';
import type { Answered } from '../../service/flow/answers.ts';
import type { Operation } from '../../service/flow/requests.ts';
import { ownerOfRefusal, STEP_OWNER } from '../../service/flow/smoke-steps.ts';
import type { Spelling } from '../../service/flow/spelling.ts';
import { type ActionParts, requireAnswer } from './action-parts.ts';
import type { Given } from './given.ts';
import { contradictedList, describeDifference, givenEffect, sameMembers } from './lists.ts';
import { Blocked, ConformanceFailure, NotRun, ProvenFailure, unreadableListEnd } from './outcome.ts';
import type { ProjectAndUser } from './places.ts';

export interface UserCall {
  readonly project?: string;
  readonly user?: string;
  /** `none` sends no token. */
  readonly token?: string | { readonly none: true };
  readonly wrong?: string;
  readonly spelling?: Spelling;
}

const OPERATIONS = ['list', 'assign', 'unassign'] as const;

export class UserActions {
  readonly #acting: ActionParts;

  constructor(acting: ActionParts) {
    this.#acting = acting;
  }

  /** `PUT …/assigned_users/:user_id`. */
  assign(call: UserCall = {}): UserAction {
    return this.#act('assign', call);
  }

  /** `DELETE …/assigned_users/:user_id`. */
  unassign(call: UserCall = {}): UserAction {
    return this.#act('unassign', call);
  }

  /** `GET …/assigned_users`. */
  list(call: UserCall = {}): UserAction {
    return this.#act('list', call);
  }

  listsAnyOf({ response }: Answered, users: readonly string[]): boolean {
    return this.#acting.serviceClient.listsAnyOf(response, users);
  }

  /**
   * Requires that a token lists, assigns and unassigns a user, right after a token of the check's own did the same.
   * @param owner the requirement to blame, and block the check, if the check is not about the token
   */
  async expectUsableAsOwn(place: ProjectAndUser, token: string, owner?: RequirementId): Promise<void> {
    for (const operation of OPERATIONS) await this.#acting.given.act(operation, place);
    await this.expectUsable(place, token, owner);
  }

  async expectUsable(place: ProjectAndUser, token: string, owner?: RequirementId): Promise<void> {
    for (const operation of OPERATIONS) await this[operation]({ ...place, token }).expectAllowed(owner);
  }

  /** Like {@link UserAction.expectRefused} for many calls of one operation: sends all, then reads the projects once. */
  async expectAllRefused(operation: Operation, calls: readonly UserCall[]): Promise<void> {
    // An assign to a project that does not exist would show in that project's list.
    const { target } = this.#acting.serviceClient.session;
    const strange = calls.some(({ project }) => project !== undefined && !target.projects.includes(project));
    const eachAlone = operation === 'list' || (operation === 'assign' && strange);
    const before = await this.#acting.given.baselines();
    const answers: Answered[] = [];
    const names: string[] = [];
    for (const [index, call] of [...calls, ...calls.slice(0, 1)].entries()) {
      const act = this.#act(operation, call);
      const send = () => (eachAlone ? act.expectRefused() : act.sentToBeRefused());
      // The last one meets a rightful request, whose token or answer must not be taken for its own.
      const meets = index === calls.length ? [() => this.list().send()] : [];
      const [answer] = await atOnce(target, [send, ...meets]);
      answers.push(answer);
      names.push(act.purpose);
      // The suite stops at errors in a row, as in an outage; an accepted request in between shows that there is none.
      if (!eachAlone && answer.response.status >= 500) await this.#acting.given.listed();
    }
    // A wrong request to read may have changed an assignment too.
    if (operation === 'list') this.#acting.serviceClient.session.lastLists.forget();
    const effect = await changeSince(this.#acting.given, before);
    if (effect === undefined) return;
    const taken = Math.max(
      0,
      answers.findIndex(({ response }) => isSuccess(response)),
    );
    throw hadEffect(names[taken] ?? operation, answers[taken], effect);
  }

  #act(operation: Operation, call: UserCall): UserAction {
    return new UserAction(this.#acting, operation, call);
  }
}

export class UserAction {
  readonly #acting: ActionParts;
  readonly #operation: Operation;
  readonly #call: UserCall;

  constructor(acting: ActionParts, operation: Operation, call: UserCall) {
    this.#acting = acting;
    this.#operation = operation;
    this.#call = call;
  }

  /** Returns the request's name in the report: `list with access token cut short`, `assign (with a charset)`. */
  get purpose(): string {
    const { wrong, spelling } = this.#call;
    const how = wrong === undefined ? '' : ` with ${wrong}`;
    return `${this.#operation}${how}${spelling?.name ? ` (${spelling.name})` : ''}`;
  }

  async send(): Promise<Answered> {
    const { purpose } = this;
    const { project, user, token, spelling } = this.#call;
    const presented = token === undefined ? {} : { token: typeof token === 'string' ? token : undefined };
    const call = { project, user, spelling, ...presented };
    return requireAnswer(purpose, await this.#acting.given.operation(this.#operation, call, purpose));
  }

  /**
   * Requires a success; the check itself verifies the effect. If the token is not the check's own, a refusal of the
   * token, its scopes or the path blocks the check.
   */
  async expectSuccess(): Promise<Answered> {
    const answer = await pastServerError(() => this.send());
    const owner = ownerOfRefusal(this.#operation, answer.response.status);
    const isOther = this.#call.token === undefined && owner !== STEP_OWNER[this.#operation];
    this.#requireSuccess(answer, isOther ? owner : undefined);
    this.#acting.noteAnswer({ of: 'operation', operation: this.#operation, response: answer.response });
    return answer;
  }

  /**
   * Requires that a token may do the same as a token of the check's own at the same moment. Ignores a 403: it is about scopes,
   * which another requirement covers.
   * @param owner the requirement to blame, and block the check, if the check is not about the token
   */
  async expectAllowed(owner?: RequirementId): Promise<void> {
    const answer = await this.send();
    if (answer.response.status !== 403) this.#requireSuccess(answer, owner);
  }

  /** @param owner the requirement to blame; if absent, the check fails */
  #requireSuccess(
    { response }: Answered,
    owner: RequirementId | undefined,
    wanted = 'to be honoured',
    step: string = this.#operation,
  ): void {
    if (isSuccess(response)) return;
    const seen = `status ${response.status}`;
    if (owner !== undefined) throw new Blocked(step, owner, seen);
    throw new ConformanceFailure(`${this.#operation} ${wanted}`, seen, response);
  }

  /** Requires any answer but 401. Other refusals block the check, because they do not concern the token. */
  async expectTokenAccepted(): Promise<Answered> {
    const answer = await this.send();
    const { status } = answer.response;
    const owner = status === 401 ? undefined : ownerOfRefusal(this.#operation, status);
    this.#requireSuccess(answer, owner, 'to accept the access token');
    return answer;
  }

  /** Requires a success and returns the listed ids in order. The list's format is left open (clause 2.3). */
  async expectList(): Promise<readonly string[]> {
    const answer = await this.expectSuccess();
    const listed = this.#acting.serviceClient.evaluated(answer.response);
    if (listed === undefined) throw unreadableListEnd(answer.response);
    return listed;
  }

  /** Requires no effect and no user in the answer. Only counts beside an accepted twin. */
  async expectRefused(): Promise<Answered> {
    const { answer, effect } = await this.provoked();
    if (effect !== undefined) throw hadEffect(this.purpose, answer, effect);
    return this.#countRefusal(answer);
  }

  /** Sends a request that should be refused and counts its answer; the caller verifies that it had no effect. */
  async sentToBeRefused(): Promise<Answered> {
    return this.#countRefusal(await this.send());
  }

  #countRefusal(answer: Answered): Answered {
    this.#acting.refusals.refused(this.#operation, answer.response.status);
    this.#acting.noteAnswer({ of: 'resource-refusal', response: answer.response });
    return answer;
  }

  /** Sends a request that should be refused; `effect` is undefined if it had none. */
  async provoked(): Promise<{
    readonly answer: Answered;
    readonly effect: string | undefined;
  }> {
    const before = await this.#acting.given.baselines();
    const known = await this.#strangeProjectListsUser();
    const answer = await this.send();
    if (this.#operation === 'list') {
      const everybody = [...before.values()].flat();
      const listed = this.#acting.serviceClient.listsAnyOf(answer.response, everybody);
      return { answer, effect: listed ? 'with a list' : undefined };
    }
    const effect = await changeSince(this.#acting.given, before);
    if (effect !== undefined) return { answer, effect };
    if (known || !(await this.#strangeProjectListsUser())) return { answer, effect: undefined };
    return { answer, effect: 'afterwards the user is listed there' };
  }

  /** Requires success for the refused request with its one difference corrected; otherwise the refusal proves nothing. */
  async expectTwinAccepted(): Promise<void> {
    const { target } = this.#acting.serviceClient.session;
    const project = this.#call.project ?? target.projects[0];
    const user = this.#call.user ?? target.users[0];
    const answer = await this.send();
    if (answer.response.status >= 500)
      throw new NotRun(`the twin of a refused request got ${answer.response.status}`);
    const what = `see the twin accepted (${this.#operation})`;
    this.#requireSuccess(answer, ownerOfRefusal(this.#operation, answer.response.status), undefined, what);
    if (this.#operation === 'list') {
      if (this.#acting.serviceClient.listed(answer.response) === undefined)
        throw unreadableListEnd(answer.response);
    } else await givenEffect(this.#acting.given, this.#operation, { project, user }, what);
    this.#acting.refusals.twinAccepted();
  }

  /** True if the target project is not one of the suite's and lists the user. */
  async #strangeProjectListsUser(): Promise<boolean> {
    const { target } = this.#acting.serviceClient.session;
    const { project, user = target.users[0] } = this.#call;
    if (this.#operation !== 'assign' || project === undefined || target.projects.includes(project))
      return false;
    const { response } = await this.#acting.given.operation('list', { project });
    return response !== undefined && this.#acting.serviceClient.listsAnyOf(response, [user]);
  }
}

/** Describes the changes in the projects' lists, if any. @throws Blocked if the next list, with nothing sent, is as before */
async function changeSince(
  given: Given,
  before: ReadonlyMap<string, readonly string[]>,
): Promise<string | undefined> {
  const later = await given.lists();
  for (const [project, users] of before) {
    const now = later.get(project) ?? [];
    if (sameMembers(users, now)) continue;
    if (sameMembers(users, await given.listed(project))) throw contradictedList();
    return `afterwards ${describeDifference(users, now)} in a project's list`;
  }
  return undefined;
}

function hadEffect(purpose: string, answer: Answered | undefined, effect: string) {
  const status = answer === undefined ? '' : `status ${answer.response.status}, and `;
  return new ProvenFailure(
    `${purpose} to be refused, without effect`,
    `${status}${effect}`,
    answer?.response,
  );
}
