import type { LeftOver } from './assigned-by-run.ts';
import { cleanUp, letListsSettle, waitReally } from './clean-up.ts';
import { Conversation } from './conversation.ts';
import { Player, Stopped, tried } from './player.ts';
import type { Preflight } from './settings/own-users.ts';

/** Milliseconds between two looks at a lock that another run holds. */
const BETWEEN_LOOKS_MS = 5_000;

/**
 * Waits while another run holds the lock, or has own users assigned: for the usual pause of late lists, then up to
 * `lock.waitSeconds`. Only reads.
 *
 * @param found the first look
 * @param look looks again
 * @returns the last look
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
  for (let left = (lock.place?.waitSeconds ?? 0) * 1_000; left > 0 && last.assigned.length > 0; ) {
    const ms = Math.min(left, BETWEEN_LOOKS_MS);
    await pause(ms);
    left -= ms;
    last = await look();
  }
  return last;
}

/**
 * Releases the lock with a new token, else with the one that took it.
 *
 * @param c sends also after an abort of the run
 * @returns the lock user if still listed, or if no list can be read; undefined if released, or not held
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
