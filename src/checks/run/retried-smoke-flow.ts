import type { Session } from '../../flow/session.ts';
import { type BaseWalk, type Opening, type StepOutcome, walkBase } from '../../flow/smoke-flow.ts';

/**
 * Runs the base flow, and on a live target a second time with its own code and tokens if a step got no answer. No
 * request is sent twice.
 */
export async function retriedSmokeFlow(
  session: Session,
  signal?: AbortSignal,
  opening?: Opening,
): Promise<BaseWalk> {
  const first = await walkBase(session, opening);
  if (signal?.aborted || !session.target.shared || !mayTryAgain(first.stopped)) return first;
  return walkBase(session);
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
