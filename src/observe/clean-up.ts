import type { RecordEntry } from '../exchange/recorder.ts';
import { Conversation } from '../flow/conversation.ts';
import { stillAssignedBy, unassignOwnUsers } from '../flow/own-users.ts';
import { authorizationParameters, exchangeParameters } from '../flow/parameters.ts';
import type { Session } from '../flow/session.ts';
import { readCode } from '../flow/smoke-flow.ts';
import { ALL_SCOPES } from '../targets/target.ts';

/**
 * Unassigns the suite's own users after the probes. Only where anybody was assigned.
 *
 * @param entries everything that the probes have sent
 * @returns what could not be put back; undefined when all was
 */
export async function putBack(
  session: Session,
  entries: readonly RecordEntry[],
): Promise<string | undefined> {
  const { target } = session;
  const assigned = entries.some(
    (entry) => entry.kind === 'exchange' && entry.exchange.request.method === 'PUT',
  );
  if (!assigned) return undefined;
  if (target.restoreAssignments !== undefined) {
    await target.restoreAssignments();
    return undefined;
  }
  const conversation = new Conversation(session, session.newRecorder());
  try {
    return await unassignOwnUsers(
      conversation,
      await freshToken(conversation),
      stillAssignedBy(entries, target),
    );
  } catch (error) {
    return `the suite's own users could not be unassigned again: ${(error as Error).message}`;
  }
}

async function freshToken(conversation: Conversation): Promise<string> {
  const { application } = conversation.session.target;
  const parameters = authorizationParameters(application, conversation.dialect, { scope: ALL_SCOPES });
  const outcome = await conversation.authorize(parameters, {
    decision: 'grant',
    signedIn: true,
    through: 'cookies',
  });
  const code = readCode(outcome);
  if (!code.ok) throw new Error(`no code: ${code.message}`);
  const { tokens } = await conversation.token(
    'exchange the code',
    exchangeParameters(application, code.value),
  );
  if (tokens.accessToken === undefined) throw new Error('an exchange gave no access token');
  return tokens.accessToken;
}
