import type { Target } from '../../../src/target/target.ts';
import type { Given } from './given.ts';
import { ConformanceFailure, NotApplicable } from './outcome.ts';

/** Three of the suite's users; checks that need them declare the ability, so that they are there. */
export function threeUsers(target: Target): readonly [string, string, string] {
  const [first, second, third] = target.users;
  if (second === undefined || third === undefined)
    throw new NotApplicable('three-users', 'needs three-users');
  return [first, second, third];
}

/** The second project; checks that need it declare the ability, so that it is there. */
export function secondProject(target: Target): string {
  const second = target.projects[1];
  if (second === undefined) throw new NotApplicable('second-project', 'needs second-project');
  return second;
}

/** What each of the suite's projects lists now, by project. */
export async function listsOf(given: Given, target: Target): Promise<ReadonlyMap<string, readonly string[]>> {
  const lists = new Map<string, readonly string[]>();
  for (const project of target.projects) lists.set(project, await given.listed(project));
  return lists;
}

/** Demands that everybody who was listed before still is. */
export function expectAllListed(
  listed: readonly string[],
  before: readonly string[],
  operation: string,
): void {
  const lost = before.filter((user) => !listed.includes(user)).length;
  if (lost === 0) return;
  throw new ConformanceFailure(
    `all other users to stay assigned after ${operation}`,
    `${lost} of them no longer listed`,
  );
}

/** Demands that a list holds exactly these users, each once, in any order. */
export function expectSameUsers(listed: readonly string[], wanted: readonly string[], what: string): void {
  if (sameMembers(listed, wanted)) return;
  throw new ConformanceFailure(
    `${what} to hold exactly who is assigned, each once`,
    difference(wanted, listed),
  );
}

/** Demands that a user is not listed. */
export function expectNotListed(listed: readonly string[], user: string): void {
  if (!listed.includes(user)) return;
  throw new ConformanceFailure('nobody listed who is not assigned', 'a user who was unassigned');
}

/** Whether two lists hold the same users, each as often, in any order. */
export function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  return [...a].sort().join('\n') === [...b].sort().join('\n');
}

/** `1 user more`, `2 users fewer`: without ids, so that it reads alike in every run. */
export function difference(before: readonly string[], now: readonly string[]): string {
  const more = now.filter((u) => !before.includes(u)).length;
  const fewer = before.filter((u) => !now.includes(u)).length;
  const parts = [more > 0 ? `${more} more` : '', fewer > 0 ? `${fewer} fewer` : ''].filter((s) => s !== '');
  return parts.length === 0 ? 'somebody listed more than once' : `${parts.join(' and ')} assigned`;
}
