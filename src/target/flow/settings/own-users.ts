import { commandFor } from '../../../document/input/program-name.ts';
import { isSuccess, jsonOf, type WireResponse } from '../../../http/exchange.ts';
import type { Target } from '../../target.ts';
import { answerText } from '../answers.ts';
import type { OwnAssignment } from '../assigned-by-run.ts';
import { mentionedIds, pointersTo } from '../assigned-list.ts';
import type { Conversation } from '../conversation.ts';
import type { ConfigurationFinding } from './finding.ts';

export interface Preflight {
  readonly assigned: readonly OwnAssignment[];
  readonly unreadable: readonly string[];
}

/**
 * Tests if an own user, or the lock user, is assigned in a configured project at the start: the clean-up would remove that
 * assignment. A lock that this run holds does not count. Only reads.
 *
 * @param conversation in a request style that the resource API accepts
 * @param token an access token that may list
 * @param users the own users to look for
 */
export async function ownUsersAssigned(
  conversation: Conversation,
  token: string,
  users: readonly string[] = conversation.session.target.users,
): Promise<Preflight> {
  const { target, assignedByRun } = conversation.session;
  const { projects } = target;
  const lock = assignedByRun.lockHeld ? undefined : target.lock;
  const assigned: OwnAssignment[] = [];
  const unreadable: string[] = [];
  for (const project of new Set([...projects, ...(lock === undefined ? [] : [lock.project])])) {
    const answer = await conversation.resource('look who is assigned at the start', {
      operation: 'list',
      project,
      token,
    });
    const { response } = answer;
    if (!isSuccess(response)) {
      unreadable.push(`the list of project ${project} (${keyOf(project, target)}): ${answerText(answer)}`);
      continue;
    }
    const own = lock?.project === project ? [...users, lock.user] : users;
    for (const user of listedAmong(own, conversation, response)) assigned.push({ project, user });
  }
  return { assigned, unreadable };
}

function keyOf(project: string, { projects }: Target): string {
  const index = projects.indexOf(project);
  return index < 0 ? '`lock.project`' : `\`projects[${index}]\``;
}

export function preflightTrouble({ assigned, unreadable }: Preflight): ConfigurationFinding | undefined {
  if (unreadable.length > 0) {
    return {
      observed: `cannot see who is assigned at the start: ${unreadable.join('; ')}`,
      remedy: 'correct the id, let `owner` see the project, or remove it from `projects`',
    };
  }
  if (assigned.length === 0) return undefined;
  const who = assigned.map(({ project, user }) => `user ${user} in project ${project}`).join(', ');
  return {
    observed: `the suite's own users must be unassigned at the start, but are assigned: ${who}; another run is under way, or was killed`,
    remedy: REMEDIES,
  };
}

const REMEDIES = [
  'if another run is under way: let it end, or set `lock.waitSeconds`',
  `if a run was killed: \`${commandFor('sweep', 'FILE')}\``,
  'correct `users` and `lock`: these must be users that only the suite uses',
  'if no client has assigned them: the service lists users who are not assigned, against clause 4.4; add --yes to see it',
  'if their ids stand there for something else, set `list.userId` to the right place',
].join('; ');

/** Returns the users in a list. Until the request style knows the place of ids, any member named like an id counts. */
export function listedAmong(
  users: readonly string[],
  conversation: Conversation,
  response: WireResponse,
): readonly string[] {
  const { requestStyle, session } = conversation;
  if (requestStyle.userIdPointer !== undefined || session.target.readsList !== undefined) {
    const listed = conversation.listed(response);
    if (listed !== undefined) return users.filter((user) => listed.includes(user));
  }
  if (jsonOf(response) === undefined) return mentionedIds(response.body, users);
  return users.filter((user) => pointersTo(response, user).some(namesAnId));
}

/** Returns true for members that are named like an id, because other numbers in a record may equal one. */
function namesAnId(pointer: string): boolean {
  return /(?:^|\/)(?:\*|[^/]*id)$/i.test(pointer);
}

/**
 * Returns how the configuration misreads the list, if the assigned user's id appears at another place and disappears
 * after unassigning; else undefined.
 */
export async function misreadPlace(
  c: Conversation,
  token: string,
  { project, user }: OwnAssignment,
): Promise<ConfigurationFinding | undefined> {
  const { userIdPointer, readsList } = c.session.target;
  if (userIdPointer === undefined && readsList === undefined) return undefined;
  const places = async () => {
    const { response } = await c.resource('list', { operation: 'list', project, token });
    return isSuccess(response) ? pointersTo(response, user) : [];
  };
  const found = await places();
  if (found.length === 0) return undefined;
  const removed = await c.resource('unassign', { operation: 'unassign', project, user, token });
  if (!isSuccess(removed.response)) return undefined;
  const left = await places();
  const [place] = found.filter((one) => !left.includes(one));
  if (place === undefined) return undefined;
  const says =
    userIdPointer === undefined
      ? 'the module of `list.reader` does not read'
      : `\`list.userId\` is \`${userIdPointer}\`, which does not lead to`;
  const observed = `${says} the user who was just assigned; the id stood at \`${place}\` until the user was unassigned`;
  return { observed, remedy: 'correct it' };
}
