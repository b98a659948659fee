import { isSuccess } from '../../http/exchange.ts';
import { findingText } from '../target.ts';
import { answerText } from './answers.ts';
import type { OwnAssignment } from './assigned-by-run.ts';
import { arraysIn, pointersTo, unreadableList } from './assigned-list.ts';
import { type FlowSteps, Stopped } from './flow-steps.ts';
import type { RequestStyle } from './requests.ts';
import type { ServiceClient } from './service-client.ts';

/** Assigns or unassigns a user, and requires that the list shows it. Returns the request style that reads the list. */
export async function changeAssignment(
  flowSteps: FlowSteps,
  token: string,
  operation: 'assign' | 'unassign',
  { project, user }: OwnAssignment,
): Promise<RequestStyle> {
  const { serviceClient } = flowSteps;
  const { status } = (await flowSteps.act(operation, { project, user, token })).response;
  const list = await flowSteps.operation('list', { project, token }, `list after ${operation}ing`);
  if (list.response === undefined)
    throw new Stopped(operation, 'no-answer', answerText(list), {
      clues: { cause: list.failure },
    });
  const wrong = (holds: string) =>
    new Stopped(operation, 'wrong', `${operation} answered ${status}, but the list ${holds} the user`);
  if (operation === 'unassign') {
    const listed = serviceClient.listed(list.response);
    if (listed?.includes(user)) throw wrong('still holds');
    if (listed !== undefined) serviceClient.session.assignedByRun.seenUnassigned(project, [user]);
    return serviceClient.requestStyle;
  }
  const pointer = serviceClient.requestStyle.userIdPointer ?? pointersTo(list.response, user)[0];
  const requestStyle = { ...serviceClient.requestStyle, userIdPointer: pointer };
  const listed = isSuccess(list.response) ? serviceClient.withStyle(requestStyle).listed(list.response) : [];
  if (listed === undefined) {
    const finding = unreadableList(list.response);
    throw new Stopped(operation, 'refused', `${finding.observed}: ${finding.remedy}`, { clues: { finding } });
  }
  const place = { project, user };
  if (!listed.includes(user))
    throw (await misread(serviceClient.withStyle(requestStyle), token, place)) ?? wrong('does not hold');
  if (user === flowSteps.target.users[0] && arraysIn(list.response) > 1)
    await requireOneArray(flowSteps, token, place, requestStyle);
  return requestStyle;
}

/** Returns how the step ends if the list is misread: the user's id stands at another place, and disappears after unassigning. */
async function misread(
  serviceClient: ServiceClient,
  token: string,
  { project, user }: OwnAssignment,
): Promise<Stopped | undefined> {
  const { userIdPointer, readsList } = serviceClient.session.target;
  const read = userIdPointer ?? serviceClient.requestStyle.userIdPointer;
  if (read === undefined && readsList === undefined) return undefined;
  const places = async () => {
    const { response } = await serviceClient.resource('list', { operation: 'list', project, token });
    return isSuccess(response) ? pointersTo(response, user) : [];
  };
  const found = await places();
  if (found.length === 0) return undefined;
  const removed = await serviceClient.resource('unassign', { operation: 'unassign', project, user, token });
  if (!isSuccess(removed.response)) return undefined;
  const left = await places();
  const [place] = found.filter((one) => !left.includes(one));
  if (place === undefined) return undefined;
  const stood = `the user who was just assigned; the id stood at \`${place}\` until the user was unassigned`;
  const stopped = (observed: string, remedy = 'correct it') =>
    new Stopped('assign', 'refused', findingText({ observed, remedy }));
  if (userIdPointer !== undefined)
    return stopped(`\`list.userId\` is \`${userIdPointer}\`, which does not lead to ${stood}`);
  if (readsList !== undefined) return stopped(`the module of \`list.reader\` does not read ${stood}`);
  return stopped(
    `the list has other users at \`${read}\`, which does not lead to ${stood}`,
    'name a module that reads the whole list (`list.reader`)',
  );
}

/** A list with several arrays may keep each sort of users in one: requires that the further own users stand where the first does. */
async function requireOneArray(
  flowSteps: FlowSteps,
  token: string,
  { project }: OwnAssignment,
  requestStyle: RequestStyle,
): Promise<void> {
  const serviceClient = flowSteps.serviceClient.withStyle(requestStyle);
  for (const user of flowSteps.target.users.slice(1)) {
    const sent = { project, user, token };
    await flowSteps.operation('assign', sent);
    const { response } = await flowSteps.operation('list', sent, 'list with a further user');
    const stopped =
      response !== undefined && serviceClient.listed(response)?.includes(user) === false
        ? await misread(serviceClient, token, { project, user })
        : undefined;
    await flowSteps.operation('unassign', sent);
    if (stopped !== undefined) throw stopped;
  }
}
