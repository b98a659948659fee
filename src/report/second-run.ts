import type { Run } from './assemble.ts';
import type { RequirementResult } from './results.ts';

/** Only what its own check can show again: an answer that differs from the recorded one has no check. */
export function repeatable({ result, level }: RequirementResult): boolean {
  return result === 'fail' && level !== 'frozen';
}

/** Says of each failure whether it showed again; `again` is why there was no second run, if there was none. */
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
