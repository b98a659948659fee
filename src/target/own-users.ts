import { isSuccess } from '../exchange/exchange.ts';
import type { Conversation } from './conversation.ts';
import { listedAmong } from './preflight.ts';

/**
 * Unassigns the suite's own users from the configured projects, and touches nobody else.
 *
 * @param token an access token that may list and unassign
 * @returns undefined when nobody of the suite's own is assigned any more, else a sentence that says what is left
 */
export async function unassignOwnUsers(
  conversation: Conversation,
  token: string,
): Promise<string | undefined> {
  const left: string[] = [];
  for (const project of conversation.session.target.projects) {
    for (const user of await ownUsersIn(conversation, project, token)) {
      await conversation.resource('unassign again', { operation: 'unassign', project, user, token });
    }
    for (const user of await ownUsersIn(conversation, project, token))
      left.push(`user ${user} in project ${project}`);
  }
  return left.length === 0 ? undefined : `still assigned and to be unassigned by hand: ${left.join(', ')}`;
}

async function ownUsersIn(
  conversation: Conversation,
  project: string,
  token: string,
): Promise<readonly string[]> {
  const { users } = conversation.session.target;
  const { response } = await conversation.resource('list', { operation: 'list', project, token });
  if (!isSuccess(response)) {
    throw new Error(`the list of project ${project} answered ${response?.status ?? 'nothing'}`);
  }
  return listedAmong(users, conversation, response);
}
