import { randomInt } from 'node:crypto';
import { Conversation } from '../../flow/conversation.ts';
import type { ProjectWatch } from '../../flow/project-watch.ts';
import type { Session } from '../../flow/session.ts';
import { isAboutProjects } from '../../monitor/attribution.ts';
import type { MonitorFinding } from '../../monitor/tally.ts';
import type { RunTrouble } from '../../report/results.ts';
import type { Check } from '../check.ts';
import { Given } from '../given.ts';
import { Blocked, NotRun } from '../outcome.ts';
import type { CheckOutcome } from '../run-check.ts';
import type { Ground } from './ground.ts';
import { type Judge, notRun } from './judge.ts';
import { lastCleanUp } from './last-clean-up.ts';
import { tellAnotherRun } from './tell-another-run.ts';

/**
 * How often the lists are looked at, with nothing done in between, before a failure is believed: not equally often each time, so that of
 * two runs which look at once one goes on before the other.
 */
const LOOKS = { least: 5, most: 15 } as const;

/** How many failures are looked on at for longer: another run disturbs the first ones already. */
const LOOKED_AT_LONGER = 4;

/** What to do about another client. */
const SERIALISE =
  'runs on one project must not overlap: let the other end (and `sweep` not be used meanwhile), then run again';

/**
 * Judges checks on a live target as long as no other client changes its projects. Once one was seen to, nothing more is
 * done there, and what failed before is taken back: it cannot be told whose doing it was.
 */
export class Undisturbed {
  readonly #session: Session | undefined;
  readonly #watch: ProjectWatch | undefined;
  readonly #report: (outcome: CheckOutcome) => void;
  readonly #doubtful: CheckOutcome[] = [];
  readonly #findings: () => readonly MonitorFinding[];
  #seen = 0;
  #looked = 0;
  #cleanedUpAgain = false;
  #told = false;
  /** A smoke run sends little. */
  #mayTell: boolean;

  /**
   * @param report takes an outcome back that was told before
   */
  constructor(ground: Ground, report: (outcome: CheckOutcome) => void) {
    this.#session = ground.usable ? ground.surroundings.session : undefined;
    this.#watch = ground.usable ? ground.projects : undefined;
    this.#findings = () => (ground.usable && ground.projects ? ground.watched.monitor.findings : []);
    this.#mayTell = ground.usable && ground.smoke === undefined;
    this.#report = report;
  }

  /** What a check comes to, or that it was not run because of another client. */
  async judge(check: Check, judge: Pick<Judge, 'judge'>): Promise<CheckOutcome> {
    if (this.disturbed !== undefined) return notRun(check.id, this.disturbed);
    const before = this.#watch?.changes ?? 0;
    const outcome = await judge.judge(check);
    const { result } = outcome.result;
    const passed = result === 'pass' || result === 'not-applicable';
    const failed = !passed && (this.#watch?.changes ?? 0) > before;
    const doubtful = this.#newlyWrong() || failed;
    if (doubtful && this.#watch?.unsteady === undefined) await this.lookOn();
    await this.tellAnotherRun();
    if (!failed) return outcome;
    if (this.disturbed !== undefined) return takenBack(outcome, this.disturbed);
    if (this.#watch?.unsteady !== undefined) return besideUnsteady(outcome);
    this.#doubtful.push(outcome);
    return outcome;
  }

  /** Whether an exchange has shown something wrong about who is assigned since this was asked last, whatever the check made of it. */
  #newlyWrong(): boolean {
    const findings = this.#findings();
    const wrong = findings.slice(this.#seen).some(({ id, uncertain }) => !uncertain && isAboutProjects(id));
    this.#seen = findings.length;
    return wrong;
  }

  /** Why nothing more is to be done at this target; undefined while no other client has interfered. */
  get disturbed(): string | undefined {
    const foreign = this.#watch?.foreign;
    return foreign === undefined ? undefined : `${foreign}; ${SERIALISE}`;
  }

  /** What is to be told of the run as a whole, each thing once; takes back what may be another client's doing. */
  troubles(): readonly RunTrouble[] {
    const { disturbed } = this;
    if (disturbed === undefined || this.#told) return [];
    this.#told = true;
    for (const outcome of this.#doubtful) this.#report(takenBack(outcome, disturbed));
    return [{ kind: 'inconclusive', message: disturbed }];
  }

  /** Whether all other users are assigned as at the beginning; told at the end of a run. */
  lastTroubles(): readonly RunTrouble[] {
    if (this.disturbed !== undefined) return this.troubles();
    // Lists that differ by themselves tell nothing of the others.
    if (this.#watch?.unsteady !== undefined) return [];
    return (this.#watch?.othersChanged ?? []).map((what) => ({
      kind: 'inconclusive' as const,
      message: `${what}, and not by request of this run; either the service did that (see what failed) or another client`,
    }));
  }

  /** Looks at the lists and does nothing: what changes meanwhile is another client's doing. The watch sees it. */
  async lookOn(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    const given = new Given(new Conversation(session, session.newRecorder()));
    if (session.leftovers.any) {
      // A user who is left may have been assigned again by another run, and then can be unassigned.
      if (this.#cleanedUpAgain) return;
      this.#cleanedUpAgain = true;
      await lastCleanUp(session);
    }
    try {
      this.#looked += 1;
      const looks = this.#looked > LOOKED_AT_LONGER ? LOOKS.least : randomInt(LOOKS.least, LOOKS.most + 1);
      for (let look = 0; look < looks && this.disturbed === undefined; look += 1) {
        for (const project of session.target.projects) await given.listed(project);
      }
    } catch (error) {
      // Where no list is to be had nothing can be seen; the outcome stays as it is.
      if (!(error instanceof Blocked || error instanceof NotRun)) throw error;
    }
  }

  /** Where another run was seen: shows it, once, that it is not alone. To be called when own users are unassigned. */
  async tellAnotherRun(): Promise<void> {
    const session = this.#mayTell ? this.#session : undefined;
    if (session === undefined || this.#watch?.anotherRun !== true) return;
    this.#mayTell = false;
    await tellAnotherRun(session);
  }
}

/** What a check made of lists that differ by themselves may be their doing. */
function besideUnsteady(outcome: CheckOutcome): CheckOutcome {
  const { result } = outcome;
  const reason = `${result.reason} (beside this, the lists of this service differ from one to the next: see list.returns-assigned)`;
  return { ...outcome, result: { ...result, reason } };
}

/** That something could not be cleaned up is then no fault of the suite either: another client holds on to it. */
function takenBack({ result: judged, broken }: CheckOutcome, why: string): CheckOutcome {
  const { signature: _signature, blockedBy: _blockedBy, ...result } = judged;
  const said = [why, judged.reason, broken].filter((text) => text !== undefined && text !== '').join('; ');
  return { observations: [], result: { ...result, result: 'not-run', reason: said } };
}
