import { setOf } from '../../service/flow/assigned-list.ts';
import { STEP_OWNER } from '../../service/flow/smoke-steps.ts';
import type { Given } from './given.ts';
import { Blocked, ConformanceFailure, noEffect, ownerOfAbsence, shownLate } from './outcome.ts';
import type { ProjectAndUser } from './places.ts';

type Change = 'assign' | 'unassign';

async function seenIn(given: Given, operation: Change, { project, user }: ProjectAndUser) {
  const shows = (listed: readonly string[]) => listed.includes(user) === (operation === 'assign');
  return shows(await given.listed(project)) ? 'shown' : given.staleness(shows, project);
}

function notShown(operation: Change, late: boolean, what = `see what ${operation} did`): Blocked {
  return late
    ? new Blocked(what, 'list.fresh', 'the list shows it only later', shownLate(operation))
    : new Blocked(what, STEP_OWNER[operation], 'the list does not show it', noEffect(operation));
}

/** Requires that a project's list shows the operation. Blames another requirement if a later list shows it. */
export async function expectEffect(given: Given, operation: Change, place: ProjectAndUser): Promise<void> {
  const seen = await seenIn(given, operation, place);
  if (seen !== 'shown') throw seen === 'stale' ? notShown(operation, true) : noEffect(operation);
}

/** Requires that a project's list shows an operation that the check is not about; otherwise blocks the check. */
export async function givenEffect(
  given: Given,
  operation: Change,
  place: ProjectAndUser,
  what?: string,
): Promise<void> {
  const seen = await seenIn(given, operation, place);
  if (seen !== 'shown') throw notShown(operation, seen === 'stale', what);
}

/** Requires that a list read right after an operation shows it. An operation without effect is another requirement's failure. */
export async function expectFresh(given: Given, operation: Change, place: ProjectAndUser): Promise<void> {
  const seen = await seenIn(given, operation, place);
  if (seen !== 'shown') throw seen === 'stale' ? shownLate(operation) : notShown(operation, false);
}

/** Requires that the first project's list holds the users assigned one by one and everybody listed before, each once. */
export async function expectListed(
  given: Given,
  listed: readonly string[],
  before: readonly string[],
  own: readonly string[],
): Promise<void> {
  const wanted = [...before, ...own];
  if (sameMembers(listed, wanted)) return;
  const what = 'see users assigned';
  if ((await given.staleness((l) => sameMembers(l, wanted))) === 'stale')
    throw new Blocked(what, 'list.fresh', 'the list shows them only later', shownLate('assign'));
  const owner = ownerOfAbsence(listed, before, own) ?? 'list.returns-assigned';
  if (owner !== 'list.returns-assigned')
    throw new Blocked(what, owner, describeDifference(wanted, listed), noEffect('assign'));
  expectSameUsers(listed, wanted, 'the list');
}

/** Returns a list for evaluating earlier operations. If rereading makes it fit, the lists are wrong, not the operations. */
async function steadyList(
  given: Given,
  fits: (listed: readonly string[]) => boolean,
  project: string | undefined,
): Promise<readonly string[]> {
  const listed = await given.listed(project);
  if (fits(listed) || !fits(await given.listed(project))) return listed;
  throw contradictedList();
}

/** Returns the error for a list that the next list contradicts although nothing was sent in between. */
export function contradictedList(): Blocked {
  const seen = new ConformanceFailure(
    'a list to hold who is assigned',
    'a list that the next one, with nothing sent in between, contradicts',
  );
  return new Blocked('see the same list twice', 'list.fresh', 'the next one differs', seen);
}

export async function expectSameList(
  given: Given,
  wanted: readonly string[],
  what: string,
  project?: string,
): Promise<void> {
  expectSameUsers(await steadyList(given, (l) => sameMembers(l, wanted), project), wanted, what);
}

export async function expectAllListed(
  given: Given,
  before: readonly string[],
  operation: string,
): Promise<void> {
  const listed = await steadyList(given, (l) => before.every((user) => setOf(l).has(user)), undefined);
  const lost = before.filter((user) => !setOf(listed).has(user)).length;
  if (lost === 0) return;
  throw new ConformanceFailure(
    `all other users to stay assigned after ${operation}`,
    `${some(lost)} of them no longer listed`,
  );
}

export function expectSameUsers(listed: readonly string[], wanted: readonly string[], what: string): void {
  if (sameMembers(listed, wanted)) return;
  throw new ConformanceFailure(
    `${what} to hold exactly who is assigned, each once`,
    describeDifference(wanted, listed),
  );
}

export function expectNotListed(listed: readonly string[], user: string): void {
  if (!listed.includes(user)) return;
  throw new ConformanceFailure('no user listed who is not assigned', 'a user who was unassigned');
}

export function expectNotIn(listed: readonly string[], stranger: string): void {
  if (!listed.includes(stranger)) return;
  throw new ConformanceFailure('no user in the list who is assigned to another project alone', 'such a user');
}

export function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true;
  const [one, other] = [setOf(a), setOf(b)];
  if (a.length !== b.length || one.size !== other.size || !a.every((user) => other.has(user))) return false;
  return one.size === a.length || [...a].sort().join('\n') === [...b].sort().join('\n');
}

/** Returns `1 more` or `several fewer`: no ids, and no numbers that depend on other users' assignments. */
export function describeDifference(before: readonly string[], now: readonly string[]): string {
  const more = now.filter((u) => !setOf(before).has(u)).length;
  const fewer = before.filter((u) => !setOf(now).has(u)).length;
  const parts = [more > 0 ? `${some(more)} more` : '', fewer > 0 ? `${some(fewer)} fewer` : ''].filter(
    (s) => s !== '',
  );
  return parts.length === 0 ? 'a user listed more than once' : `${parts.join(' and ')} assigned`;
}

function some(count: number): string {
  return count === 1 ? '1' : 'several';
}
