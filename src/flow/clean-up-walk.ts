import { jsonOf } from '../exchange/exchange.ts';
import { Conversation, tokensIn } from './conversation.ts';
import { stillAssignedBy, unassignOwnUsers } from './own-users.ts';
import type { Session } from './session.ts';
import type { BaseWalk } from './smoke-flow.ts';

/** Milliseconds that cleaning up may take once a run was told to stop. */
export const CLEAN_UP_MS = 45_000;

/**
 * Unassigns whom an interrupted smoke flow has left assigned.
 *
 * @returns what is left, undefined when nothing is
 */
export async function cleanUpWalk(
  session: Session,
  { steps, dialect }: BaseWalk,
): Promise<string | undefined> {
  const entries = steps.flatMap((step) => step.entries);
  const assigned = stillAssignedBy(entries, session.target);
  if (assigned.length === 0) return undefined;
  const tokens = entries.flatMap((entry) => {
    const response = entry.kind === 'exchange' ? entry.exchange.response : undefined;
    return tokensIn(response, jsonOf(response)).accessToken ?? [];
  });
  const recorder = session.newRecorder(AbortSignal.timeout(CLEAN_UP_MS));
  try {
    const conversation = new Conversation(session, recorder, dialect);
    return await unassignOwnUsers(conversation, tokens.at(-1) ?? '', assigned);
  } catch (error) {
    return `the suite's own users could not be unassigned again: ${(error as Error).message}`;
  }
}
