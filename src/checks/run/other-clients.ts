import { isSuccess, TransportFailure, type WireResponse } from '../../exchange/exchange.ts';
import type { RecordEntry } from '../../exchange/recorder.ts';
import { leftText } from '../../flow/assigned-by-run.ts';
import { setOf } from '../../flow/assigned-list.ts';
import { CLEAN_UP_MS, cleanUp, waitReally } from '../../flow/clean-up.ts';
import { Conversation } from '../../flow/conversation.ts';
import { type Session, sessionUntil } from '../../flow/session.ts';
import { NOT_THERE } from '../../flow/smoke-steps.ts';
import { mayBeOthers } from '../../monitor/findings.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import type { RunTrouble } from '../../report/results.ts';
import type { Check } from '../check.ts';
import { Given } from '../given.ts';
import { Blocked, NotRun } from '../outcome.ts';
import type { ReadyTarget } from './prepare-target.ts';
import { type CheckOutcome, doubted, isDoubted, notRun } from './run-check.ts';

const REPETITIONS = 3;

/** Longest extra pause before a repetition, as a share of the time for which lists are watched. */
const LONGEST_PAUSE = 0.25;

const SERIALISE =
  'runs on one project must not overlap: let the other end (and `sweep` not be used meanwhile), then run again';

/** Requirements about answers, or users that the suite never assigns: their effects persist, so repeating shows nothing. */
const RESTS_ON_NO_OWN_USER = /^resource\.|\.leaves-others$|\.unknown-(?:user|project)-refused$/;

interface Shown {
  readonly outcome: CheckOutcome;
  readonly broken: readonly string[];
  /** The suite's users still listed after the check; a user of another run disappears soon. */
  readonly stray: readonly string[];
}

/**
 * Separates service faults from changes by another client. Repeats a check three times if the suite's requests do not
 * explain the assignments: a fault that always recurs is the service's, otherwise the run exits with 3.
 */
export class OtherClients {
  readonly #prepared: ReadyTarget | undefined;
  readonly #tell: (trouble: RunTrouble) => void;
  /** Other users in each project, recorded as soon as they were known. */
  readonly #atStart = new Map<string, readonly string[]>();
  #cleanedUpAgain = false;
  #ruledOut = false;
  #disturbed: string | undefined;

  constructor(prepared: ReadyTarget, tell: (trouble: RunTrouble) => void) {
    const { watchSeconds } = prepared.environment.session.target;
    this.#prepared = watchSeconds === undefined ? undefined : prepared;
    this.#tell = tell;
    this.#keepOthers();
  }

