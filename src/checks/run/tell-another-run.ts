import { randomInt } from 'node:crypto';
import { TransportFailure } from '../../exchange/exchange.ts';
import { Conversation } from '../../flow/conversation.ts';
import type { OwnAssignment } from '../../flow/preflight.ts';
import type { Session } from '../../flow/session.ts';
import { Given } from '../given.ts';
import { Blocked, NotRun } from '../outcome.ts';
import { lastCleanUp } from './last-clean-up.ts';

/**
 * How often a user is assigned and unassigned: for as long as the other run may need to finish a check and to look on. First any
 * user, which the check that is under way there notices, and at last only users whom the other run has not assigned.
 */
const TIMES = { any: 16, free: 16 } as const;

/** Requests between two changes at most, each a list: at odd moments, so that two runs which do this at once see each other too. */
const LONGEST_PAUSE = 4;

/**
 * Shows another run of the suite in the same projects that it is not alone: assigns one of the suite's own users and unassigns the user
 * again, a few times. The run that notices the other first goes no further, and without this the other would see
 * no more than that something failed, and blame the service. To be done when this run has cleaned up: the last thing it does must be one
 * that the other sees and is not harmed by. Does nothing where no user may be assigned any more.
 */
export async function tellAnotherRun(session: Session): Promise<void> {
  const { projects, users } = session.target;
  const conversation = new Conversation(session, session.newRecorder());
  const given = new Given(conversation);
  let assigned: OwnAssignment | undefined;
  try {
    const token = await given.accessToken();
    for (let time = 0; time < TIMES.any + TIMES.free; time += 1) {
      const project = projects[randomInt(projects.length)] ?? projects[0];
      const listed = await given.listed(project);
      const free = users.filter((one) => time < TIMES.any || !listed.includes(one));
      const user = free[randomInt(Math.max(1, free.length))];
      if (user === undefined) continue;
      assigned = { project, user };
      await conversation.resource('assign', { operation: 'assign', ...assigned, token });
      for (let left = randomInt(LONGEST_PAUSE + 1); left > 0; left -= 1) await given.listed(project);
      const { response } = await conversation.resource('unassign', {
        operation: 'unassign',
        ...assigned,
        token,
      });
      // Refused: the other run has unassigned the user.
      if (response === undefined || response.status >= 500) break;
      assigned = undefined;
    }
  } catch (error) {
    const expected = error instanceof Blocked || error instanceof NotRun || error instanceof TransportFailure;
    if (!expected) throw error;
  } finally {
    if (assigned !== undefined) {
      session.leftovers.add([assigned]);
      await lastCleanUp(session);
    }
  }
}
