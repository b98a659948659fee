import { isSuccess, type WireResponse } from '../exchange/exchange.ts';
import type { RecordEntry } from '../exchange/recorder.ts';
import type { Target } from '../targets/target.ts';
import { pointersTo } from './assigned-list.ts';
import type { Conversation, ResourceAnswer } from './conversation.ts';
import { listedAmong, type OwnAssignment } from './preflight.ts';
import { encodeId } from './requests.ts';

/** What became of the suite's own users in one project. */
export interface SweptProject {
  readonly project: string;
  /** Who was listed and is not any more. */
  readonly unassigned: readonly string[];
  /** Who is still listed, and what the service said to unassigning. */
  readonly left: readonly { readonly user: string; readonly answer: string }[];
  /** Everybody else who was listed before and is not any more. The suite has not asked for that. */
  readonly othersLost: readonly string[];
  /** Why nothing can be said, where the list could not be read. */
  readonly unreadable?: Unreadable;
}

/** A list could not be read. */
export interface Unreadable {
  /** `no answer in time`, `status 404`. */
  readonly answer: string;
  /** Whether nobody could be heard (no answer, 429, 5xx): the same may work later. */
  readonly unheard: boolean;
}

/**
 * Unassigns the suite's own users from the configured projects, touches nobody else, and looks again once all is done: a
 * service may list a user in a project that he is not assigned to.
 *
 * @param token an access token that may list and unassign
 * @param assigned who was assigned where a moment ago: they are unassigned although the list does not show them, for it may
 *   be an old one
 */
export async function sweepProjects(
  conversation: Conversation,
  token: string,
  assigned: readonly OwnAssignment[] = [],
): Promise<readonly SweptProject[]> {
  const begun: Begun[] = [];
  for (const project of conversation.session.target.projects) {
    const suspects = assigned.filter((one) => one.project === project).map(({ user }) => user);
    begun.push(await unassignIn(conversation, project, token, suspects));
  }
  const swept: SweptProject[] = [];
  for (const one of begun) swept.push(await lookAgain(conversation, token, one));
  return swept;
}

/** A project whose own users were unassigned, before anybody has looked whether they are. */
interface Begun {
  readonly project: string;
  readonly before: ResourceAnswer;
  /** Who was asked to be unassigned, and what the service said to it. */
  readonly answers: ReadonlyMap<string, string>;
}

async function unassignIn(
  conversation: Conversation,
  project: string,
  token: string,
  suspects: readonly string[],
): Promise<Begun> {
  const { users } = conversation.session.target;
  const before = await list(conversation, project, token);
  const answers = new Map<string, string>();
  if (!isSuccess(before.response)) return { project, before, answers };
  const listed = listedAmong(users, conversation, before.response);
  for (const user of users.filter((one) => listed.includes(one) || suspects.includes(one))) {
    const call = { operation: 'unassign', project, user, token } as const;
    answers.set(user, inWords(await conversation.resource('unassign again', call)));
  }
  return { project, before, answers };
}

async function lookAgain(
  conversation: Conversation,
  token: string,
  { project, before, answers }: Begun,
): Promise<SweptProject> {
  const nothing = { project, unassigned: [], left: [], othersLost: [] };
  if (!isSuccess(before.response)) return { ...nothing, unreadable: unreadable(before) };
  const [someone] = answers.keys();
  if (someone === undefined) return nothing;
  const pointer = conversation.dialect.userIdPointer ?? pointersTo(before.response, someone)[0];
  const speaking = conversation.speaking({ ...conversation.dialect, userIdPointer: pointer });
  const after = await list(conversation, project, token);
  if (!isSuccess(after.response)) return { ...nothing, unreadable: unreadable(after) };
  const still = listedAmong(conversation.session.target.users, speaking, after.response);
  return {
    project,
    unassigned: [...answers.keys()].filter((user) => !still.includes(user)),
    left: still.map((user) => ({ user, answer: answers.get(user) ?? 'not asked' })),
    othersLost: lost(speaking, before.response, after.response),
  };
}

/** Seconds after which a list that a service kept for a while is expected to be a new one. */
export const STALE_SECONDS = 300;

/** Milliseconds after which a list is looked at again where no clock can be moved. */
const PAUSE_MS = 1_000;

