import type { RequirementId } from '../../../generated/ids.ts';
import type { RecordEntry } from '../../http/recorder.ts';
import { type AnswerView, toEvidence } from '../../http/to-evidence.ts';
import { keysOf, unreachedText } from '../../http/unreachable.ts';
import { countText } from '../../report/verdict.ts';
import { type Answered, type TokenAnswer, tokensIn } from '../../service/flow/answers.ts';
import { endOfRun, type LeftBehind } from '../../service/flow/end-of-run.ts';
import { Stopped } from '../../service/flow/flow-steps.ts';
import { type LateAnswer, SOON_MS } from '../../service/flow/late-answers.ts';
import type { Session } from '../../service/flow/session.ts';
import {
  ownerOfRefusal,
  type SmokeFlow,
  type StepId,
  type StepOutcome,
  stoppedText,
} from '../../service/flow/smoke-steps.ts';
import type { Target } from '../../service/target.ts';
import { type Check, check } from '../language/check.ts';
import { ConformanceFailure, NotRun, noEffect, shownLate } from '../language/outcome.ts';
import { OF_RESPONSES, type ResponseOf } from '../language/token-response.ts';
import { type CheckEnvironment, type CheckOutcome, notRun, seenBroken } from './check-outcome.ts';
import { CheckRunner } from './check-runner.ts';
import { type CollectedRun, monitoredIn } from './collected-run.ts';
import { type ExploredRun, exploreLive } from './exploring.ts';
import { useOldestToken } from './oldest-token.ts';
import {
  type ExplorePlan,
  type LookAtOpenPoints,
  type PreparedTarget,
  type PrepareOptions,
  prepareTarget,
  type ReadyTarget,
  type RunPlan,
  type UnreadyTarget,
} from './prepare-target.ts';
import { runCheck } from './run-check.ts';
import { longestWait, realTime } from './shared-wait.ts';

export interface Worker {
  run(check: Check): Promise<CheckOutcome>;
  observe(look: LookAtOpenPoints): Promise<void>;
  /** Tries random sequences. @param meanwhile results from another target of the same kind */
  explore(plan: ExplorePlan, meanwhile: Promise<ExploredRun> | undefined): Promise<void>;
  close(): Promise<void>;
}

export async function openWorker(
  plan: RunPlan,
  selected: readonly Check[],
  run: CollectedRun,
  options: PrepareOptions,
): Promise<Worker> {
  const { secrets } = run;
  const { signal } = options;
  const prepared = await prepareTarget(plan, secrets, { ...options, selected });
  if (!prepared.ready) return unreadyWorker(prepared, run);
  const { watched, environment } = prepared;
  const { target } = environment.session;
  const inconclusive = (message: string) =>
    run.trouble({ kind: 'inconclusive', message: secrets.redact(message) });
  run.opened(target);
  for (const contradiction of prepared.wrongSettings) inconclusive(contradiction);
  const waitClock = plan.waitExpiry
    ? realTime(
        longestWait(selected, target.skewSeconds),
        (secondsLeft) => run.listener.onWaiting?.(secondsLeft),
        signal,
      )
    : undefined;
  const runner = new CheckRunner(prepared, selected, inconclusive, waitClock);
  const attempt = (check: Check) => (plan.smoke ? smokeOutcome(check, environment) : runner.run(check));
  return {
    run: async (check) => run.keep(await attempt(check)),
    observe: async (look) => {
      const { answers, unseen, evidence } = await look(environment);
      run.found.seen ??= { answers, unseen, evidence };
    },
    explore: async (wanted, meanwhile) => {
      // With checks in the run, the checks evaluate the smoke flow's answers.
      const { stopped } = environment.smokeFlow;
      if (selected.length === 0 && stopped?.status === 'wrong')
        inconclusive(
          `before exploring, the smoke flow stopped at ${stoppedText(stopped)}; run \`check\`, which evaluates it`,
        );
      const done = await (meanwhile ?? exploreLive(watched, runner.session, wanted, signal));
      run.explored(done.explored);
      if (done.seen !== undefined) run.note(done.seen);
    },
    close: async () => {
      const goesOn = signal?.aborted !== true;
      if (goesOn && !plan.smoke && selected.length > 0) await useOldestToken(watched, runner.session);
      const last = goesOn ? await runner.lastLook() : undefined;
      await endOf(prepared, run);
      if (last !== undefined) run.trouble(last.trouble);
      run.retirement(last?.retired === true, prepared.notices());
      run.granted(environment.session.grants);
      run.note(monitoredIn(prepared));
      await closed(prepared, target, run);
    },
  };
}

