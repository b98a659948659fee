import { freshAccessToken } from '../flow/actor.ts';
import { cleanUpText } from '../flow/clean-up.ts';
import { Conversation } from '../flow/conversation.ts';
import { type Session, sessionUntil } from '../flow/session.ts';
import type { MonitoredSession } from '../monitor/attach.ts';

const CLEAN_UP_MS = 60_000;

/**
 * Unassigns users whom the exploration may have left assigned, also after an abort. Sends nothing if there are none.
 *
 * @param access a token of all three scopes, if there is one; a spent budget gives no other
 * @returns the remaining users, in one sentence; undefined if none
 */
export async function unassignOwn(
  { monitor }: MonitoredSession,
  session: Session,
  access?: string,
): Promise<string | undefined> {
  const { projects, users } = session.target;
  const own = projects.flatMap((project) => {
    const known = monitor.project(project);
    return users.filter((user) => known.valuesOf(user).has(true) && session.assignedByRun.has(project, user));
  });
  if (own.length === 0) return undefined;
  const until = sessionUntil(session, AbortSignal.timeout(CLEAN_UP_MS));
  const conversation = new Conversation(until, until.newRecorder());
  try {
    const left = access === undefined ? undefined : await cleanUpText(conversation, access);
    if (access !== undefined && left === undefined) return undefined;
    const fresh = await freshAccessToken(conversation);
    if (fresh.ok) return await cleanUpText(conversation, fresh.value);
    return left ?? `no token was given to unassign own users with: ${fresh.message}`;
  } catch (error) {
    return (error as Error).message;
  }
}
