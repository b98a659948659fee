import { isSuccess } from '../../http/exchange.ts';
import { atOnce } from '../../http/traffic.ts';
import type { Target } from '../../service/target.ts';
import type { CheckContext } from './context.ts';
import { contradictedList, expectEffect, expectNotIn, givenEffect } from './lists.ts';
import { Blocked, ConformanceFailure } from './outcome.ts';
import { placeFor } from './places.ts';
import type { UserAction } from './user-actions.ts';

/** Sends requests at the same time, one for each id. Resends a refused one alone, because the service may refuse concurrency. */
export async function honouredAtOnce(
  target: Target,
  ids: readonly string[],
  act: (id: string) => UserAction,
): Promise<readonly string[]> {
  const answers = await atOnce(
    target,
    ids.map((id) => () => act(id).send()),
  );
  const honoured: string[] = [];
  for (const [index, id] of ids.entries()) {
    const { response } = answers[index] ?? {};
    if (isSuccess(response) || isSuccess((await act(id).send()).response)) honoured.push(id);
  }
  return honoured;
}

/** @param other project, in which neither user is assigned at first */
export async function assignsToTwoProjects(
  { given, users, target }: CheckContext,
  first: string,
  second: string,
  other: string,
): Promise<void> {
  const project = target.projects[0];
  given.case('two assigns at once, each to a project of its own');
  await given.unassigned(first, other);
  await given.unassigned(second, project);
  await atOnce(target, [
    () => users.assign({ user: first, project }).send(),
    () => users.assign({ user: second, project: other }).send(),
  ]);
  expectNotIn(await given.listed(other), first);
  expectNotIn(await given.listed(), second);
  given.case('one user assigned to both projects at once');
  await given.unassigned(first, project);
  const assign = (at: string) => users.assign({ user: first, project: at });
  for (const at of await honouredAtOnce(target, [project, other], assign)) {
    if ((await given.listed(at)).includes(first)) continue;
    // Another requirement covers an assign that does nothing when it comes alone, too.
    await given.assigned([first], at);
    throw new ConformanceFailure(
      'a user who is assigned to two projects at once to be in both lists',
      'a list without the user',
    );
  }
}

export async function unassignsAtOnce({ given, users, target }: CheckContext): Promise<void> {
  given.case('two at once');
  const two = target.users.slice(0, 2);
  await given.assigned(two);
  const honoured = await honouredAtOnce(target, two, (user) => users.unassign({ user }));
  const showsNone = async () => {
    const listed = await given.listed();
    return !honoured.some((user) => listed.includes(user));
  };
  if (await showsNone()) return;
  if (await showsNone()) throw contradictedList();
  // Another requirement covers users who reappear after sequential requests.
  await given.assigned(two);
  for (const user of two) await given.act('unassign', { user });
  if (!(await showsNone()))
    throw new Blocked('see two users unassigned', 'list.returns-assigned', 'one of them is listed');
  throw new ConformanceFailure(
    'neither of two users listed who are unassigned at once',
    'a list with one of them',
  );
}

export async function unassignsOneAssignedTwice({ given, users, target }: CheckContext): Promise<void> {
  given.case('after the same assign twice at once');
  const place = placeFor(target, 0);
  await given.unassigned(place.user, place.project);
  await honouredAtOnce(target, [place.user, place.user], () => users.assign(place));
  // The unassign is not to blame for users whom the assigns removed.
  await given.listed(place.project);
  await given.act('unassign', place);
  await expectEffect(given, 'unassign', place);
}

/** Lists that a reader sends at most, one after the other, while changes are in progress. */
const READS_BESIDE_WRITES = 12;

/** More at once than a small pool of connections serves; half of them come before the changes. */
const READERS = 8;

/**
 * Reads the list while others are assigned and unassigned, first at once with the changes, then until each is answered. A user who
 * stays assigned throughout is in each list; one who is assigned once more, too. A list that was read meanwhile is not kept.
 *
 * @param three assigned
 */
export async function listsBesideWrites(
  { given, users, target }: CheckContext,
  three: readonly [string, string, string],
): Promise<void> {
  // The one who stays is the last row: rows that move up meanwhile must not hide it from a reader who came first.
  const [moving, other, steady] = three;
  for (const write of ['unassign', 'assign'] as const) {
    let answered = false;
    // The second change meets lists that are half read.
    const change = async () => {
      const both = [await users[write]({ user: moving }).send(), await users[write]({ user: other }).send()];
      answered = true;
      return both;
    };
    const read = async () => {
      const answers = [await users.list().send()];
      while (!answered && answers.length < READS_BESIDE_WRITES) answers.push(await users.list().send());
      return answers;
    };
    const readers = Array.from({ length: READERS / 2 }, () => read);
    const again = async () => [await users.assign({ user: steady }).send()];
    const answers = await atOnce(target, [...readers, change, again, ...readers]);
    const [[first, second] = []] = answers.splice(readers.length, 2);
    const after = await given.listed();
    // Other requirements cover changes after which the user is no longer assigned.
    if (!after.includes(steady)) return;
    for (const { response } of answers.flat()) {
      const listed = given.listedIn(response);
      if (listed === undefined || listed.includes(steady)) continue;
      throw new ConformanceFailure(
        'a user who is assigned throughout in every list that is read beside changes of others',
        'a list without the user',
      );
    }
    for (const [user, changed] of [
      [moving, first],
      [other, second],
    ] as const) {
      if (after.includes(user) === (write === 'assign')) continue;
      if (!isSuccess(changed?.response)) continue;
      // Another requirement covers a change that does nothing, or shows late, when it comes alone, too.
      const project = target.projects[0];
      await (write === 'assign' ? given.unassigned(user, project) : given.assigned([user]));
      await given.act(write, { user });
      await givenEffect(given, write, { user, project });
      throw new ConformanceFailure(
        `the list as it is after ${write} was answered, although it was read meanwhile`,
        `a list ${write === 'assign' ? 'without' : 'with'} the user`,
      );
    }
    for (const user of [moving, other])
      if (after.includes(user) === (write === 'unassign'))
        await (write === 'assign' ? given.assigned([user]) : given.unassigned(user, target.projects[0]));
  }
}
