import { conclude, type Outcome } from '../../report/verdict.ts';
import type { InteractionOutcome, Verification } from './outcome.ts';

/** What a verification comes to: 1 when an interaction does not verify, 3 when one could not be judged, 4 when the suite failed. */
export function concludeVerification({ pacts, troubles }: Verification): Outcome {
  const all = pacts.flatMap(({ interactions }) => interactions);
  const failed = all.filter(({ result, pending }) => result === 'failed' && !pending);
  const notRun = all.filter(({ result }) => result === 'not-run');
  return conclude({
    troubles,
    violations: failed.length === 0 ? [] : [`${count(failed)} not verify: ${some(failed)}`],
    // One reason for all of them is told by the trouble already.
    gaps: notRun.length === 0 || troubles.length > 0 ? [] : [`${count(notRun)} not run: ${some(notRun)}`],
    judged: all.length - notRun.length,
  });
}

function count({ length }: readonly InteractionOutcome[]): string {
  return length === 1 ? '1 interaction did' : `${length} interactions did`;
}

/** The first few: a list of a hundred explains nothing. */
function some(outcomes: readonly InteractionOutcome[]): string {
  const shown = outcomes.slice(0, 5).map(({ description }) => `"${description}"`);
  return `${shown.join(', ')}${outcomes.length > 5 ? ` and ${outcomes.length - 5} more` : ''}`;
}
