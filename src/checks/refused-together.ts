import type { RequirementId } from '../../generated/ids.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Conversation } from '../flow/conversation.ts';
import type { Operation } from '../flow/requests.ts';
import type { Session } from '../flow/session.ts';
import { provokingCheck } from './check.ts';
import type { CheckContext } from './context.ts';
import { ConformanceFailure } from './outcome.ts';
import { twoPlaces } from './places.ts';
import { REFUSED_CALLS, type RefusalId, type RefusedCalls } from './refused-calls.ts';
import type { HeardResourceAnswer, UserActs } from './user-acts.ts';

/** What the requests of one check came to when another check sent them. */
interface SentBefore {
  readonly answers: readonly HeardResourceAnswer[];
  /** The requests of the check, the lists around them, and the accepted requests that they are held against. */
  readonly exchanges: readonly Exchange[];
  /** Set where one of them had an effect. */
  readonly failure?: ConformanceFailure;
}

/** What was sent for one check so far. */
class Portion {
  readonly users: UserActs;
  readonly calls: RefusedCalls;
  readonly answers: HeardResourceAnswer[] = [];
  readonly exchanges: Exchange[] = [];

  constructor(users: UserActs, calls: RefusedCalls) {
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
      for (const exchange of before.exchanges) recorder.keep(exchange);
      if (before.failure !== undefined) throw before.failure;
      context.users.refusedBefore(before.answers);
      return;
    }
    const others = this.#others(id);
    if (others.length > 0 && (await this.#sendTogether(id, others, context))) return;
    await this.#send([[id, await this.#portion(id, context, context.users)]], context);
  }

  /** The first answer to a check's requests, where they were all refused without effect; undefined where they were not sent. */
  firstAnswer(id: RefusalId): HeardResourceAnswer | undefined {
    const { session, recorder } = this.#conversation;
    const before = sentBefore(session, id);
    const [answer] = before?.failure === undefined ? (before?.answers ?? []) : [];
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
    const portions: [RefusalId, Portion][] = [[id, own]];
    let at: RefusalId | undefined;
    try {
      for (const other of others) {
        at = other;
        portions.push([other, await this.#portion(other, context, this.#silentActs())]);
      }
      await this.#send(portions, context, (sending) => {
        at = sending;
      });
    } catch (error) {
      if (at === id) throw error;
      session.remembered.add(SENT);
      const failed = portions.find(([other]) => other === at)?.[1];
      if (error instanceof ConformanceFailure && at !== undefined && failed !== undefined)
        tell(session, at, { ...failed, failure: error });
      for (const { user, project } of twoPlaces(context.target))
        await context.given.unassigned(user, project);
      return false;
    }
    session.remembered.add(SENT);
    for (const [other, portion] of portions) if (portion.mayBeTold) tell(session, other, portion);
    return true;
  }

  async #portion(id: RefusalId, context: CheckContext, users: UserActs): Promise<Portion> {
    return new Portion(users, await REFUSED_CALLS[id](context));
  }

  /**
   * @param sending is told whose requests are sent; undefined: the twins of all
   */
  async #send(
    portions: readonly (readonly [RefusalId, Portion])[],
    { given, users, target }: CheckContext,
    sending: (id: RefusalId | undefined) => void = () => undefined,
  ): Promise<void> {
    const places = twoPlaces(target);
    const wanting = (operation: Operation) => portions.filter(([, portion]) => portion.has(operation));
    const refused = async (operation: Operation) => {
      for (const [id, portion] of wanting(operation)) {
        sending(id);
        await this.#recorded([portion], async () => {
          const calls = portion.calls[operation] ?? [];
          portion.answers.push(...(await portion.users.expectAllRefused(operation, calls)));
        });
      }
      sending(undefined);
    };
    const twins = (operation: Operation) =>
      this.#recorded(
        wanting(operation).map(([, portion]) => portion),
        async () => {
          if (wanting(operation).length === 0) return;
          for (const place of places) await users[operation](place).expectTwinAccepted();
        },
      );
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

  /** Does something, and keeps what is sent meanwhile as evidence of some portions. */
  async #recorded(portions: readonly Portion[], act: () => Promise<void>): Promise<void> {
    const { recorder } = this.#conversation;
    const from = recorder.entries.length;
    try {
      await act();
    } finally {
      const sent = recorder.entries.slice(from);
      for (const { exchanges } of portions)
        exchanges.push(...sent.flatMap((entry) => (entry.kind === 'exchange' ? entry.exchange : [])));
    }
  }
}

/** Remembered in a session: its checks of refusals have sent their requests together, once. */
const SENT = 'requests to be refused are sent together';

function sentBefore({ shared }: Pick<Session, 'shared'>, id: string): SentBefore | undefined {
  return shared.get(`refused: ${id}`) as SentBefore | undefined;
}

function tell({ shared }: Session, id: RefusalId, { answers, exchanges, failure }: SentBefore): void {
  shared.set(`refused: ${id}`, { answers, exchanges, failure });
}

/** The check that requests to the resource API are refused. */
export function refusedCheck(id: RefusalId) {
  return provokingCheck(id, (context) => context.refused.expectRefused(id, context));
}
