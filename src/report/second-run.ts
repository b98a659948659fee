import type { Run } from './assemble.ts';
import type { RequirementResult } from './results.ts';

/** Only results that a check can show again: a difference from a recorded answer has no check. */
export function repeatable({ result, level }: RequirementResult): boolean {
  return result === 'fail' && level !== 'frozen';
}

/** Notes for each failure if it showed again; `again` may be the reason why there was no second run. */
export function withSecondRun(run: Run, again: Run | string): Run {
  const requirements = run.requirements.map((result) =>
    repeatable(result) ? { ...result, reproduced: outcomeOf(result, run, again) } : result,
  );
  const broken = typeof again === 'string' ? [] : again.troubles.filter(({ kind }) => kind === 'broken');
  return { ...run, requirements, troubles: [...run.troubles, ...broken] };
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