/** Lets some time pass, so that a list which was kept for a while is read anew: on the target's clock where it has one. */
export async function letListsSettle({ clock, pause = waitReally }: Target): Promise<void> {
  if (clock !== undefined) await clock.advance(STALE_SECONDS);
  else await pause(PAUSE_MS);
}

/** Waits for so many milliseconds. */
export const waitReally = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Unassigns the suite's own users from the configured projects; whoever is listed afterwards is unassigned once more, a
 * moment later. Touches nobody else. A failure of transport, or a list that cannot be had, leaves those who were assigned.
 *
 * @param token an access token that may list and unassign
 * @param assigned who was assigned where a moment ago, listed or not
 * @returns who is left
 */
export async function cleanUp(
  conversation: Conversation,
  token: string,
  assigned: readonly OwnAssignment[],
): Promise<readonly OwnAssignment[]> {
  const first = stillIn(await sweepProjects(conversation, token, assigned), assigned);
  if (first.length === 0) return first;
  await letListsSettle(conversation.session.target);
  return stillIn(await sweepProjects(conversation, token, first), first);
}

function stillIn(
  swept: readonly SweptProject[],
  assigned: readonly OwnAssignment[],
): readonly OwnAssignment[] {
  return swept.flatMap(({ project, left, unreadable }) =>
    unreadable === undefined
      ? left.map(({ user }) => ({ project, user }))
      : assigned.filter((one) => one.project === project),
  );
}

/**
 * Unassigns the suite's own users from the configured projects, and touches nobody else.
 *
 * @param token an access token that may list and unassign
 * @param assigned who was assigned where a moment ago, listed or not
 * @returns undefined when nobody of the suite's own is assigned any more, else a sentence that says what is left
 */
export async function unassignOwnUsers(
  conversation: Conversation,
  token: string,
  assigned: readonly OwnAssignment[] = [],
): Promise<string | undefined> {
  const left: string[] = [];
  for (const swept of await sweepProjects(conversation, token, assigned)) {
    const { project } = swept;
    if (swept.unreadable)
      throw new Error(`the list of project ${project} answered ${swept.unreadable.answer}`);
    left.push(...swept.left.map(({ user }) => `user ${user} in project ${project}`));
  }
  return left.length === 0 ? undefined : `still assigned and to be unassigned by hand: ${left.join(', ')}`;
}

/** Whom these requests have assigned, and none of them has unassigned again with success, as far as they are the suite's own. */
export function stillAssignedBy(
  entries: readonly RecordEntry[],
  { projects, users }: Pick<Target, 'projects' | 'users'>,
): readonly OwnAssignment[] {
  const everywhere = projects.flatMap((project) => users.map((user) => ({ project, user })));
  return everywhere.filter(({ project, user }) => {
    const path = `/projects/${encodeId(project)}/assigned_users/${encodeId(user)}`;
    let assigned = false;
    for (const entry of entries) {
      if (entry.kind !== 'exchange') continue;
      const { request, response } = entry.exchange;
      if (!new URL(request.url).pathname.endsWith(path)) continue;
      if (request.method === 'PUT') assigned = true;
      else if (request.method === 'DELETE' && isSuccess(response)) assigned = false;
    }
    return assigned;
  });
}

function list(conversation: Conversation, project: string, token: string): Promise<ResourceAnswer> {
  return conversation.resource('list', { operation: 'list', project, token });
}

function inWords({ response, exchange }: ResourceAnswer): string {
  return response === undefined ? (exchange.failure?.message ?? 'no answer') : `status ${response.status}`;
}

function unreadable(answer: ResourceAnswer): Unreadable {
  const { response } = answer;
  return {
    answer: inWords(answer),
    unheard: response === undefined || response.status === 429 || response.status >= 500,
  };
}

/** Everybody but the suite's own who stood in the first list and not in the second; nobody where ids cannot be read. */
function lost(conversation: Conversation, before: WireResponse, after: WireResponse): readonly string[] {
  const { users } = conversation.session.target;
  const now = conversation.listed(after);
  if (now === undefined) return [];
  return (conversation.listed(before) ?? []).filter((id) => !users.includes(id) && !now.includes(id));
}
