import { endOfRun } from '../../service/flow/end-of-run.ts';
import { stoppedText } from '../../service/flow/smoke-steps.ts';
import type { Target } from '../../service/target.ts';
import type { Check } from '../language/check.ts';
import { type CheckOutcome, notRun } from './check-outcome.ts';
import { CheckRunner } from './check-runner.ts';
import { type CollectedRun, monitoredIn } from './collected-run.ts';
import { noteEnd, noteGone, noteLeft } from './end-facts.ts';
import { type ExploredRun, exploreLive } from './exploring.ts';
import { useOldestToken } from './oldest-token.ts';
import {
  type ExplorePlan,
  type LookAtOpenPoints,
  type PreparedTarget,
  type PrepareOptions,
  prepareTarget,
  type RunPlan,
  type UnreadyTarget,
} from './prepare-target.ts';
import { longestWait, realTime } from './shared-wait.ts';
import { smokeOutcome } from './smoke-checks.ts';

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
      await noteEnd(prepared, run);
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
