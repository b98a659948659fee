import { isSuccess } from '../../http/exchange.ts';
import { answerText } from './answers.ts';
import type { OwnAssignment } from './assigned-by-run.ts';
import { pointersTo, UNREADABLE_LIST } from './assigned-list.ts';
import { type Player, Stopped } from './player.ts';
import type { RequestStyle } from './request-style.ts';
import { findingText } from './settings/finding.ts';
import { misreadPlace } from './settings/users.ts';

/** Assigns or unassigns a user, and requires that the list shows it. Returns the request style that reads the list. */
export async function change(
  player: Player,
  token: string,
  operation: 'assign' | 'unassign',
  { project, user }: OwnAssignment,
): Promise<RequestStyle> {
  const { conversation: c } = player;
  const { status } = (await player.act(operation, { project, user, token })).response;
  const list = await player.operation('list', { project, token }, `list after ${operation}ing`);
  if (list.response === undefined) throw new Stopped(operation, 'no-answer', answerText(list));
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
  const listed = isSuccess(list.response) ? c.speaking(requestStyle).listed(list.response) : [];
  if (listed === undefined) throw new Stopped(operation, 'refused', UNREADABLE_LIST);
  if (listed.includes(user)) return requestStyle;
  const misread = await misreadPlace(c, token, { project, user });
  if (misread === undefined) throw wrong('does not hold');
  throw new Stopped(operation, 'refused', findingText(misread));
}
