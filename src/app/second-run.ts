import { repeatable } from '../report/policy.ts';
import type { Run } from '../report/verdict.ts';
import { type CheckedTarget, type CommandOptions, checkedTarget } from './check.ts';

/** Runs the checks that failed a second time. Returns undefined if none failed, or why it could not. */
export async function secondRun(
  { run }: CheckedTarget,
  target: string,
  options: CommandOptions,
): Promise<Run | string | undefined> {
  const only = run.requirements.filter(repeatable).map(({ id }) => id);
  if (only.length === 0 || options.signal?.aborted === true) return undefined;
  const { profile, defects, waitExpiry, report, env, signal, installBrowser, verbose } = options;
  const same = { profile, defects, waitExpiry, report, env, signal, installBrowser, verbose };
  try {
    return (await checkedTarget(target, { ...same, only, lanes: 1, explore: 0 })).run;
  } catch (error) {
    return error instanceof Error ? error.name : 'an error';
  }
}