  #keepOthers(): void {
    const prepared = this.#prepared;
    if (prepared === undefined) return;
    if (this.#atStart.size === prepared.environment.session.target.projects.length) return;
    for (const [project, others] of othersIn(prepared))
      if (!this.#atStart.has(project)) this.#atStart.set(project, others);
  }

  get disturbed(): string | undefined {
    return this.#disturbed;
  }

  async run(check: Check, attempt: () => Promise<CheckOutcome>): Promise<CheckOutcome> {
    const prepared = this.#prepared;
    if (this.#disturbed !== undefined) return notRun(check.id, this.#disturbed);
    // A smoke run's answers do not change.
    if (prepared === undefined || prepared.smoke !== undefined) return attempt();
    const { session } = prepared.environment;
    const begun = performance.now();
    const first = await shown(prepared, attempt);
    this.#keepOthers();
    if (first.broken.length > 0 && !this.#ruledOut && (await this.#mayRepeat(session))) {
      for (let time = 1; time <= REPETITIONS; time += 1) {
        await pauseAtRandom(session, performance.now() - begun);
        const next = await shown(prepared, attempt);
        const again = first.broken.some((id) => next.broken.includes(id));
        if (again || first.stray.some((user) => next.stray.includes(user))) continue;
        this.repeated(false, `${first.broken.join(', ')} was seen broken during the check of ${check.id}`);
        return byOthers(first.outcome, this.#disturbed ?? '');
      }
    }
    if (first.broken.length > 0) this.#ruledOut = true;
    return first.outcome;
  }

  get ruledOut(): boolean {
    return this.#ruledOut;
  }

  repeated(eachTime: boolean, what: string): void {
    if (eachTime) this.#ruledOut = true;
    if (eachTime || this.#disturbed !== undefined) return;
    this.#disturbed = `${what}, but not in each repetition: another client (another run, a person) changes the suite's users during this run, or the service fails only sometimes; ${SERIALISE}`;
    this.#tell({ kind: 'inconclusive', message: this.#disturbed });
  }

  lastLook(): void {
    if (this.#disturbed !== undefined || this.#prepared === undefined) return;
    const now = othersIn(this.#prepared);
    for (const [project, before] of this.#atStart) {
      const last = now.get(project) ?? before;
      const assigned = last.filter((id) => !setOf(before).has(id)).length;
      const unassigned = before.filter((id) => !setOf(last).has(id)).length;
      if (assigned + unassigned === 0) continue;
      const message = `project ${project}: ${assigned} other users were assigned and ${unassigned} unassigned, and no request of this run did that; either the service did it (see the failures) or another client`;
      this.#tell({ kind: 'inconclusive', message });
    }
  }

  /** Tries again to unassign a remaining user, whom another run may have assigned; otherwise nobody may be assigned. */
  async #mayRepeat(session: Session): Promise<boolean> {
    if (!session.leftovers.any) return true;
    if (this.#cleanedUpAgain) return false;
    this.#cleanedUpAgain = true;
    return (await lastCleanUp(session)) === undefined;
  }
}

function othersIn({
  watched: { monitor },
  environment,
}: ReadyTarget): ReadonlyMap<string, readonly string[]> {
  const { projects, users } = environment.session.target;
  const known = projects.filter((project) => monitor.project(project).isKnown);
  return new Map(
    known.map((project) => [project, monitor.project(project).assigned.filter((id) => !users.includes(id))]),
  );
}

async function shown(
  { watched, environment }: ReadyTarget,
  attempt: () => Promise<CheckOutcome>,
): Promise<Shown> {
  const { monitor, changes } = watched;
  const [findings, changed] = [monitor.findings.length, changes()];
  const outcome = await attempt();
  const { session } = environment;
  await readLists(session, [...monitor.inDoubt, ...strayIn(monitor, session).keys()]);
  const found = monitor.findings.slice(findings);
  const seen = found.filter((one) => !one.uncertain && mayBeOthers(one)).map((one) => one.id);
  const { id, blockedBy, result } = outcome.result;
  const bad = !isDoubted(outcome) && (result === 'fail' || result === 'warning' || result === 'blocked');
  const rests = bad && changes() > changed && !RESTS_ON_NO_OWN_USER.test(id);
  const stray = [...strayIn(monitor, session)].flatMap(([project, users]) =>
    users.map((user) => `${project} ${user}`),
  );
  return { outcome, broken: [...new Set(rests ? [blockedBy ?? id, ...seen] : seen)], stray };
}

function strayIn(monitor: Monitor, { target }: Session): ReadonlyMap<string, readonly string[]> {
  const found = target.projects.map((project) => {
    const known = monitor.project(project);
    return [project, target.users.filter((user) => known.isAssigned(user))] as const;
  });
  return new Map(found.filter(([, users]) => users.length > 0));
}

async function readLists(session: Session, projects: readonly string[]): Promise<void> {
  const given = new Given(new Conversation(session, session.newRecorder()));
  try {
    for (const project of projects) await given.listed(project);
  } catch (error) {
    if (!(error instanceof Blocked || error instanceof NotRun)) throw error;
  }
}

/** Pauses at random, so that two runs that disturb each other alternately get out of step. */
async function pauseAtRandom(
  { target: { watchSeconds = 0, pause = waitReally } }: Session,
  checkMs: number,
): Promise<void> {
  if (watchSeconds > 0) await pause(Math.random() * (LONGEST_PAUSE * watchSeconds * 1_000 + checkMs));
}

/** A failed clean-up is then not the suite's fault: another client may keep the user assigned. */
function byOthers({ result, broken }: CheckOutcome, why: string): CheckOutcome {
  const all = broken === undefined ? why : `${why}; ${broken}`;
  return doubted({ result, observations: [], facts: [] }, all);
}

export interface NotCleanedUp {
  readonly message: string;
  /** True if a list shows one of them; false if no list could be read. */
  readonly listed: boolean;
  readonly acknowledged: boolean;
  /** As `acknowledged`, or the service answers that they are not assigned. */
  readonly answered: boolean;
  readonly entries: readonly RecordEntry[];
}

/**
 * Tries again, at the end of a run, to unassign users whom the service did not unassign: a list may have been stale, and an
 * outage may be over.
 *
 * @returns undefined if no own user remains assigned
 */
export async function lastCleanUp(session: Session): Promise<NotCleanedUp | undefined> {
  const { leftovers } = session;
  if (!leftovers.any) return undefined;
  // A stopped run cleans up too.
  const own = sessionUntil(session, AbortSignal.timeout(CLEAN_UP_MS));
  const conversation = new Conversation(own, own.newRecorder());
  let why = '';
  try {
    const token = await new Given(conversation).accessToken();
    leftovers.set(await cleanUp(conversation, token, leftovers.users));
  } catch (error) {
    const known = error instanceof Blocked || error instanceof NotRun || error instanceof TransportFailure;
    if (!known) throw error;
    why = ` (${error.message})`;
  }
  if (!leftovers.any) return undefined;
  const { entries } = conversation.recorder;
  const unassigning = entries.flatMap((entry) =>
    entry.kind === 'exchange' && entry.exchange.request.method === 'DELETE' ? [entry.exchange] : [],
  );
  return {
    message: `${leftText(leftovers.users)}${why}`,
    listed: leftovers.users.some(({ unread }) => unread === undefined),
    acknowledged: unassigning.length > 0 && unassigning.every(({ response }) => isSuccess(response)),
    answered: unassigning.length > 0 && unassigning.every(({ response }) => isDone(response)),
    entries,
  };
}

function isDone(response: WireResponse | undefined): boolean {
  return isSuccess(response) || (response !== undefined && NOT_THERE.includes(response.status));
}
