import { commandFor } from '../../document/input/program-name.ts';
import { CHECKS } from '../../evaluation/checks/index.ts';
import { longestWait } from '../../evaluation/run/shared-wait.ts';
import { abortReason } from '../../http/exchange.ts';
import type { RunTrouble } from '../../report/results.ts';
import type { Configuration } from '../../service/configuration/configuration.ts';

/** Seconds after the budget is spent, for cleanup. */
const GRACE_SECONDS = 180;

/** Runs work on a live target within its budget's time. @returns a trouble if it had to be stopped */
export async function withinBudget<T>(
  configuration: Configuration | undefined,
  {
    signal,
    waitExpiry,
  }: { readonly signal?: AbortSignal | undefined; readonly waitExpiry?: boolean | undefined },
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<{ readonly done: T; readonly late: readonly RunTrouble[] }> {
  if (configuration === undefined) return { done: await work(signal), late: [] };
  const waits = waitExpiry ? longestWait(CHECKS, configuration.skewSeconds) : 0;
  const seconds = configuration.budget.seconds + GRACE_SECONDS + waits;
  const message = `the run did not end within ${seconds} s and was stopped; run \`${commandFor('sweep', configuration.file)}\` before the next one`;
  const own = new AbortController();
  const timers = [setTimeout(() => own.abort(message), seconds * 1_000)];
  for (const { from, to } of configuration.retired?.brownouts ?? []) {
    const ms = Date.parse(from) - Date.now() - BEFORE_REST_MS;
    const rest = restText({ from, to }, 'the run was stopped');
    if (ms > 0 && ms < seconds * 1_000) timers.push(setTimeout(() => own.abort(rest), ms));
  }
  try {
    const done = await work(AbortSignal.any([own.signal, ...(signal ? [signal] : [])]));
    return {
      done,
      late: own.signal.aborted
        ? [{ kind: 'inconclusive', cause: 'interrupted', message: abortReason(own.signal) }]
        : [],
    };
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Milliseconds before an announced brownout, for the suite to unassign its users. */
const BEFORE_REST_MS = 15_000;

/** Returns the reason not to run during an announced brownout; undefined outside of all. */
export function brownoutAt({ retired }: Configuration, now: Date): string | undefined {
  const at = now.getTime();
  const found = retired?.brownouts?.find(
    ({ from, to }) => Date.parse(from) - BEFORE_REST_MS <= at && at < Date.parse(to),
  );
  return found && restText(found, 'nothing was sent');
}

function restText({ from, to }: { readonly from: string; readonly to: string }, so: string): string {
  return `the service rests from ${from} to ${to} (\`retired.brownouts\`): ${so}; run it again later`;
}
