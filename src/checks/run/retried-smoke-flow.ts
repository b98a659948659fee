import type { Session } from '../../flow/session.ts';
import { runSmokeFlow } from '../../flow/smoke-flow.ts';
import type { Opening, SmokeFlow, StepOutcome } from '../../flow/smoke-steps.ts';

/**
 * Runs the base flow, and on a live target a second time with its own code and tokens if a step got no answer. No
 * request is sent twice.
 */
export async function retriedSmokeFlow(
  session: Session,
  signal?: AbortSignal,
  opening?: Opening,
): Promise<SmokeFlow> {
  const first = await runSmokeFlow(session, opening);
  if (signal?.aborted || !session.target.shared || !mayTryAgain(first.stopped)) return first;
  return runSmokeFlow(session);
}

/** Never retries a password that failed, because accounts get locked. */
function mayTryAgain(stopped: StepOutcome | undefined): boolean {
  if (stopped?.status !== 'no-answer') return false;
  return !stopped.entries.some((entry) =>
    entry.kind === 'step'
      ? entry.step.detail?.includes('shows sign-in')
      : entry.exchange.purpose.startsWith('sign in'),
  );
}
