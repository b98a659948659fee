import type { Run } from '../report/assemble.ts';
import type { RequirementResult } from '../report/results.ts';
import { type CheckedTarget, type CommandOptions, checkedTarget } from './check.ts';

export async function reproduced(
  checked: CheckedTarget,
  target: string,
  options: CommandOptions,
): Promise<CheckedTarget> {
  const { run } = checked;
  const failed = run.requirements.filter(({ result, level }) => result === 'fail' && level !== 'frozen');
  if (failed.length === 0 || options.signal?.aborted === true) return checked;
  const again = await ranAgain(target, options, failed);
  const requirements = run.requirements.map((result) =>
    failed.includes(result) ? { ...result, reproduced: outcomeOf(result, run, again) } : result,
  );
  const broken = typeof again === 'string' ? [] : again.troubles.filter(({ kind }) => kind === 'broken');
  return { ...checked, run: { ...run, requirements, troubles: [...run.troubles, ...broken] } };
}

async function ranAgain(
  target: string,
  options: CommandOptions,
  failed: readonly RequirementResult[],
): Promise<Run | string> {
  const { profile, defects, waitExpiry, report, env, signal, installBrowser, verbose } = options;
  const only = failed.map(({ id }) => id);
  const alone = {
    profile,
    defects,
    waitExpiry,
    report,
    env,
    signal,
    installBrowser,
    verbose,
    only,
    lanes: 1,
    explore: 0,
  };
  try {
    return (await checkedTarget(target, alone)).run;
  } catch (error) {
    return error instanceof Error ? error.name : 'an error';
  }
}

function outcomeOf(
  { id }: RequirementResult,
  { exploration }: Run,
  again: Run | string,
): NonNullable<RequirementResult['reproduced']> {
  if (typeof again === 'string') return { seen: 1, of: 1, why: `it could not be run again (${again})` };
  const second = again.requirements.find((one) => one.id === id);
  switch (second?.result) {
    case 'fail':
    case 'known-deviation':
      return { seen: 2, of: 2 };
    case 'pass': {
      const found = exploration?.findings.some(({ requirement, counts }) => requirement === id && counts);
      if (found)
        return { seen: 1, of: 1, why: 'it was found by exploring; `explore --replay` does that again' };
      return { seen: 1, of: 2 };
    }
    default:
      return { seen: 1, of: 1, why: `it could not be evaluated again: ${second?.reason ?? 'not run'}` };
  }
}
