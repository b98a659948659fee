import type { RequirementId } from '../../../generated/ids.ts';
import { isSuccess, type WireResponse } from '../../../src/exchange/exchange.ts';
import type { Conversation, ResourceAnswer } from '../../../src/target/conversation.ts';
import type { Operation, ResourceCall } from '../../../src/target/requests.ts';
import type { Observe } from './context.ts';
import type { Given } from './given.ts';
import { difference, listsOf, sameMembers } from './lists.ts';
import { Blocked, ConformanceFailure, NotRun } from './outcome.ts';
import type { Refusals } from './refusals.ts';

/** Which project, user and token; what is left out is the target's first project, first user and a token that works. */
export interface UserCall {
  readonly project?: string;
  readonly user?: string;
  /** `none`: no token is presented. */
  readonly token?: string | { readonly none: true };
}

/** In place of a token: none is presented. */
export const NO_TOKEN = { none: true } as const;

/** An answer of the resource API that certainly came. */
export type HeardResourceAnswer = ResourceAnswer & { readonly response: WireResponse };

/** The three operations (clause 4.4), on behalf of one check. */
export class UserActs {
  readonly #conversation: Conversation;
  readonly #given: Given;
  readonly #refusals: Refusals;
  readonly #observe: Observe;

  constructor(conversation: Conversation, given: Given, refusals: Refusals, observe: Observe) {
    this.#conversation = conversation;
    this.#given = given;
    this.#refusals = refusals;
    this.#observe = observe;
  }

  /** `PUT …/assigned_users/:user_id`. */
  assign(call: UserCall = {}): UserAct {
    return this.#act('assign', call);
  }

  /** `DELETE …/assigned_users/:user_id`. */
  unassign(call: UserCall = {}): UserAct {
    return this.#act('unassign', call);
  }

  /** `GET …/assigned_users`. */
  list(call: UserCall = {}): UserAct {
    return this.#act('list', call);
  }

  #act(operation: Operation, call: UserCall): UserAct {
    return new UserAct(this.#conversation, this.#given, this.#refusals, this.#observe, operation, call);
  }
}

/** One request to the resource API, sent when its answer is first asked for. */
export class UserAct {
  readonly #conversation: Conversation;
  readonly #given: Given;
  readonly #refusals: Refusals;
  readonly #observe: Observe;
  readonly #operation: Operation;
  readonly #call: UserCall;

  constructor(
    conversation: Conversation,
    given: Given,
    refusals: Refusals,
    observe: Observe,
    operation: Operation,
    call: UserCall,
  ) {
    this.#conversation = conversation;
    this.#given = given;
    this.#refusals = refusals;
    this.#observe = observe;
    this.#operation = operation;
    this.#call = call;
  }

