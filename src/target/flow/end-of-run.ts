import { TransportFailure, type WireResponse } from '../../http/exchange.ts';
import type { RecordEntry } from '../../http/recorder.ts';
import { type LeftOver, leftText } from './assigned-by-run.ts';
import { CLEAN_UP_MS, cleanUp, letListsSettle, waitReally } from './clean-up.ts';
import { Conversation } from './conversation.ts';
import { Player, Stopped, tried } from './player.ts';
import { type Session, sessionUntil } from './session.ts';
import type { Preflight } from './settings/users.ts';

export interface LeftBehind {
  readonly message: string;
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
  return ended(session, async (c) => (leftovers.any || assignedByRun.any ? cleanUpLeftovers(c) : ''));
}

/** Releases the lock alone, and leaves everybody else assigned: for `handover`. */
export function endOfLock(session: Session): Promise<LeftBehind | undefined> {
  return ended(session, async () => '');
}

async function ended(
  session: Session,
  unassign: (c: Conversation) => Promise<string>,
): Promise<LeftBehind | undefined> {
  const { leftovers, assignedByRun, target } = session;
  if (!leftovers.any && !assignedByRun.any && !assignedByRun.lockHeld) return undefined;
  target.traffic?.beginEnd();
  const own = sessionUntil(session, AbortSignal.timeout(CLEAN_UP_MS));
  const conversation = new Conversation(own);
  let why = '';
  try {
    why = await unassign(conversation);
    const lock = await releaseLock(conversation);
    if (lock !== undefined) leftovers.add([lock]);
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    why = ` (${error.message})`;
  }
  if (!leftovers.any) return undefined;
  const { entries } = conversation.recorder;
  const answered = entries.some(
    (entry) =>
      entry.kind === 'exchange' && isAnswerToUnassign(entry.exchange.request, entry.exchange.response),
  );
  return {
    message: `${leftText(leftovers.users, target)}${why}`,
    listed: answered && leftovers.users.some(({ unread }) => unread === undefined),
    entries,
  };
}

async function cleanUpLeftovers(conversation: Conversation): Promise<string> {
  const { leftovers } = conversation.session;
  const token = await tried(new Player(conversation).freshAccessToken());
  if (token instanceof Stopped) return ` (${token.message})`;
  leftovers.set(await cleanUp(conversation, token, leftovers.users));
  return '';
}

function isAnswerToUnassign(
  { method }: { readonly method: string },
  response: WireResponse | undefined,
): boolean {
  return method === 'DELETE' && response !== undefined && response.status !== 429 && response.status < 500;
}

/** Milliseconds between two looks at a lock that another run holds. */
const BETWEEN_LOOKS_MS = 5_000;

/**
 * Waits while another run holds the lock, or has own users assigned: for the usual pause of late lists, then up to
 * `lock.waitSeconds`. Only reads. Returns the last look.
 */
export async function waitForOtherRun(
  c: Conversation,
  found: Preflight,
  look: () => Promise<Preflight>,
): Promise<Preflight> {
  const { target, lock } = c.session;
  const { pause = waitReally } = target;
  if (found.assigned.length === 0) return found;
  await letListsSettle(target);
  let last = await look();
  const { waitSeconds = 0 } = lock.place ?? {};
  if (waitSeconds > 0 && last.assigned.length > 0)
    target.say?.(
      `another run is under way, or was killed: waiting up to ${waitSeconds} s for it to end (\`lock.waitSeconds\`)`,
    );
  for (let left = waitSeconds * 1_000; left > 0 && last.assigned.length > 0; ) {
    const ms = Math.min(left, BETWEEN_LOOKS_MS);
    await pause(ms);
    left -= ms;
    last = await look();
  }
  return last;
}

/**
 * Releases the lock with a new token, else with the newest one of the base flow, also after an abort of the run. Returns the lock user if
 * still listed, or if no list can be read.
 */
export async function releaseLock(c: Conversation): Promise<LeftOver | undefined> {
  const { lock, assignedByRun, target } = c.session;
  const { place } = lock;
  if (place === undefined || !assignedByRun.lockHeld) return undefined;
  const { project, user } = place;
  // The clean-up reads the lists of all projects of its target; the lock concerns one.
  const session = { ...c.session, target: { ...target, projects: [project], users: [user] } as const };
  const release = async (token: string) =>
    (await cleanUp(new Conversation(session, c.recorder, c.requestStyle), token, [{ project, user }]))[0];
  const fresh = await tried(new Player(c).freshAccessToken());
  if (typeof fresh === 'string' && (await release(fresh)) === undefined) return undefined;
  const why = fresh instanceof Stopped ? fresh.message : 'no other token';
  return lock.token === undefined ? { project, user, unread: why } : release(lock.token);
}
