import type { RecordEntry } from '../exchange/recorder.ts';
import type { Conversation } from './conversation.ts';
import { stillAssignedBy, unassignOwnUsers } from './own-users.ts';

/**
 * Unassigns the suite's own users whom some requests have assigned; sends nothing where they have assigned none.
 *
 * @param entries everything that was sent since these users were unassigned
 * @param accessToken obtains a token that may list and unassign; asked for only when there is something to do
 * @returns undefined when none of them is assigned any more, else a sentence that says what is left
 */
export async function cleanUpAfter(
  conversation: Conversation,
  entries: readonly RecordEntry[],
  accessToken: () => Promise<string>,
): Promise<string | undefined> {
  const { target } = conversation.session;
  const assigned = entries.some(
    (entry) => entry.kind === 'exchange' && entry.exchange.request.method === 'PUT',
  );
  if (!assigned) return undefined;
  if (target.restoreAssignments !== undefined) {
    await target.restoreAssignments();
    return undefined;
  }
  try {
    return await unassignOwnUsers(conversation, await accessToken(), stillAssignedBy(entries, target));
  } catch (error) {
    return `the suite's own users could not be unassigned again: ${(error as Error).message}`;
  }
}
