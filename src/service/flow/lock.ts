import { isSuccess } from '../../http/exchange.ts';
import type { LeftOver } from './assigned-by-run.ts';
import { cleanUp, waitForLists } from './clean-up.ts';
import { FlowSteps, orStopped, Stopped } from './flow-steps.ts';
import type { RequestStyle } from './requests.ts';
import { changeAssignment } from './seen-change.ts';
import { ServiceClient } from './service-client.ts';

/** Requests that release the lock: pages and an exchange for a new token, unassign, and lists. */
const RELEASE_REQUESTS = 12;

/**
 * Takes the lock. The list decides if it is taken: a list that never shows it, or late, stops no run.
 *
 * @param token an access token that may assign
 * @returns the request style, with what the list showed
 */
export async function takeLock(flowSteps: FlowSteps, token: string): Promise<RequestStyle> {
  const { serviceClient, target, session } = flowSteps;
  const { lock, assignedByRun } = session;
  const place = target.lock;
  if (place === undefined || assignedByRun.lockHeld) return serviceClient.requestStyle;
  target.traffic?.keepForEnd(RELEASE_REQUESTS);
  const taken = await orStopped(changeAssignment(flowSteps, token, 'assign', place));
  lock.token = token;
  if (!(taken instanceof Stopped)) return taken;
  // With a status the request itself was refused; else the list behind it cannot be read.
  if (taken.status === 'refused' && taken.httpStatus !== undefined)
    assignedByRun.seenUnassigned(place.project, [place.user]);
  if (taken.status !== 'wrong') throw taken;
  await waitForLists(target);
  const { response } = await flowSteps.operation('list', { project: place.project, token });
  const listed = isSuccess(response) && serviceClient.listedAmong([place.user], response).length > 0;
  lock.shown = listed ? 'late' : 'never';
  return serviceClient.requestStyle;
}

/**
 * Releases the lock with a new token, else with the newest one of the smoke flow, also after an abort of the run. Returns the lock user if
 * still listed, or if no list can be read.
 */
export async function releaseLock(serviceClient: ServiceClient): Promise<LeftOver | undefined> {
  const { lock, assignedByRun, target } = serviceClient.session;
  if (target.lock === undefined || !assignedByRun.lockHeld) return undefined;
  const { project, user } = target.lock;
  // The clean-up reads the lists of all projects of its target; the lock concerns one.
  const session = {
    ...serviceClient.session,
    target: { ...target, projects: [project], users: [user] } as const,
  };
  const release = async (token: string) =>
    (
      await cleanUp(new ServiceClient(session, serviceClient.recorder, serviceClient.requestStyle), token, [
        { project, user },
      ])
    )[0];
  const fresh = await orStopped(new FlowSteps(serviceClient).freshAccessToken());
  if (typeof fresh === 'string') {
    const left = await release(fresh);
    // A list that was read is the service's word; an older token may be dead since the clock has moved.
    if (left?.unread === undefined) return left;
  }
  const why = fresh instanceof Stopped ? fresh.message : 'no other token';
  return lock.token === undefined ? { project, user, unread: why } : release(lock.token);
}
