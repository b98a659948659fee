import type { Target } from '../target.ts';
import { type LeftOver, leftText, type OwnAssignment } from './assigned-by-run.ts';
import type { Conversation } from './conversation.ts';
import { type SweptProject, sweepProjects } from './sweep.ts';

export const CLEAN_UP_MS = 45_000;

/** Seconds after which a cached list is expected to be fresh. */
export const STALE_SECONDS = 300;

/** Milliseconds before a list is read again, if the target has no clock to move. */
const PAUSE_MS = 1_000;

/** Lets cached lists expire, on the target's clock if it has one. */
export async function letListsSettle({ clock, pause = waitReally }: Target): Promise<void> {
  if (clock !== undefined) await clock.advance(STALE_SECONDS);
  else await pause(PAUSE_MS);
}

export const waitReally = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Unassigns only the users that the run has assigned, and, a moment later, those still listed. Users stay assigned after a
 * transport failure or without a list.
 *
 * @param token an access token that may list and unassign
 * @param assigned unassigned first, listed or not
 * @returns the users who stay assigned
 */
export async function cleanUp(
  conversation: Conversation,
  token: string,
  assigned = conversation.session.assignedByRun.assigned,
): Promise<readonly LeftOver[]> {
  return stillIn(await sweepTwice(conversation, token, assigned), assigned);
}

export async function sweepTwice(
  conversation: Conversation,
  token: string,
  assigned: readonly OwnAssignment[],
): Promise<readonly SweptProject[]> {
  const swept = await sweepProjects(conversation, token, assigned);
  const first = stillIn(swept, assigned);
  if (first.length === 0) return swept;
  await letListsSettle(conversation.session.target);
  return sweepProjects(conversation, token, first);
}

function stillIn(swept: readonly SweptProject[], assigned: readonly OwnAssignment[]): readonly LeftOver[] {
  return swept.flatMap(({ project, left, unreadable }) =>
    unreadable === undefined
      ? left.map(({ user }) => ({ project, user }))
      : assigned
          .filter((one) => one.project === project)
          .map(({ user }) => ({ project, user, unread: unreadable.answer })),
  );
}

export async function cleanUpText(conversation: Conversation, token: string): Promise<string | undefined> {
  const { assigned } = conversation.session.assignedByRun;
  const swept = await sweepTwice(conversation, token, assigned);
  const left = stillIn(swept, assigned);
  if (left.length > 0) return leftText(left);
  const unread = swept.find(({ unreadable }) => unreadable !== undefined);
  if (unread === undefined) return undefined;
  return `the suite's own users could not be unassigned again: the list of project ${unread.project} answered ${unread.unreadable?.answer}`;
}

/**
 * Unassigns the users that the run has assigned; sends nothing if there are none.
 *
 * @param accessToken obtains a token that may list and unassign; called only if needed
 * @returns undefined if none stays assigned, otherwise a sentence
 */
export async function cleanUpAfter(
  conversation: Conversation,
  accessToken: () => Promise<string>,
): Promise<string | undefined> {
  const { target, assignedByRun } = conversation.session;
  if (!assignedByRun.any) return undefined;
  if (target.restoreAssignments !== undefined) {
    await target.restoreAssignments();
    assignedByRun.clear();
    return undefined;
  }
  try {
    return await cleanUpText(conversation, await accessToken());
  } catch (error) {
    return `the suite's own users could not be unassigned again: ${(error as Error).message}`;
  }
}
