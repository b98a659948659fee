import type { Session } from '../../flow/session.ts';
import { type BaseWalk, type Opening, type StepOutcome, walkBase } from '../../flow/smoke-flow.ts';

/**
 * The base walk; a second one where the first got no answer at some step on a live target. A service that is busy for a
 * moment is no reason to give up. Nothing is sent twice: the second walk has a code and tokens of its own.
 */
export async function steadyWalk(
  session: Session,
  signal?: AbortSignal,
  opening?: Opening,
): Promise<BaseWalk> {
  const first = await walkBase(session, opening);
  if (signal?.aborted || session.target.kind !== 'live' || !mayTryAgain(first.stopped)) return first;
  return walkBase(session);
}

/** Nobody types a password again that has led nowhere: accounts get locked. */
function mayTryAgain(stopped: StepOutcome | undefined): boolean {
  if (stopped?.status !== 'no-answer') return false;
  return !stopped.entries.some((entry) =>
    entry.kind === 'step'
      ? entry.step.detail?.includes('shows sign-in')
      : entry.exchange.purpose.startsWith('sign in'),
  );
}
