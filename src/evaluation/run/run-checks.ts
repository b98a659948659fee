import { commandFor } from '../../document/input/program-name.ts';
import { abortReason } from '../../http/exchange.ts';
import type { Check } from '../language/check.ts';
import { CollectedRun, type RunListener } from './collected-run.ts';
import { exploreEmulator } from './exploring.ts';
import type { PrepareOptions, RunPlan } from './prepare-target.ts';
import { openWorker } from './worker.ts';

export interface RunOptions extends PrepareOptions {
  /** Number of parallel connections to targets of the same kind; 1 for a live target. */
  readonly workers: number;
  readonly listener: RunListener;
  readonly ready?: Promise<unknown>;
}

/** Milliseconds for clean-up after an abort. */
const CLEAN_UP_DEADLINE_MS = 60_000;

/**
 * Runs checks on the target of a plan; checks that provoke refusals and replays run last, because they may revoke or lock. A
 * problem with the target becomes a trouble of the run. After an abort running checks end, and own users are unassigned.
 * @throws the error of `ready`; then nothing was sent
 */
export async function runChecks(
  plan: RunPlan,
  checks: readonly Check[],
  { workers, listener, ready, ...options }: RunOptions,
): Promise<CollectedRun> {
  const { signal } = options;
  const run = new CollectedRun(listener);
  const ordered = scheduledChecks(checks, workers);
  const queue = [...ordered];
  const notReady = new AbortController();
  const { target, explore } = plan;
  const ended = AbortSignal.any([notReady.signal, ...(signal ? [signal] : [])]);
  const meanwhile =
    explore === undefined || target !== 'emulator'
      ? undefined
      : exploreEmulator(plan, explore, run.secrets, ended);
  const meanwhileOver = meanwhile?.catch(() => undefined);
  await ready?.catch((error: unknown) => {
    notReady.abort();
    throw error;
  });
  const count = Math.max(1, Math.min(workers, queue.length));
  const work = async (index: number) => {
    const worker = await openWorker(plan, ordered, run, options);
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        if (signal?.aborted) break;
        await worker.run(next);
      }
      // After the checks, because some probes revoke.
      if (index === 0 && plan.observe !== undefined && signal?.aborted !== true) {
        await worker.observe(plan.observe);
      }
      if (index === 0 && plan.explore !== undefined && signal?.aborted !== true) {
        await worker.explore(plan.explore, meanwhile);
      }
    } finally {
      await worker.close();
    }
  };
  const all = Array.from({ length: count }, (_, index) => work(index));
  // If it fails, the worker that waits for it fails.
  const allAndAside = Promise.all([...all, meanwhileOver]);
  await unlessGivenUp(allAndAside, plan, run, signal);
  if (signal?.aborted) run.found.ended ??= abortReason(signal);
  return run;
}

/** Puts checks that provoke last. Several workers get the subjects mixed: one has work while the browser draws a page for the other. */
export function scheduledChecks(checks: readonly Check[], workers = 1): readonly Check[] {
  const subjectOf = ({ id }: Check) => (workers > 1 ? id.split('.', 1)[0] : 'all');
  const groups = Map.groupBy(checks, (check) => `${check.provokes} ${subjectOf(check)}`);
  const placed = [...groups.values()].flatMap((group) =>
    group.map((check, index) => ({ check, at: Number(check.provokes) + (index + 0.5) / group.length })),
  );
  return placed.toSorted((a, b) => a.at - b.at).map(({ check }) => check);
}

async function unlessGivenUp(
  workers: Promise<unknown>,
  plan: RunPlan,
  run: CollectedRun,
  signal: AbortSignal | undefined,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    const wait = () => {
      timer = setTimeout(resolve, CLEAN_UP_DEADLINE_MS, 'late');
    };
    if (signal?.aborted) wait();
    else signal?.addEventListener('abort', wait, { once: true });
  });
  if ((await Promise.race([workers, late])) === 'late') {
    const message = `the run was stopped and had not cleaned up after ${CLEAN_UP_DEADLINE_MS / 1_000} s; run \`${commandFor('sweep', plan.target === 'emulator' ? undefined : plan.target.file)}\` before the next one`;
    run.trouble({ kind: 'broken', message });
  }
  clearTimeout(timer);
}
