import { isBusy } from '../../exchange/exchange.ts';
import { waitReally } from '../../flow/clean-up.ts';
import type { Session } from '../../flow/session.ts';
import type { CheckFact } from '../../report/facts.ts';
import type { CheckOutcome } from './run-check.ts';

/** Milliseconds before the second and the third, last attempt at a check; long enough for a deployment. */
const PAUSES_MS = [1_000, 4_000] as const;

const CLEANING_UP = 'unassign again';

/**
 * Runs a check. On a live target, reruns it with its own codes and tokens after a 429, 502, 503 or 504; no request is
 * resent. The last attempt counts.
 */
export async function repeatIfBusy(
  attempt: () => Promise<CheckOutcome>,
  { target }: Session,
): Promise<CheckOutcome> {
  let outcome = await attempt();
  if (!target.shared) return outcome;
  const { pause = waitReally } = target;
  const attempts: CheckFact[] = [];
  for (const ms of PAUSES_MS) {
    const answers = busyAnswers(outcome);
    if (answers === '') break;
    attempts.push({ kind: 'busy', requirement: outcome.result.id, answers });
    await pause(ms);
    outcome = await attempt();
  }
  return { ...outcome, facts: [...attempts, ...outcome.facts] };
}

function busyAnswers({ result }: CheckOutcome): string {
  return result.evidence
    .flatMap((entry) => {
      const status = entry.kind === 'exchange' ? entry.response?.status : entry.status;
      const isCleaningUp = entry.purpose === CLEANING_UP;
      return status === undefined || !isBusy(status) || isCleaningUp
        ? []
        : [`${entry.purpose}: status ${status}`];
    })
    .join(', ');
}
