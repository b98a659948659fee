import { isSuccess } from '../../http/exchange.ts';
import { answerText } from './answers.ts';
import type { OwnAssignment } from './assigned-by-run.ts';
import { arraysIn, pointersTo, unreadableList } from './assigned-list.ts';
import { type FlowSteps, Stopped } from './flow-steps.ts';
import type { RequestStyle } from './request-style.ts';
import { findingText } from './settings/finding.ts';
import { misreadListFinding } from './settings/users.ts';

/** Assigns or unassigns a user, and requires that the list shows it. Returns the request style that reads the list. */
export async function changeAssignment(
  flowSteps: FlowSteps,
  token: string,
  operation: 'assign' | 'unassign',
  { project, user }: OwnAssignment,
): Promise<RequestStyle> {
  const { serviceClient: c } = flowSteps;
  const { status } = (await flowSteps.act(operation, { project, user, token })).response;
  const list = await flowSteps.operation('list', { project, token }, `list after ${operation}ing`);
  if (list.response === undefined)
    throw new Stopped(operation, 'no-answer', answerText(list), {
      clues: { cause: list.failure },
    });
  const wrong = (holds: string) =>
    new Stopped(operation, 'wrong', `${operation} answered ${status}, but the list ${holds} the user`);
  if (operation === 'unassign') {
    const listed = c.listed(list.response);
    if (listed?.includes(user)) throw wrong('still holds');
    if (listed !== undefined) c.session.assignedByRun.seenUnassigned(project, [user]);
    return c.requestStyle;
  }
  const pointer = c.requestStyle.userIdPointer ?? pointersTo(list.response, user)[0];
  const requestStyle = { ...c.requestStyle, userIdPointer: pointer };
  const listed = isSuccess(list.response) ? c.withStyle(requestStyle).listed(list.response) : [];
  if (listed === undefined) {
    const finding = unreadableList(list.response);
    throw new Stopped(operation, 'refused', `${finding.observed}: ${finding.remedy}`, { clues: { finding } });
  }
  const place = { project, user };
  if (!listed.includes(user))
    throw (await misread(flowSteps, token, place, requestStyle)) ?? wrong('does not hold');
  if (user === flowSteps.target.users[0] && arraysIn(list.response) > 1)
    await requireOneArray(flowSteps, token, place, requestStyle);
  return requestStyle;
}

async function misread(
  { serviceClient: c }: FlowSteps,
  token: string,
  place: OwnAssignment,
  requestStyle: RequestStyle,
): Promise<Stopped | undefined> {
  const found = await misreadListFinding(c.withStyle(requestStyle), token, place);
  return found && new Stopped('assign', 'refused', findingText(found));
}

/** A list with several arrays may keep each sort of users in one: requires that the further own users stand where the first does. */
async function requireOneArray(
  flowSteps: FlowSteps,
  token: string,
  { project }: OwnAssignment,
  requestStyle: RequestStyle,
): Promise<void> {
  const c = flowSteps.serviceClient.withStyle(requestStyle);
  for (const user of flowSteps.target.users.slice(1)) {
    const sent = { project, user, token };
    await flowSteps.operation('assign', sent);
    const { response } = await flowSteps.operation('list', sent, 'list with a further user');
    const stopped =
      response !== undefined && c.listed(response)?.includes(user) === false
        ? await misread(flowSteps, token, { project, user }, requestStyle)
        : undefined;
    await flowSteps.operation('unassign', sent);
    if (stopped !== undefined) throw stopped;
  }
}