function unreadyWorker(prepared: UnreadyTarget, run: CollectedRun): Worker {
  const { target, trouble, retired, proof, session } = prepared;
  if (target !== undefined) run.opened(target);
  run.trouble(trouble);
  return {
    run: async ({ id }) => run.keep(notRun(id, trouble.message, trouble.cause)),
    observe: async () => undefined,
    explore: async () => undefined,
    close: async () => {
      if (session !== undefined) noteLeft(await endOfRun(session), session, run);
      run.retirement(retired, prepared.notices(), proof);
      await closed(prepared, target, run);
    },
  };
}

async function closed(prepared: PreparedTarget, target: Target | undefined, run: CollectedRun) {
  // Before the first check one request is enough, because no evaluation can be lost.
  if (target !== undefined) noteGone(target, run, prepared.ready ? undefined : 1);
  if (target?.traffic !== undefined) run.found.used ??= target.traffic.used;
  await prepared.close();
}

function noteGone({ traffic, authUrl, baseUrl }: Target, run: CollectedRun, times?: number): void {
  const gone = traffic?.unreached(times) ?? [];
  if (gone.length === 0) return;
  run.note({
    kind: 'service-gone',
    message: unreachedText(gone, keysOf({ authUrl, baseUrl })),
  });
}

async function endOf({ environment }: ReadyTarget, run: CollectedRun): Promise<void> {
  const { session, answerView, smokeFlow } = environment;
  const seen = (
    requirement: RequirementId,
    failure: ConformanceFailure,
    where: string,
    entries: readonly RecordEntry[],
    warns = false,
  ) => {
    const evidence = toEvidence(entries, session.secrets, answerView);
    const fact = seenBroken(requirement, failure, environment, { where, evidence });
    run.note(warns ? { ...fact, failure: { ...fact.failure, result: 'warning' } } : fact);
  };
  const { stopped } = smokeFlow;
  if (stopped?.step === 'unassign' && stopped.httpStatus !== undefined) {
    const got = `status ${stopped.httpStatus}`;
    const refused = new ConformanceFailure('unassign to be honoured for a user who is listed', got);
    seen(ownerOfRefusal('unassign', stopped.httpStatus), refused, 'the smoke flow', stopped.entries);
  }
  const { lock } = session;
  if (lock.shown === 'late') seen('list.fresh', shownLate('assign'), 'taking the lock', []);
  if (lock.shown === 'never') seen('assign.adds-user', noEffect('assign'), 'taking the lock', []);
  for (const { of, delayMs, count, exchanges } of session.late.found) {
    const [requirement, wanted, got] = LATE[of];
    const where = `${countText(count, 'request')} of the run, at most ${delayMs} ms late`;
    const entries = exchanges.map((exchange) => ({ kind: 'exchange', exchange }) as const);
    const warns = of === 'list' && delayMs <= SOON_MS;
    seen(requirement, new ConformanceFailure(wanted, got), where, entries, warns);
  }
  noteLeft(await endOfRun(session), session, run, answerView);
}

const LATE: Readonly<Record<LateAnswer['of'], readonly [RequirementId, wanted: string, got: string]>> = {
  list: ['list.fresh', 'a list to show a change at once', 'one that shows it later'],
  exchange: ['exchange.token-acts', 'a new access token to act', 'one that acts later'],
  refresh: ['refresh.new-token-acts', 'a new access token to act', 'one that acts later'],
};

