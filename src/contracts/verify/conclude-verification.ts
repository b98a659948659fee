import { conclude, type RunOutcome } from '../../report/verdict.ts';
import type { InteractionOutcome, PactOutcome, Verification } from './outcome.ts';

/** What a verification comes to: 1 when an interaction of a pact that counts does not verify, 3 when one could not be evaluated, 4 when the suite failed. */
export function concludeVerification({ pacts, troubles }: Verification): RunOutcome {
  const all = pacts.flatMap(({ interactions, ...pact }) => interactions.map((one) => ({ ...one, pact })));
  const counted = all.filter(({ pact }) => pact.standing === 'counts');
  const failed = counted.filter(({ result, pending }) => result === 'failed' && !pending);
  const notRun = counted.filter(({ result }) => result === 'not-run');
  return conclude({
    troubles,
    violations: failed.length === 0 ? [] : [`${count(failed)} not verify: ${some(failed)}`],
    // One reason for all of them is told by the trouble already.
    gaps: notRun.length === 0 || troubles.length > 0 ? [] : [`${count(notRun)} not run: ${some(notRun)}`],
    judged: all.filter(({ result }) => result !== 'not-run').length,
  });
}

/** An interaction with the pact that it is in: two consumers may describe theirs alike. */
type Owned = InteractionOutcome & { readonly pact: Pick<PactOutcome, 'consumer'> };

function count({ length }: readonly Owned[]): string {
  return length === 1 ? '1 interaction did' : `${length} interactions did`;
}

/** The first few: a list of a hundred explains nothing. */
function some(outcomes: readonly Owned[]): string {
  const shown = outcomes.slice(0, 5).map(({ description, pact }) => `${pact.consumer} "${description}"`);
  return `${shown.join(', ')}${outcomes.length > 5 ? ` and ${outcomes.length - 5} more` : ''}`;
}
