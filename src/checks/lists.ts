import { setOf } from '../flow/assigned-list.ts';
import type { Target } from '../targets/target.ts';
import { type Given, noEffect, shownLate } from './given.ts';
import { Blocked, ConformanceFailure, NotApplicable } from './outcome.ts';
import type { Place } from './places.ts';
import { OPERATION_OWNER, ownerOfAbsence } from './resource-owners.ts';

export function threeUsers(target: Target): readonly [string, string, string] {
  const [first, second, third] = target.users;
  if (second === undefined || third === undefined)
    throw new NotApplicable('three-users', 'needs three-users');
  return [first, second, third];
}

export function secondProject(target: Target): string {
  const second = target.projects[1];
  if (second === undefined) throw new NotApplicable('second-project', 'needs second-project');
  return second;
}

type Change = 'assign' | 'unassign';

function showing(operation: Change, user: string): (listed: readonly string[]) => boolean {
  return (listed) => listed.includes(user) === (operation === 'assign');
}

/** Requires that a project's list shows the operation. Blames another requirement if a later list shows it. */
export async function expectEffect(given: Given, operation: Change, { project, user }: Place): Promise<void> {
  const shows = showing(operation, user);
  if (shows(await given.listed(project))) return;
  if ((await given.staleness(shows, project)) === 'stale')
    throw new Blocked(
      `see what ${operation} did`,
      'list.fresh',
      'the list shows it only later',
      shownLate(operation),
    );
  throw noEffect(operation);
}

/** Requires that a project's list shows an operation that the check is not about; otherwise blocks the check. */
export async function givenEffect(given: Given, operation: Change, { project, user }: Place): Promise<void> {
  const shows = showing(operation, user);
  if (shows(await given.listed(project))) return;
  const stale = (await given.staleness(shows, project)) === 'stale';
  const owner = stale ? 'list.fresh' : OPERATION_OWNER[operation];
  const seen = stale ? shownLate(operation) : noEffect(operation);
  throw new Blocked(`see what ${operation} did`, owner, 'the list does not show it', seen);
}

/** Requires that a list read right after an operation shows it. An operation without effect is another requirement's failure. */
export async function expectFresh(given: Given, operation: Change, { project, user }: Place): Promise<void> {
  const shows = showing(operation, user);
  if (shows(await given.listed(project))) return;
  if ((await given.staleness(shows, project)) === 'true')
    throw new Blocked(
      `see what ${operation} did`,
      OPERATION_OWNER[operation],
      'the list never shows it',
      noEffect(operation),
    );
  throw shownLate(operation);
}

/**
 * Requires that the first project's list, after the suite assigned users one by one, holds them and everybody listed
 * before, each once.
 */
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
    throw new Blocked(what, owner, difference(wanted, listed), noEffect('assign'));
  expectSameUsers(listed, wanted, 'the list');
}

/**
 * Returns a list for evaluating earlier operations. Rereads a list that does not fit: if the next one fits, the lists are wrong,
 * not the operations.
 */
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
    difference(wanted, listed),
  );
}

export function expectNotListed(listed: readonly string[], user: string): void {
  if (!listed.includes(user)) return;
  throw new ConformanceFailure('no user listed who is not assigned', 'a user who was unassigned');
}

export function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true;
  const [one, other] = [setOf(a), setOf(b)];
  if (a.length !== b.length || one.size !== other.size || !a.every((user) => other.has(user))) return false;
  return one.size === a.length || [...a].sort().join('\n') === [...b].sort().join('\n');
}

/** Returns `1 more` or `several fewer`: no ids, and no numbers that depend on other users' assignments. */
export function difference(before: readonly string[], now: readonly string[]): string {
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
