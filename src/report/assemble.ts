import type { Results } from './results.ts';
import { totalsOf } from './totals.ts';
import { verdictOf } from './verdict.ts';

export type Run = Omit<Results, 'schemaVersion' | 'verdict' | 'exitCode' | 'totals'>;

/**
 * Turns a run into the document `results.json`: adds verdict, exit code and totals, so that they always match the results.
 *
 * @throws for a run that ended in wrong usage, because nothing was sent
 */
export function assembleResults(run: Run): Results {
  const outcome = verdictOf(run);
  if (outcome.verdict === '-')
    throw new Error(
      `no results can be written for wrong usage (exit 2): print what is wrong instead: ${outcome.because.join('; ')}`,
    );
  return {
    ...run,
    schemaVersion: '1.3',
    verdict: outcome.verdict,
    exitCode: outcome.exitCode,
    totals: totalsOf(run.requirements),
  };
}
