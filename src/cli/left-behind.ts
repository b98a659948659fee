import type { Signals } from '../report/verdict.ts';
import { endOfRun, type LeftBehind } from '../target/flow/end-of-run.ts';
import type { Session } from '../target/flow/session.ts';

/**
 * Ends a run of a verb without requirements.
 *
 * @param end unassigns users and releases the lock
 * @returns a violation of clause 4.4 for users whom the service does not unassign; a trouble if no list can tell
 */
export async function endedWith(
  session: Session,
  end: (session: Session) => Promise<LeftBehind | undefined> = endOfRun,
): Promise<Pick<Signals, 'troubles' | 'violations'>> {
  const left = await end(session);
  if (left === undefined) return { troubles: [], violations: [] };
  const message = session.secrets.redact(left.message);
  return left.listed
    ? { troubles: [], violations: [`unassign.removes-user (clause 4.4): ${message}`] }
    : { troubles: [{ kind: 'inconclusive', message }], violations: [] };
}
