import { type Exchange, isSuccess, TransportFailure, type WireResponse } from '../../http/exchange.ts';
import type { Target } from '../target.ts';
import { answerText } from './answers.ts';
import type { LeftOver, OwnAssignment } from './assigned-by-run.ts';
import { pointersTo, setOf } from './assigned-list.ts';
import { type FlowSteps, Stopped } from './flow-steps.ts';
import type { ServiceClient } from './service-client.ts';

/** Purpose of each request that cleans up. */
export const CLEANING_UP = 'unassign again';

export const CLEAN_UP_MS = 45_000;

/** Seconds after which a cached list is expected to be fresh. */
export const STALE_SECONDS = 300;

/** Milliseconds after which a service that answered 410 or 503 is asked again. */
const RESTS_MS = 2_000;

/** Seconds before a list is read again, if the target has no clock to move. */
const PAUSE_SECONDS = 1;

/** Lets cached lists expire, on the target's clock if it has one. */
export function waitForLists(target: Target): Promise<void> {
  return advanceOrSleep(target, target.clock === undefined ? PAUSE_SECONDS : STALE_SECONDS);
}

/** Lets seconds pass: on the target's clock if it has one, else really. */
export function advanceOrSleep({ clock, pause }: Target, seconds: number): Promise<void> {
  return clock === undefined ? pause(seconds * 1_000) : clock.advance(seconds);
}

/**
 * Unassigns only the users that the run has assigned, listed or not, and, a moment later, those still listed. Returns who stays:
 * after a transport failure or without a list, everybody.
 * @param token an access token that may list and unassign
 */
export async function cleanUp(
  serviceClient: ServiceClient,
  token: string,
  assigned = serviceClient.session.assignedByRun.assigned,
): Promise<readonly LeftOver[]> {
  const first = stillIn(await sweepProjects(serviceClient, token, assigned), assigned);
  if (first.length === 0) return first;
  const { target } = serviceClient.session;
  // A service that rests does so on its own clock.
  if (target.isLive) await target.pause(RESTS_MS);
  await waitForLists(target);
  return stillIn(await sweepProjects(serviceClient, token, first), assigned);
}

function stillIn(swept: readonly SweptProject[], assigned: readonly OwnAssignment[]): readonly LeftOver[] {
  return swept.flatMap(({ project, left, unreadable }) => {
    const users = unreadable === undefined ? left.map(({ user }) => user) : usersIn(project, assigned);
    return users.map((user) => ({ project, user, unread: unreadable && answerText(unreadable) }));
  });
}

function usersIn(project: string, assigned: readonly OwnAssignment[]): readonly string[] {
  return assigned.filter((one) => one.project === project).map(({ user }) => user);
}

/** Unassigns the run's users with the token of `flowSteps`, else with a new one. Returns those who stay assigned. */
export async function cleanUpAfter(flowSteps: FlowSteps): Promise<readonly LeftOver[]> {
  const { target, assignedByRun } = flowSteps.session;
  if (target.restoreAssignments !== undefined) {
    await target.restoreAssignments();
    assignedByRun.clear();
    return [];
  }
  const { assigned } = assignedByRun;
  try {
    const left = await cleanUp(flowSteps.serviceClient, await flowSteps.accessToken(), assigned);
    if (!assignedByRun.any) return left;
    // The token may have ended: the lists show nothing to it.
    flowSteps.forgetToken();
    return await cleanUp(flowSteps.serviceClient, await flowSteps.accessToken(), left);
  } catch (error) {
    if (error instanceof Stopped || error instanceof TransportFailure) return assigned;
    throw error;
  }
}

export interface SweptProject {
  readonly project: string;
  readonly unassigned: readonly string[];
  readonly left: readonly { readonly user: string; readonly answer: string }[];
  readonly othersLost: readonly string[];
  /** The answer that holds no list. */
  readonly unreadable?: Exchange;
}

/**
 * Unassigns the users that the run has assigned, without reading lists, which may be stale; then reads all: a service may list
 * a user in an unexpected project.
 * @param token an access token that may list and unassign
 */
export async function sweepProjects(
  serviceClient: ServiceClient,
  token: string,
  assigned: readonly OwnAssignment[],
): Promise<readonly SweptProject[]> {
  const { target, assignedByRun, lastLists } = serviceClient.session;
  const swept = target.projects.map((project) => ({ project, answers: new Map<string, Exchange>() }));
  const unassign = async ({ project, answers }: Omit<Looked, 'seen'>, users: readonly string[]) => {
    for (const user of users) {
      const call = { operation: 'unassign', project, user, token } as const;
      answers.set(user, await serviceClient.resource(CLEANING_UP, call));
    }
  };
  for (const one of swept) await unassign(one, usersIn(one.project, assigned));
  const looked: Looked[] = [];
  let further = false;
  for (const one of swept) {
    const { project, answers } = one;
    const seen = lastLists.of(project) ?? (await list(serviceClient, project, token));
    looked.push({ ...one, seen });
    if (!isSuccess(seen.response)) continue;
    const mine = target.users.filter((user) => assignedByRun.has(project, user) && !answers.has(user));
    const listed = serviceClient.listedAmong(mine, seen.response);
    further ||= listed.length > 0;
    await unassign(one, listed);
  }
  const found: SweptProject[] = [];
  for (const one of looked) found.push(await lookAgain(serviceClient, token, one, further));
  return found;
}

/** A project with the answers to unassigning, by user, and its list. */
interface Looked {
  readonly project: string;
  readonly answers: Map<string, Exchange>;
  readonly seen: Exchange;
}

async function lookAgain(
  serviceClient: ServiceClient,
  token: string,
  { project, answers, seen }: Looked,
  further: boolean,
): Promise<SweptProject> {
  const nothing = { project, unassigned: [], left: [], othersLost: [] };
  if (!isSuccess(seen.response)) return { ...nothing, unreadable: seen };
  const { target, assignedByRun } = serviceClient.session;
  const [someone] = answers.keys();
  if (someone === undefined) {
    assignedByRun.seenUnassigned(project, target.users);
    return nothing;
  }
  const pointer = serviceClient.requestStyle.userIdPointer ?? pointersTo(seen.response, someone)[0];
  const styled = serviceClient.withStyle({ ...serviceClient.requestStyle, userIdPointer: pointer });
  const after = further ? await list(serviceClient, project, token) : seen;
  if (!isSuccess(after.response)) return { ...nothing, unreadable: after };
  const listed = styled.listedAmong(target.users, after.response);
  const still = listed.filter((user) => assignedByRun.has(project, user));
  assignedByRun.seenUnassigned(
    project,
    target.users.filter((user) => !listed.includes(user)),
  );
  return {
    project,
    unassigned: [...answers.keys()].filter((user) => !still.includes(user)),
    left: still.map((user) => {
      const answer = answers.get(user);
      return { user, answer: answer === undefined ? 'not asked' : answerText(answer) };
    }),
    othersLost: lost(styled, seen.response, after.response),
  };
}

async function list(serviceClient: ServiceClient, project: string, token: string): Promise<Exchange> {
  const answer = await serviceClient.resource('list', { operation: 'list', project, token });
  if (isSuccess(answer.response)) serviceClient.session.lastLists.keep(project, answer);
  return answer;
}

function lost(serviceClient: ServiceClient, before: WireResponse, after: WireResponse): readonly string[] {
  const { users } = serviceClient.session.target;
  const now = serviceClient.listed(after);
  if (now === undefined) return [];
  return (serviceClient.listed(before) ?? []).filter((id) => !users.includes(id) && !setOf(now).has(id));
}
