import type { Run } from './assemble.ts';
import type { Retirement } from './results.ts';

export interface ExpectedRetirement {
  /** First day of the expected retirement, `2027-02-01`, UTC. */
  readonly from: string;
  readonly takesOver: readonly string[];
}

/**
 * Compares a retired service with the configuration. It is as expected if the date has come, both addresses prove it,
 * and no requirement was evaluated before. Otherwise the run is unchanged and the report says why.
 */
export function withExpectedRetirement(run: Run, expected: ExpectedRetirement | undefined): Run {
  const { retirement } = run;
  if (expected === undefined || retirement?.retired !== true) return run;
  const why = whyNot(run, retirement, expected);
  if (why !== undefined) return { ...run, retirement: { ...retirement, unexpected: why } };
  return {
    ...run,
    troubles: run.troubles.filter(({ kind }) => kind !== 'inconclusive'),
    retirement: { ...retirement, expected },
  };
}

const EVALUATED = ['pass', 'fail', 'warning', 'known-deviation'];

function whyNot(run: Run, { signs }: Retirement, { from }: ExpectedRetirement): string | undefined {
  const today = run.startedAt.slice(0, 10);
  if (today < from) return `it is expected from ${from} on, and today is ${today}`;
  if (run.requirements.some(({ result }) => EVALUATED.includes(result)))
    return 'requirements were evaluated before: the service ended, or failed, in the middle of the run';
  if (signs?.proven !== true) return `not both addresses prove it (${signs?.said.join('; ') ?? 'not asked'})`;
  return undefined;
}