function noteLeft(
  left: LeftBehind | undefined,
  { secrets, leftovers, target }: Session,
  run: CollectedRun,
  answerView?: AnswerView,
): void {
  if (left === undefined) return;
  // The trouble of the run names the reason already.
  const isTold = left.unreachable && (target.traffic?.unreached() ?? []).length > 0;
  run.note({
    kind: 'left-assigned',
    message: secrets.redact(isTold ? left.brief : left.message),
    explainedBy: [leftovers.owner, ...EXPLAIN_LEFT],
    listed: left.listed,
    evidence: toEvidence(left.entries, secrets, answerView),
  });
}

/** Requirements whose failure explains users who stay assigned: an unassign does nothing, or no token may unassign. */
const EXPLAIN_LEFT = [
  'unassign.removes-user',
  'list.returns-assigned',
  'authorize.scope-combined',
  'scope.granted-scopes-act',
] as const;

/** Requirements that a smoke run evaluates by one step of its smoke flow, where the full check takes several. */
const STEP_OF: Readonly<Partial<Record<RequirementId, StepId>>> = {
  'authorize.redirects-with-code': 'authorize',
  'exchange.form-encoded': 'exchange',
  'exchange.token-acts': 'act',
  'version.prefix': 'act',
  'assign.adds-user': 'assign',
  'unassign.removes-user': 'unassign',
  'refresh.token-response': 'refresh',
};

export const SMOKE_CHECKS = [
  ...Object.keys(STEP_OF),
  ...Object.keys(OF_RESPONSES),
] as readonly RequirementId[];

async function smokeOutcome({ id }: Check, environment: CheckEnvironment): Promise<CheckOutcome> {
  const { smokeFlow, session, answerView } = environment;
  const step = STEP_OF[id];
  const [expect, ...responses] = OF_RESPONSES[id] ?? [];
  const evaluated = check(id, async ({ given }) => {
    if (step !== undefined) expectDone(takenIn(smokeFlow, step));
    for (const of of responses)
      if (responses.length === 1 || of === 'exchange' || given.mayRefresh)
        expect?.(answerOf(of, smokeFlow), of);
  });
  const outcome = await runCheck(evaluated, environment);
  const steps: readonly (StepId | undefined)[] = [step, ...responses];
  const entries = smokeFlow.steps.flatMap((one) => (steps.includes(one.step) ? one.entries : []));
  const evidence = toEvidence(entries, session.secrets, answerView);
  return { ...outcome, result: { ...outcome.result, evidence } };
}

/** Returns a step of the smoke flow. @throws Stopped if the flow did not come to it, or NotRun if it has none */
function takenIn({ steps, stopped }: SmokeFlow, wanted: StepId): StepOutcome {
  const taken = steps.find(({ step }) => step === wanted);
  if (taken !== undefined) return taken;
  throw (stopped && whyNot(stopped)) ?? new NotRun(`the smoke flow sent no ${wanted}`);
}

/** Returns why a step was not done; undefined if it was. */
function whyNot({ step, status, message, ...clues }: StepOutcome): Stopped | undefined {
  return status === 'done' || status === 'workaround'
    ? undefined
    : new Stopped(step, status, message, { clues });
}

function expectDone(taken: StepOutcome): void {
  const { status, message } = taken;
  if (status === 'wrong') throw new ConformanceFailure('the documented request to be honoured', message);
  if (whyNot(taken) !== undefined) throw new NotRun(message);
}

/** Returns the token response of a step of the smoke flow. @throws Stopped */
function answerOf(of: ResponseOf, smokeFlow: SmokeFlow): Answered<TokenAnswer> {
  const taken = takenIn(smokeFlow, of);
  const last = taken.entries.findLast((entry) => entry.kind === 'exchange');
  const [exchange, why] = [last?.kind === 'exchange' ? last.exchange : undefined, whyNot(taken)];
  const { response } = exchange ?? {};
  if (why !== undefined || exchange === undefined || response === undefined)
    throw why ?? new NotRun(`the smoke flow got no answer to ${of}`);
  return { ...exchange, response, tokens: tokensIn(exchange) };
}
