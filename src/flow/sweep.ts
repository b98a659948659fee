import { isSuccess, type WireResponse } from '../exchange/exchange.ts';
import { pointersTo } from './assigned-list.ts';
import type { Conversation, ResourceAnswer } from './conversation.ts';
import { listedAmong, type OwnAssignment } from './preflight.ts';

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
