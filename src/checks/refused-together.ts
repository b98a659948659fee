import type { RequirementId } from '../../generated/ids.ts';
import type { RecordEntry } from '../exchange/recorder.ts';
import type { Conversation } from '../flow/conversation.ts';
import type { Operation } from '../flow/requests.ts';
import type { Session } from '../flow/session.ts';
import { provokingCheck } from './check.ts';
import type { CheckContext } from './context.ts';
import { ConformanceFailure } from './outcome.ts';
import { twoPlaces } from './places.ts';
import { REFUSED_CALLS, type RefusalId, type RefusedCalls } from './refused-calls.ts';
import type { HeardResourceAnswer, UserActs } from './user-acts.ts';

/** What was sent for one check, and what it came to. */
class Portion {
  readonly id: RefusalId;
  readonly users: UserActs;
  readonly calls: RefusedCalls;
  readonly answers: HeardResourceAnswer[] = [];
  /** The requests of the check, the lists around them, and the accepted requests that they are held against. */
  readonly entries: RecordEntry[] = [];
  /** What was thrown while its requests were sent; {@link ConformanceFailure} where one of them had an effect. */
  error: unknown;

  constructor(id: RefusalId, users: UserActs, calls: RefusedCalls) {
    this.id = id;
    this.users = users;
    this.calls = calls;
  }

  has(operation: Operation): boolean {
    return this.calls[operation] !== undefined;
  }

  /** An answer of a broken service says nothing beside a twin that was accepted much later: the check is to send its own. */
  get mayBeTold(): boolean {
    return this.answers.every(({ response }) => response.status < 500);
  }
}

/**
 * Requests to the resource API that are to be refused (clauses 5 and 7). Seen they are only where users are assigned, and they count only
 * beside accepted twins; on a live target all checks of a run that ask this share both. The first one sends the requests of all, those of
 * each check apart, and looks at the lists after each; the others get their answers. What goes wrong with the requests of another check
 * is that check's, as it was seen; then each of the rest sends its own.
 */
export class RefusedTogether {
  readonly #conversation: Conversation;
  readonly #planned: ReadonlySet<RequirementId>;
  readonly #silentActs: () => UserActs;

  /**
   * @param planned the requirements of the run
   * @param silentActs requests that are told neither to the check that is under way nor to the open points
   */
  constructor(conversation: Conversation, planned: ReadonlySet<RequirementId>, silentActs: () => UserActs) {
    this.#conversation = conversation;
    this.#planned = planned;
    this.#silentActs = silentActs;
  }

  /** Demands that the requests of a check are refused, without effect, and that their twins are accepted. */
  async expectRefused(id: RefusalId, context: CheckContext): Promise<void> {
    const { session, recorder } = this.#conversation;
    const before = sentBefore(session, id);
    if (before !== undefined) {
      recorder.keepAll(before.entries);
      if (before.error !== undefined) throw before.error;
      context.users.refusedBefore(before.answers);
      return;
    }
    const others = this.#others(id);
    if (others.length > 0 && (await this.#sendTogether(id, others, context))) return;
    await this.#send([await this.#portion(id, context, context.users)], context);
  }

  /** The first answer to a check's requests, where they were all refused without effect; undefined where they were not sent. */
  firstAnswer(id: RefusalId): HeardResourceAnswer | undefined {
    const { session, recorder } = this.#conversation;
    const before = sentBefore(session, id);
    const [answer] = before?.error === undefined ? (before?.answers ?? []) : [];
    if (answer !== undefined) recorder.keep(answer.exchange);
    return answer;
  }

  #others(id: RefusalId): readonly RefusalId[] {
    const { target, remembered, leftovers } = this.#conversation.session;
    if (target.kind !== 'live' || remembered.has(SENT) || leftovers.any) return [];
    const ids = Object.keys(REFUSED_CALLS) as RefusalId[];
    return ids.filter((other) => other !== id && this.#planned.has(other));
  }

  /** Whether all went well; else what concerns the check itself is thrown, and it has to begin again. */
  async #sendTogether(id: RefusalId, others: readonly RefusalId[], context: CheckContext): Promise<boolean> {
    const { session } = this.#conversation;
    const own = await this.#portion(id, context, context.users);
    const portions = [own];
    try {
      for (const other of others) portions.push(await this.#portion(other, context, this.#silentActs()));
      await this.#send(portions, context);
    } catch (error) {
      if (own.error !== undefined) throw error;
      session.remembered.add(SENT);
      for (const portion of portions) if (portion.error instanceof ConformanceFailure) tell(session, portion);
      for (const { user, project } of twoPlaces(context.target))
        await context.given.unassigned(user, project);
      return false;
    }
    session.remembered.add(SENT);
    for (const portion of portions) if (portion.mayBeTold) tell(session, portion);
    return true;
  }

  async #portion(id: RefusalId, context: CheckContext, users: UserActs): Promise<Portion> {
    return new Portion(id, users, await REFUSED_CALLS[id](context));
  }

  async #send(portions: readonly Portion[], { given, users, target }: CheckContext): Promise<void> {
    const places = twoPlaces(target);
    const wanting = (operation: Operation) => portions.filter((portion) => portion.has(operation));
    const refused = async (operation: Operation) => {
      for (const portion of wanting(operation)) await this.#sendOf(portion, operation);
    };
    const twins = async (operation: Operation) => {
      const wanted = wanting(operation);
      if (wanted.length === 0) return;
      await this.#recorded(wanted, async () => {
        for (const place of places) await users[operation](place).expectTwinAccepted();
      });
    };
    await refused('assign');
    await twins('assign');
    if (wanting('list').length + wanting('unassign').length === 0) return;
    // Who is assigned can be listed and unassigned.
    if (wanting('assign').length === 0)
      for (const { user, project } of places) await given.assigned([user], project);
    await refused('list');
    await refused('unassign');
    await twins('list');
    await twins('unassign');
  }

  async #sendOf(portion: Portion, operation: Operation): Promise<void> {
    try {
      await this.#recorded([portion], async () => {
        const calls = portion.calls[operation] ?? [];
        portion.answers.push(...(await portion.users.expectAllRefused(operation, calls)));
      });
    } catch (error) {
      portion.error = error;
      throw error;
    }
  }

  /** Does something, and keeps what is sent meanwhile as evidence of some portions. */
  async #recorded(portions: readonly Portion[], act: () => Promise<void>): Promise<void> {
    const { recorder } = this.#conversation;
    const from = recorder.entries.length;
    try {
      await act();
    } finally {
      for (const { entries } of portions) entries.push(...recorder.entries.slice(from));
    }
  }
}

/** Remembered in a session: its checks of refusals have sent their requests together, once. */
const SENT = 'requests to be refused are sent together';

function sentBefore({ shared }: Session, id: RefusalId): Portion | undefined {
  return shared.get(`refused: ${id}`) as Portion | undefined;
}

function tell({ shared }: Session, portion: Portion): void {
  shared.set(`refused: ${portion.id}`, portion);
}

/** The check that requests to the resource API are refused. */
export function refusedCheck(id: RefusalId) {
  return provokingCheck(id, (context) => context.refused.expectRefused(id, context));
}
