import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Requirement } from '../../document/types.ts';
import { isPart } from '../../http/answer-body.ts';
import { Aborted, abortReason, type Exchange, unlessAborted } from '../../http/exchange.ts';
import type { RecordEntry } from '../../http/recorder.ts';
import { toEvidence } from '../../http/to-evidence.ts';
import type { Observation } from '../../report/results.ts';
import { NotAssignedAnyMore } from '../../service/flow/assigned-by-run.ts';
import { CLEAN_UP_MS, cleanUpAfter } from '../../service/flow/clean-up.ts';
import { type Session, sessionUntil, timePassingText } from '../../service/flow/session.ts';
import { type SmokeFlow, STEP_OWNER } from '../../service/flow/smoke-steps.ts';
import { type Check, isTimed, SLACK, secondsOf } from '../language/check.ts';
import { createContext, type RunningContext } from '../language/context.ts';
import { answersIn } from '../language/note-answer.ts';
import { Blocked, ConformanceFailure, NotApplicable, NotRun, requireAbility } from '../language/outcome.ts';
import {
  type CheckEnvironment,
  type CheckOutcome,
  type Ending,
  endingOf,
  failureOf,
  firstLine,
  seenBroken,
} from './check-outcome.ts';
import { ofEarlierGrant } from './earlier-grants.ts';
import { passingTrouble } from './passing-trouble.ts';
import type { Advance } from './shared-wait.ts';

export async function runCheck(check: Check, environment: CheckEnvironment): Promise<CheckOutcome> {
  const { catalogue } = environment;
  const requirement = catalogue.requirement(check.id);
  const begun = performance.now();
  const observations: Observation[] = [];
  const limit = new Limit(environment);
  const running = createContext(
    sessionUntil(environment.session, limit.signal),
    (sight) => {
      for (const answer of answersIn(sight, check.id)) observations.push({ ...answer, seenBy: check.id });
    },
    environment.sharedRefusals,
  );
  const absent = absentAbility(requirement, environment.session);
  const ending: Ending =
    absent === undefined
      ? await runUntilLimit(check, running, environment, limit)
      : endingOf(absent, check.id, environment);
  const decisive = decisiveIn(running, ending);
  const notCleaned = await unassignAfter(running, environment.session, limit.signal);
  const { broken = notCleaned, blocking, isProven, answer: _, ...rest } = ending;
  const result = {
    id: check.id,
    clause: requirement.clause,
    level: requirement.level,
    ...rest,
    durationMs: Math.round((performance.now() - begun) * 10) / 10,
    evidence: environment.keepEvidence ? evidenceOf(check, running, environment, decisive) : [],
  };
  const seen = { where: `the check of ${check.id}`, behind: check.id, evidence: result.evidence };
  return {
    result,
    observations,
    facts: blocking === undefined ? [] : [seenBroken(blocking.owner, blocking.seen, environment, seen)],
    trouble: passingTrouble(running.serviceClient.recorder.entries, ending.result === 'pass'),
    broken,
    ...(isProven && { isProven }),
  };
}

function absentAbility({ needs }: Requirement, { target }: Session): NotApplicable | undefined {
  const absent = needs.find((ability) => !target.abilities.has(ability));
  return absent && new NotApplicable(absent, target.missing.get(absent));
}

class Limit {
  readonly #controller = new AbortController();
  readonly #deadlineMs: number | undefined;
  readonly signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;

  constructor({ signal, deadlineMs }: Pick<CheckEnvironment, 'signal' | 'deadlineMs'>) {
    this.#deadlineMs = deadlineMs;
    const own = this.#controller.signal;
    this.signal = signal === undefined ? own : AbortSignal.any([own, signal]);
  }

