import { type Exchange, isSilence, isUnavailable, TransportFailure } from '../../http/exchange.ts';
import { orError } from '../../http/or-else.ts';
import { exchangesOf, type RecordEntry } from '../../http/recorder.ts';
import { type LeftOver, leftText } from './assigned-by-run.ts';
import { CLEAN_UP_MS, cleanUp } from './clean-up.ts';
import { FlowSteps, orStopped, Stopped } from './flow-steps.ts';
import { releaseLock } from './lock.ts';
import { ServiceClient } from './service-client.ts';
import { type Session, sessionUntil } from './session.ts';

export interface LeftBehind {
  readonly message: string;
  /** The message without its reason. */
  readonly brief: string;
  /** True if the reason is that the service gave no answer. */
  readonly unreachable: boolean;
  /** True if a list shows one of them although the service answered to unassigning; false if no list can tell. */
  readonly listed: boolean;
  readonly entries: readonly RecordEntry[];
}

/**
 * Ends a run on a target: unassigns the users whom it may have left assigned, because a list may have been stale and an outage may
 * be over, reads the lists of those whose unassigning no list has confirmed, and then releases the lock. Sends also after an abort
 * of the run. Sends nothing if nothing is left, or if the target restores its assignments itself. Returns the users who stay assigned, if any.
 */
export async function endOfRun(session: Session): Promise<LeftBehind | undefined> {
  const { leftovers, assignedByRun, target } = session;
  if (target.restoreAssignments !== undefined) return undefined;
  leftovers.add(assignedByRun.assigned);
  return ended(session, async (c) => (leftovers.any || assignedByRun.any ? cleanUpLeftovers(c) : undefined));
}

/** Releases the lock alone, and leaves everybody else assigned: for `handover`. */
export function endOfLock(session: Session): Promise<LeftBehind | undefined> {
  return ended(session, async () => undefined);
}

async function ended(
  session: Session,
  unassign: (c: ServiceClient) => Promise<Stopped | undefined>,
): Promise<LeftBehind | undefined> {
  const { leftovers, assignedByRun, target } = session;
  if (!leftovers.any && !assignedByRun.any && !assignedByRun.lockHeld) return undefined;
  target.traffic?.beginEnd();
  const own = sessionUntil(session, AbortSignal.timeout(CLEAN_UP_MS));
  const serviceClient = new ServiceClient(own);
  const end = async () => {
    const stopped = await unassign(serviceClient);
    const lock = await releaseLock(serviceClient);
    if (lock !== undefined) leftovers.add([lock]);
    return stopped;
  };
  const why = await orError(end(), TransportFailure);
  if (!leftovers.any) return undefined;
  const { entries } = serviceClient.recorder;
  const answered = exchangesOf(entries).some((one) => answersUnassign(one, leftovers.users));
  const brief = leftText(leftovers.users, target);
  return {
    message: why === undefined ? brief : `${brief} (${why.message})`,
    brief,
    unreachable: isSilence(why instanceof Stopped ? why.clues.cause : why),
    listed: answered && leftovers.users.some(({ unread }) => unread === undefined),
    entries,
  };
}

async function cleanUpLeftovers(serviceClient: ServiceClient): Promise<Stopped | undefined> {
  const { leftovers } = serviceClient.session;
  const token = await orStopped(new FlowSteps(serviceClient).freshAccessToken());
  if (token instanceof Stopped) return token;
  leftovers.users = await cleanUp(serviceClient, token, leftovers.users);
  return undefined;
}

/** The lock's release, with a token of its own, says nothing of the others. */
function answersUnassign({ request, response }: Exchange, left: readonly LeftOver[]): boolean {
  const isTheirs = left.some(({ user }) => request.url.endsWith(`/${encodeURIComponent(user)}`));
  return request.method === 'DELETE' && isTheirs && !isUnavailable(response);
}
