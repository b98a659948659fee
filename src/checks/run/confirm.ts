import { walkBase } from '../../flow/smoke-flow.ts';
import type { CheckOutcome, CheckSurroundings } from '../run-check.ts';

/**
 * On a live target a failure counts only if the base walk still works right after it: otherwise the service has gone away
 * in the middle, and nobody can tell whether the contract or the outage was seen.
 *
 * @returns the outcome, as `not-run` when the base walk is refused or unheard now and was not at the start
 */
export async function confirmFailure(
  outcome: CheckOutcome,
  { session, walk }: CheckSurroundings,
): Promise<CheckOutcome> {
  if (session.target.kind !== 'live' || outcome.result.result !== 'fail') return outcome;
  const { stopped, left } = await walkBase(session);
  if (stopped === undefined || stopped.status === 'wrong' || stopped.step === walk.stopped?.step)
    return outcome;
  const { signature: _, ...result } = outcome.result;
  return {
    ...outcome,
    broken: outcome.broken ?? left,
    result: {
      ...result,
      result: 'not-run',
      reason: `right after it the base walk stopped at ${stopped.step} (${stopped.message}), so it cannot be told from an outage: ${result.reason}`,
    },
  };
}
