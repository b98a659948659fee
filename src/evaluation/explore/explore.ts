import { TransportFailure } from '../../http/exchange.ts';
import type { Session } from '../../service/flow/session.ts';
import type { MonitoredSession } from '../monitor/attach.ts';
import { causeKey, type ExchangeFinding, type FindingName, isOfKind } from '../monitor/findings.ts';
import { contextsOf } from './contexts.ts';
import { channelRows } from './in-channels.ts';
import { Random } from './random.ts';
import { isAboutLists, localize, type OpenFresh, replay, unassignOwn } from './replay.ts';
import { countShown, REPETITIONS, type Repeated, shrink, sliceFor } from './shrink.ts';
import { StepChooser } from './step-chooser.ts';
import { StepPerformer } from './step-performer.ts';
import { StepSupply } from './step-supply.ts';
import { isWrong, type Step, singleSteps } from './steps.ts';

export interface Exploration {
  readonly seed: number;
  /** Excludes the requests for shrinking. */
  readonly requests: number;
  /** Allows replays, old refresh tokens and wrong credentials, which may revoke or lock. */
  readonly refusals: boolean;
  /** Absent if there is only one service. */
  readonly fresh?: OpenFresh;
  readonly until?: (finding: ExploredFinding) => boolean;
  /** Ends the exploration when aborted; the suite's own users are still unassigned. */
  readonly signal?: AbortSignal;
}

export interface ExploredFinding extends Omit<ExchangeFinding, 'during' | 'uncertain'> {
  /** The shortest reproducing sequence; if it did not reproduce, what its last step needs. */
  readonly steps: readonly Step[];
  /** Repetitions on a fresh service that reproduced the finding; undefined if there is no fresh service. */
  readonly again: Repeated | undefined;
  readonly rate: { readonly broken: number; readonly examples: number };
  readonly afterRequests: number;
  readonly replayOf?: string;
  /** The context of the documented flow in which it showed first. */
  readonly context?: string;
}

export interface Explored {
  readonly seed: number;
  readonly requests: number;
  readonly steps: number;
  /** Requests that were planned; absent if the budget left as many. */
  readonly wanted?: number;
  readonly findings: readonly ExploredFinding[];
  readonly endedEarly?: string;
}

/** Steps per episode. Afterwards tokens are forgotten and the suite's own users unassigned. */
const EPISODE = 40;

/** Requests with which a run explores a live target by default. With more, it tries every channel. */
export const LIVE_REQUESTS = 800;

/** Later findings most likely follow from the same faults, so they are not shrunk. */
const MOST_FINDINGS = 8;

const SHRINK_TRIES = 120;

/** The number of a step in its episode is none of the printed sequence. */
const EXPLORING = 'exploring';

const ONCE: readonly ExchangeFinding['kind'][] = ['listed once', 'absent once'];

/**
 * Plays steps in a watched session, for the monitor to evaluate: each channel, each context, then random episodes. Shortens each
 * finding and replays it.
 */
export function explore(
  watched: MonitoredSession,
  session: Session,
  exploration: Exploration,
): Promise<Explored> {
  return new Explorer(watched, session, exploration).run();
}

class Explorer {
  readonly #watched: MonitoredSession;
  readonly #session: Session;
  readonly #exploration: Exploration;
  readonly #random: Random;
  readonly #supply: StepSupply;
  readonly #chooser: StepChooser;
  readonly #begunAt: number;
  readonly #findings: ExploredFinding[] = [];
  readonly #known = new Set<string>();
  #performer: StepPerformer;
  #episode: Step[] = [];
  #steps = 0;
  #seen: number;
  #following = false;
  #context: string | undefined;
  /** The reason why nothing more can be played: the clock does not move. */
  #stopped: string | undefined;

