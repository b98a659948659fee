import { jsonOf } from '../../exchange/exchange.ts';
import type { Session } from '../../flow/session.ts';
import { flowToToken } from '../../flow/smoke-flow.ts';
import { type SmokeFlow, STEP_OWNER, type StepOutcome } from '../../flow/smoke-steps.ts';
import { type CheckEnvironment, type CheckOutcome, doubted } from '../run-check.ts';
import { retriedSmokeFlow } from './retried-smoke-flow.ts';

/**
 * Confirms a failure on a live target: the smoke flow must still work right after it, because an outage may explain the failure.
 * The failure's own effects confirm it too: users still assigned, or the same step refused again.
 *
 * @returns the outcome, in doubt if the smoke flow stops now but did not at the start
 */
export async function confirmFailure(
  outcome: CheckOutcome,
  { session, walk }: CheckEnvironment,
): Promise<CheckOutcome> {
  if (!session.target.shared || outcome.result.result !== 'fail') return outcome;
  const { stopped, left } = await confirmingWalk(session);
  if (stopped === undefined || stopped.status === 'wrong' || stopped.step === walk.stopped?.step)
    return outcome;
  if (stopped.ownLeft !== undefined || refusedAgain(outcome, stopped)) return outcome;
  const why = `right after it the smoke flow stopped at ${stopped.step} (${stopped.message}), so it cannot be told from an outage`;
  return doubted({ ...outcome, broken: outcome.broken ?? left }, session.secrets.redact(why));
}

/** Stops after a successful list if a user remains assigned, because no further assign is allowed then. */
function confirmingWalk(session: Session): Promise<SmokeFlow> {
  return session.leftovers.any ? flowToToken(session) : retriedSmokeFlow(session);
}

/** True if the failed requirement's step is refused again, and not because the client itself is refused. */
function refusedAgain({ result }: CheckOutcome, { step, status, entries }: StepOutcome): boolean {
  if (status !== 'refused' || STEP_OWNER[step] !== result.id) return false;
  const last = entries.findLast((entry) => entry.kind === 'exchange')?.exchange.response;
  const error = (jsonOf(last) as { error?: unknown } | undefined | null)?.error;
  return last?.status === 400 && error !== 'invalid_client' && error !== 'unauthorized_client';
}