  /** Sends it. Throws {@link NotRun} when no answer came or the target asks to slow down (429). */
  async answer(): Promise<HeardResourceAnswer> {
    const { target } = this.#conversation.session;
    const given = this.#call.token;
    const token =
      given === undefined ? await this.#given.accessToken() : typeof given === 'string' ? given : undefined;
    const call: ResourceCall = {
      operation: this.#operation,
      project: this.#call.project ?? target.projects[0],
      ...(this.#operation === 'list' ? {} : { user: this.#call.user ?? target.users[0] }),
      token,
    };
    const answer = await this.#conversation.resource(this.#operation, call);
    const { response } = answer;
    if (response === undefined)
      throw new NotRun(`${this.#operation}: ${answer.exchange.failure?.message ?? 'no answer'}`);
    if (response.status === 429)
      throw new NotRun(`${this.#operation}: the target answered 429, too many requests`);
    return { ...answer, response };
  }

  /** Demands a success. What it must have brought about is for the check to look at. */
  async expectHonoured(): Promise<HeardResourceAnswer> {
    const answer = await this.answer();
    if (!isSuccess(answer.response)) {
      throw new ConformanceFailure(`${this.#operation} to be honoured`, `status ${answer.response.status}`);
    }
    this.#observe('operation-answers', `${this.#operation}.status`, answer.response.status);
    return answer;
  }

  /** A success of an operation that is not what the check is about; else the check is blocked. */
  async asGiven(): Promise<HeardResourceAnswer> {
    const answer = await this.answer();
    if (isSuccess(answer.response)) return answer;
    throw new Blocked(this.#operation, OWNER[this.#operation], `status ${answer.response.status}`);
  }

  /** Demands a success whose body is a list that can be read, and returns its ids in order. */
  async expectList(): Promise<readonly string[]> {
    const answer = await this.expectHonoured();
    const listed = this.#conversation.listed(answer.response);
    if (listed === undefined) {
      throw new ConformanceFailure(
        'a list of the assigned users',
        'a body in which no user ids are where they were before',
      );
    }
    return listed;
  }

  /**
   * Demands that nothing comes of it: no effect on any project of the suite, and nobody listed in the answer. Only
   * counts beside an accepted twin.
   */
  async expectRefused(): Promise<HeardResourceAnswer> {
    const before = await listsOf(this.#given, this.#conversation.session.target);
    const answer = await this.answer();
    this.#expectNobodyListed(answer, before);
    const later = await listsOf(this.#given, this.#conversation.session.target);
    for (const [project, users] of before) {
      const now = later.get(project) ?? [];
      if (!sameMembers(users, now)) {
        throw new ConformanceFailure(
          `${this.#operation} to be refused, without effect`,
          `status ${answer.response.status}, and afterwards ${difference(users, now)} in a project's list`,
        );
      }
    }
    if (answer.response.status >= 500) this.#refusals.serverError(this.#operation, answer.response.status);
    else this.#refusals.refused();
    return answer;
  }

  /** Demands that the answer lists none of some users, in whatever shape. */
  async expectListsNone(users: readonly string[]): Promise<void> {
    const answer = await this.answer();
    if (!this.#conversation.listsAnyOf(answer.response, users)) return;
    throw new ConformanceFailure(
      `${this.#operation} to list nobody`,
      `status ${answer.response.status} and a list`,
    );
  }

  /** The same request as one refused before, with the one difference mended: it must work, else nothing is proven. */
  async expectTwinAccepted(): Promise<void> {
    const { target } = this.#conversation.session;
    const project = this.#call.project ?? target.projects[0];
    const user = this.#call.user ?? target.users[0];
    const answer = await this.answer();
    if (answer.response.status >= 500)
      throw new NotRun(`the twin of a refused request got ${answer.response.status}`);
    const owner = OWNER[this.#operation];
    const what = `see the twin accepted (${this.#operation})`;
    if (!isSuccess(answer.response)) throw new Blocked(what, owner, `status ${answer.response.status}`);
    if (this.#operation === 'list') {
      if (this.#conversation.listed(answer.response) === undefined)
        throw new Blocked(what, owner, 'no list came');
    } else {
      const listed = (await this.#given.listed(project)).includes(user);
      if (listed !== (this.#operation === 'assign')) throw new Blocked(what, owner, 'it had no effect');
    }
    this.#refusals.twinAccepted();
  }

  /** An operation that is refused must not list anybody either, in whatever shape. */
  #expectNobodyListed(answer: HeardResourceAnswer, before: ReadonlyMap<string, readonly string[]>): void {
    const everybody = [...new Set([...before.values()].flat())];
    const seen = this.#operation === 'list' && this.#conversation.listsAnyOf(answer.response, everybody);
    if (!seen) return;
    throw new ConformanceFailure(
      'list to be refused, with nobody listed',
      `status ${answer.response.status} and a list`,
    );
  }
}

const OWNER: Readonly<Record<Operation, RequirementId>> = {
  assign: 'assign.adds-user',
  unassign: 'unassign.removes-user',
  list: 'list.returns-assigned',
};
