import { SCOPE_SETS } from '../../document/profiles/scope-sets.ts';
import { stepName, unassignOwn } from '../../evaluation/explore/replay.ts';
import { partName, StepPerformer } from '../../evaluation/explore/step-performer.ts';
import type { Step } from '../../evaluation/explore/steps.ts';
import type { MonitoredSession } from '../../evaluation/monitor/attach.ts';
import type { MonitorEvent } from '../../evaluation/monitor/events.ts';
import { isBusy } from '../../http/exchange.ts';
import type { Session } from '../../service/flow/session.ts';
import { applicationsOf } from '../../service/target.ts';
import type { StoryAnswer } from './answer.ts';
import type { StoryPlayer } from './paired-play.ts';
import { StoryPlace } from './place.ts';
import { type AnswerReading, readAuthorized, readOperation, readToken } from './read-answers.ts';

export class TargetPlayer implements StoryPlayer {
  readonly watched: MonitoredSession;
  readonly session: Session;
  readonly place: StoryPlace;
  performer: StepPerformer;
  readonly #received: MonitorEvent[];
  #met = new Map<string, readonly [kind: string, name: string]>();

  /**
   * @param session in the request style of the smoke flow, with the abilities of both sides
   * @param received gets the same events as the monitor; each step takes them out
   */
  constructor(watched: MonitoredSession, session: Session, received: MonitorEvent[]) {
    this.watched = watched;
    this.session = session;
    this.place = new StoryPlace(session.target);
    this.#received = received;
    this.performer = new StepPerformer(watched, session);
  }

  begin(): void {
    this.performer = new StepPerformer(this.watched, this.session);
    this.#met = new Map();
  }

  /** Gives consent before the first story, because a service may ask only once, and remember it once there are tokens. */
  async consent(): Promise<void> {
    const { target } = this.session;
    if (target.forgetConsent !== undefined) return;
    this.begin();
    for (const application of applicationsOf(target).keys())
      for (const scope of SCOPE_SETS.toReversed()) {
        const asked = { do: 'authorize', as: 'code', application, address: 0, scope } as const;
        const [answer] = await this.play(asked, 0);
        if (answer?.facets.pages?.includes('consent'))
          await this.play({ do: 'exchange', code: 'code', as: 'pair' }, 1);
      }
  }

  async play(step: Step, index: number): Promise<readonly StoryAnswer[]> {
    this.#received.length = 0;
    const name = stepName(index);
    await this.performer.perform(this.place.own(step), name);
    const events = this.#received.splice(0);
    const parts = step.do === 'at once' ? step.steps : [step];
    return parts.flatMap((one, part): readonly StoryAnswer[] => {
      const during = step.do === 'at once' ? partName(name, part) : name;
      const reading: AnswerReading = {
        session: this.session,
        place: this.place,
        meet: (kind, value) => this.#meet(kind, value, 'as' in one ? one.as : during),
      };
      const answer = answerOf(events, during, one.do, reading);
      return answer === undefined ? [] : [{ part, ...answer }];
    });
  }

  has(name: string): boolean {
    const { pairs, codes, applications } = this.performer.named;
    return pairs.has(name) || codes.has(name) || applications.has(name);
  }

  forget(names: readonly string[]): void {
    const { pairs, codes, applications } = this.performer.named;
    for (const name of names) for (const named of [pairs, codes, applications]) named.delete(name);
  }

  async end(): Promise<void> {
    this.watched.monitor.end();
    const { restoreAssignments } = this.session.target;
    if (restoreAssignments !== undefined) return restoreAssignments();
    await unassignOwn(this.watched, this.session, this.performer);
  }

  #meet(kind: string, value: string, name: string): string {
    const known = this.#met.get(value);
    if (known !== undefined) return `known: ${known[0]} of ${known[1]}`;
    this.#met.set(value, [kind, name]);
    return 'new';
  }
}

function answerOf(
  events: readonly MonitorEvent[],
  during: string,
  does: Step['do'],
  reading: AnswerReading,
): Omit<StoryAnswer, 'part'> | undefined {
  if (does.startsWith('authorize')) {
    const seen = events.findLast((event) => event.kind === 'authorized' && event.during === during);
    return seen?.kind === 'authorized' ? readAuthorized(reading, seen.url, seen.outcome) : undefined;
  }
  if (does === 'create application') {
    const seen = events.find((event) => event.kind === 'application-created');
    if (seen?.kind !== 'application-created') return undefined;
    return { outcome: seen.shown.clientSecret === undefined ? 'refused' : 'done', facets: {} };
  }
  const sent = events.findLast((event) => event.kind === 'sent' && event.during === during);
  if (sent?.kind !== 'sent') return undefined;
  const seen = events.find((event) => event.kind === 'answered' && event.id === sent.id);
  const response = seen?.kind === 'answered' ? seen.response : undefined;
  if (response === undefined || isBusy(response.status)) return { outcome: 'no answer', facets: {} };
  const isToken = does.startsWith('exchange') || does.startsWith('refresh');
  return isToken ? readToken(reading, response) : readOperation(reading, sent.request, response);
}