  constructor(watched: MonitoredSession, session: Session, exploration: Exploration) {
    this.#watched = watched;
    this.#session = session;
    this.#exploration = exploration;
    this.#random = new Random(exploration.seed);
    this.#performer = new StepPerformer(watched, session);
    this.#supply = new StepSupply(
      this.#random,
      { ...watched, session },
      () => this.#performer,
      exploration.refusals,
    );
    this.#chooser = new StepChooser(this.#supply, exploration.requests, () => this.#requests);
    this.#begunAt = this.#sent;
    this.#seen = watched.monitor.findings.length;
  }

  get #requests(): number {
    return this.#sent - this.#begunAt;
  }

  /** Requests of the run so far, those of its browser included. */
  get #sent(): number {
    return this.#session.target.traffic?.used.requests ?? this.#watched.requests();
  }

  get #over(): boolean {
    const { requests, until, signal } = this.#exploration;
    if (signal?.aborted === true || this.#stopped !== undefined) return true;
    return this.#requests >= requests || (until !== undefined && this.#findings.some(until));
  }

  async run(): Promise<Explored> {
    let endedEarly: string | undefined;
    await this.#inChannels();
    await this.#inContexts();
    while (!this.#over) {
      this.#begin();
      this.#supply.focus();
      const troubled = this.#watched.troubled();
      // The suite stops sending to a live service that is busy.
      const { isLive } = this.#session.target;
      const busy = () => isLive && this.#watched.troubled() > troubled;
      const answered = this.#answered;
      while (!this.#over && this.#episode.length < EPISODE && !busy()) {
        for (const step of this.#chooser.next()) if (!this.#over) await this.#take(step);
      }
      await this.#end();
      // No answer arrives any more: the budget is spent, or the service is gone.
      if (isLive && this.#answered === answered) {
        endedEarly = 'requests were not answered any more, or the budget is spent';
        break;
      }
    }
    endedEarly ??= this.#stopped;
    if (this.#exploration.signal?.aborted) endedEarly = 'the run was interrupted';
    return {
      seed: this.#exploration.seed,
      requests: this.#requests,
      steps: this.#steps,
      findings: this.#findings,
      ...(endedEarly !== undefined && { endedEarly }),
    };
  }

  /** Forgets the tokens and the steps of the episode before. */
  #begin(): void {
    this.#performer = new StepPerformer(this.#watched, this.#session);
    this.#episode = [];
  }

  /** Plays the documented flow in each context, and names the context in what it finds. */
  async #inContexts(): Promise<void> {
    const { target, requestStyle } = this.#session;
    const { refusals } = this.#exploration;
    const early = requestStyle.refreshBeforeExpiry;
    for (const { name, steps, misuses } of contextsOf(target, { early, refusals })) {
      if (this.#over) break;
      this.#begin();
      this.#context = name;
      await this.#takeAll([...steps, ...misuses]);
      await this.#end();
    }
    this.#context = undefined;
  }

  /** Sends wrong requests in each channel that the service honours. */
  async #inChannels(): Promise<void> {
    const { target, requestStyle } = this.#session;
    const few = target.isLive && this.#exploration.requests <= LIVE_REQUESTS;
    for (const { channel, before, parts, after } of channelRows(
      target,
      requestStyle.refreshBeforeExpiry,
      few,
    )) {
      if (this.#over) return;
      this.#begin();
      await this.#takeAll(before);
      for (const { step, right, wrong } of parts) {
        await this.#takeAll(right);
        if (this.#watched.monitor.channels.honours(channel, step)) await this.#takeAll(wrong);
      }
      await this.#takeAll(after);
      await this.#end();
    }
  }

  get #answered(): number {
    return this.#watched.requests() - this.#watched.troubled();
  }

  async #takeAll(steps: readonly Step[]): Promise<void> {
    for (const step of steps) if (!this.#over) await this.#take(step);
  }

  async #take(step: Step): Promise<void> {
    this.#episode.push(step);
    this.#steps += 1;
    const troubled = this.#watched.troubled();
    try {
      await this.#performer.perform(step, EXPLORING);
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      this.#stopped = error.message;
      return;
    }
    await this.#followUp(step, this.#watched.troubled() > troubled);
    await this.#lookForFindings();
  }

  async #followUp(step: Step, failed: boolean): Promise<void> {
    if (this.#following) return;
    this.#following = true;
    // A wrong list is read again before a step is blamed: the reader may see it once, or always.
    const [project] = this.#watched.monitor.inDoubt;
    if (project !== undefined && step.do === 'list') {
      const { spelling: _, ...plain } = step;
      await this.#take({ ...plain, project });
    }
    // A refresh that the service did not carry out can be repeated.
    if (failed && step.do === 'refresh' && !this.#session.target.isLive) await this.#take(step);
    this.#following = false;
  }

  async #end(): Promise<void> {
    const { target } = this.#session;
    this.#watched.monitor.end();
    await this.#lookForFindings();
    if (target.restoreAssignments !== undefined) return target.restoreAssignments();
    await unassignOwn(this.#watched, this.#session, this.#performer);
    await this.#repeatThere();
  }

  /** Without a fresh service, repeats findings on the existing one between two episodes, except those that provoke refusals. */
  async #repeatThere(): Promise<void> {
    if (this.#exploration.fresh !== undefined) return;
    const there = async () => ({
      watched: this.#watched,
      session: this.#session,
      close: () => unassignOwn(this.#watched, this.#session, this.#performer),
    });
    for (const [index, finding] of this.#findings.entries()) {
      const { steps, again: shownBefore } = finding;
      if (shownBefore !== undefined || singleSteps(steps).some(isWrong)) continue;
      const again = { shown: 0, of: 0, onSame: true as const };
      while (again.of < REPETITIONS && !this.#over) {
        const found = await replay(steps, there);
        again.of += 1;
        if (found.some((other) => isLike(finding, other))) again.shown += 1;
      }
      if (again.of > 0) this.#findings[index] = { ...finding, again };
    }
    this.#seen = this.#watched.monitor.findings.length;
  }

  async #lookForFindings(): Promise<void> {
    const { findings } = this.#watched.monitor;
    while (this.#seen < findings.length) {
      const finding = findings[this.#seen];
      this.#seen += 1;
      if (finding === undefined || finding.uncertain) continue;
      const key = causeKey(finding);
      if (this.#known.has(key) || this.#findings.length >= MOST_FINDINGS) continue;
      this.#known.add(key);
      const explained = await this.#explain(finding);
      if (this.#findings.some((one) => causeKey(one) === causeKey(explained))) continue;
      this.#known.add(causeKey(explained));
      this.#findings.push(explained);
    }
  }

  async #explain(finding: ExchangeFinding): Promise<ExploredFinding> {
    const steps = [...this.#episode];
    const context = this.#context;
    const found = {
      ...finding,
      ...(context && { context }),
      rate: this.#rateOf(finding),
      afterRequests: this.#requests,
    };
    const { fresh } = this.#exploration;
    // A context is as short as it can be: what comes before a request is what it is about.
    if (fresh === undefined)
      return { ...found, steps: context === undefined ? sliceFor(steps) : steps, again: undefined };
    const same = (other: ExchangeFinding) => isLike(finding, other);
    const shows = async (candidate: readonly Step[]) => (await replay(candidate, fresh)).some(same);
    let again = await countShown(steps, shows);
    if (again.shown === 0) return { ...found, steps: sliceFor(steps), again };
    const shortest = again.shown === REPETITIONS ? await shrink(steps, shows, SHRINK_TRIES) : sliceFor(steps);
    const shown = (await replay(shortest, fresh)).find(same) ?? finding;
    const located = isAboutLists(shown) ? await localize(shown, shortest, fresh) : undefined;
    if (again.shown === REPETITIONS) again = await countShown(shortest, shows);
    const { id, expected, got, exchanges } = located ?? shown;
    return {
      ...found,
      id,
      expected,
      got,
      exchanges: exchanges.length > 0 ? exchanges : found.exchanges,
      steps: shortest,
      again,
    };
  }

  #rateOf(finding: ExchangeFinding): ExploredFinding['rate'] {
    const { findings, examples } = this.#watched.monitor;
    const broken = findings.filter((one) => causeKey(one) === causeKey(finding)).length;
    return { broken, examples: Math.max(examples.get(finding.id) ?? 0, broken) };
  }
}

/** Ignores the requirement of a lasting finding: it is only a first guess until `localize` has run. */
function isLike(one: FindingName, other: FindingName): boolean {
  return isOfKind(one, other) && (isAboutLists(one) || one.id === other.id || !ONCE.includes(one.kind));
}