  begin(): void {
    this.end();
    const ms = this.#deadlineMs;
    if (ms === undefined) return;
    const late = () => this.#controller.abort(`the check did not end within ${ms / 1_000} s`);
    this.#timer = setTimeout(late, ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Ends the check's requests and pages at the limit, and abandons a check that waits for anything else. */
async function runUntilLimit(
  check: Check,
  running: RunningContext,
  environment: CheckEnvironment,
  limit: Limit,
): Promise<Ending> {
  limit.begin();
  const { advance } = environment;
  const stopped = advance && {
    advance: async (seconds: number) => {
      limit.end();
      const lateSeconds = await advance(seconds);
      limit.begin();
      return lateSeconds;
    },
  };
  try {
    return await unlessAborted(run(check, running, { ...environment, ...stopped }), limit.signal);
  } catch (error) {
    if (error instanceof Aborted) {
      const cause = environment.signal?.aborted ? 'interrupted' : undefined;
      return { result: 'not-run', reason: abortReason(limit.signal), cause };
    }
    throw error;
  } finally {
    limit.end();
  }
}

async function run(check: Check, running: RunningContext, environment: CheckEnvironment): Promise<Ending> {
  const [workaround] = workaroundsFor(check, environment);
  if (workaround !== undefined) {
    const failure = new ConformanceFailure('the documented request to be honoured', workaround.message);
    return failureOf(check.id, failure, environment);
  }
  try {
    if (isTimed(check)) await runStages(check, running, environment);
    else await check.run(running.context);
    return passUnlessUnproven(running);
  } catch (error) {
    const why = refusedByUs(running) ?? (await ofEarlierGrant(error, running)) ?? ofOnePage(error, running);
    const ending = endingOf(why, check.id, environment);
    const { caseName } = running.context.given;
    return caseName === undefined ? ending : { ...ending, reason: `${ending.reason} (case: ${caseName})` };
  }
}

/** The document defines no paging: an own user whom a part of a list does not show may be on the next page. */
function ofOnePage(error: unknown, { serviceClient }: RunningContext): unknown {
  const failure = error instanceof Blocked ? error.seen : error;
  if (!(failure instanceof ConformanceFailure) || failure.answer !== undefined) return error;
  const last = serviceClient.recorder.entries.findLast((entry) => entry.kind === 'exchange');
  const { request, response } = last?.exchange ?? {};
  if (request === undefined || response === undefined || !isPart(response)) return error;
  const shown = serviceClient.evaluated(response) ?? [];
  const isMissing = serviceClient.session.assignedByRun.assigned.some(
    ({ project, user }) => request.url.includes(`/projects/${project}/`) && !shown.includes(user),
  );
  if (!isMissing) return error;
  return new NotRun(
    `${failure.message}: the list continues on another page, where the user may be; configure a project with fewer users`,
  );
}

function refusedByUs({ serviceClient }: RunningContext): Blocked | undefined {
  const last = serviceClient.recorder.entries.findLast((entry) => entry.kind === 'exchange');
  const failure = last?.exchange.failure;
  if (!(failure instanceof NotAssignedAnyMore)) return undefined;
  return new Blocked('assign a user', serviceClient.session.leftovers.owner, failure.message);
}

/** A workaround may name a requirement of its own, such as that of a missing `/v2` (clause 9.1), whichever step found it. */
function workaroundsFor({ id }: Check, { smokeFlow }: CheckEnvironment): SmokeFlow['steps'] {
  return smokeFlow.steps.filter(
    ({ status, step, owner }) => status === 'workaround' && (owner ?? STEP_OWNER[step]) === id,
  );
}

async function runStages(
  check: Extract<Check, { stages: unknown }>,
  running: RunningContext,
  { session, advance = advanceClock(session) }: CheckEnvironment,
) {
  let state = await check.begin(running.context);
  let now = 0;
  for (const stage of check.stages) {
    const at = secondsOf(stage.at, session.target.skewSeconds);
    const startedAt = Date.now();
    const lateSeconds = await advance(at - now);
    running.serviceClient.recorder.step({ purpose: timePassingText(at - now), startedAt, durationMs: 0 });
    now = at;
    running.context.given.forgetToken();
    running.context.given.case(`${now} s after the check began`);
    try {
      state = await stage.run(running.context, state);
    } catch (error) {
      if (!(error instanceof ConformanceFailure) || lateSeconds < SLACK) throw error;
      const late = `the moment ${now} s may have been missed by ${Math.ceil(lateSeconds)} s, so it proves nothing`;
      throw new NotRun(`${late}: ${error.message}`);
    }
  }
}

/** Never late, because the clock stands still between moves. */
function advanceClock({ target: { clock } }: Session): Advance {
  const movable = requireAbility('clock', clock);
  return async (seconds) => {
    await movable.advance(seconds);
    return 0;
  };
}

/** Passes a check that did not throw only if its refusals prove something. */
function passUnlessUnproven({ refusals }: RunningContext): Ending {
  if (refusals.unexplained !== undefined) return { result: 'not-run', reason: refusals.unexplained };
  if (refusals.withoutTwin) {
    const broken = 'the check counts a refusal without showing that its twin is accepted';
    return { result: 'not-run', reason: broken, broken };
  }
  return { result: 'pass', reason: '' };
}

/**
 * Unassigns the suite's own users if the check sent an assign. If anyone remains, the session assigns no more users and
 * the end of the run tries again. A stopped check sends nothing; another client cleans up after it.
 */
async function unassignAfter(
  running: RunningContext,
  session: Session,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { leftovers, assignedByRun } = session;
  const { entries } = running.serviceClient.recorder;
  if (!entries.some((entry) => entry.kind === 'exchange' && assigns(entry.exchange))) return undefined;
  // The request that the stop interrupted is recorded a moment later.
  if (signal.aborted) await nextTurn();
  const { context } = signal.aborted
    ? createContext(
        sessionUntil(session, AbortSignal.timeout(CLEAN_UP_MS)),
        () => undefined,
        running.context.sharedRefusals,
      )
    : running;
  try {
    leftovers.add(await cleanUpAfter(context.given));
    return undefined;
  } catch (error) {
    leftovers.add(assignedByRun.assigned);
    return `cleaning up failed: ${firstLine(String(error))}`;
  }
}

function assigns({ request, failure }: Exchange): boolean {
  return request.method === 'PUT' && !(failure instanceof NotAssignedAnyMore);
}

/** Returns the entry that shows the result; undefined for a pass. Clean-up follows it. */
function decisiveIn({ serviceClient }: RunningContext, { result, answer }: Ending): RecordEntry | undefined {
  if (result === 'pass') return undefined;
  const exchanges = serviceClient.recorder.entries.filter((entry) => entry.kind === 'exchange');
  const named = answer && exchanges.findLast(({ exchange }) => exchange.response === answer);
  return named ?? exchanges.at(-1);
}

function evidenceOf(
  check: Check,
  { serviceClient }: RunningContext,
  environment: CheckEnvironment,
  decisive: RecordEntry | undefined,
) {
  const workaround = workaroundsFor(check, environment).flatMap(({ entries }) => entries);
  const { session, answerView } = environment;
  return toEvidence(
    [...workaround, ...serviceClient.recorder.entries],
    session.secrets,
    answerView,
    decisive,
  );
}
