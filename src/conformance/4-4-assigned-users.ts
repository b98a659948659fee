import { check } from '../checks/check.ts';
import {
  expectAllListed,
  expectEffect,
  expectFresh,
  expectListed,
  expectNotListed,
  expectSameUsers,
  givenEffect,
  secondProject,
  threeUsers,
} from '../checks/lists.ts';
import { ConformanceFailure } from '../checks/outcome.ts';
import { isSuccess } from '../exchange/exchange.ts';

/** Clause 4.4: assign, unassign and list the users of a project. */
export const checks = [
  check('assign.adds-user', async ({ given, users, target }) => {
    await users.assign().expectHonoured();
    await expectEffect(given, 'assign', target.users[0]);
    const removed = await users.unassign().answer();
    if (!isSuccess(removed.response)) return;
    await users.assign().expectHonoured();
    await expectEffect(given, 'assign', target.users[0]);
  }),

  check('assign.leaves-others', async ({ given, users, target }) => {
    const [first, ...others] = threeUsers(target);
    await given.assigned([first]);
    for (const user of others) {
      const before = await given.listed();
      await users.assign({ user }).asGiven();
      expectAllListed(await given.listed(), before, 'assign');
    }
  }),

  check('assign.project-scoped', async ({ given, users, target }) => {
    const [first, second] = twoUsersOrOne(target.users);
    const other = secondProject(target);
    await given.unassigned(first, other);
    await given.assigned([second], other);
    const before = await given.listed(other);
    for (const user of new Set([first, second])) {
      await users.assign({ user }).asGiven();
      expectSameUsers(await given.listed(other), before, 'the other project after assign');
    }
  }),

  check('assign.idempotent', async ({ given, users, target }) => {
    await given.assigned([target.users[0]]);
    const before = await given.listed();
    await users.assign().answer();
    expectSameUsers(await given.listed(), before, 'the list after the same assign again');
  }),

  check('unassign.removes-user', async ({ given, users, target }) => {
    await given.assigned(target.users.slice(0, 2));
    await users.unassign().expectHonoured();
    await expectEffect(given, 'unassign', target.users[0]);
  }),

  check('unassign.leaves-others', async ({ given, users, target }) => {
    const [first, middle, last] = threeUsers(target);
    await given.assigned([first, middle, last]);
    // Who is removed, and assigned again, becomes the last: so a middle one, the last and the first are removed.
    for (const user of [middle, middle, first]) {
      const before = await given.listed();
      await users.unassign({ user }).asGiven();
      const others = before.filter((listed) => listed !== user);
      expectAllListed(await given.listed(), others, 'unassign');
      await users.assign({ user }).asGiven();
    }
  }),

  check('unassign.project-scoped', async ({ given, users, target }) => {
    const other = secondProject(target);
    await given.assigned([target.users[0]]);
    await given.assigned([target.users[0]], other);
    await users.unassign().asGiven();
    const listed = await given.listed(other);
    if (listed.includes(target.users[0])) return;
    throw new ConformanceFailure('the user to stay assigned to the other project', 'a list without the user');
  }),

  check('unassign.idempotent', async ({ given, users, target }) => {
    const [first, second] = twoUsersOrOne(target.users);
    await given.assigned([first, second]);
    await users.unassign({ user: first }).asGiven();
    await givenEffect(given, 'unassign', first);
    const before = await given.listed();
    await users.unassign({ user: first }).answer();
    expectSameUsers(await given.listed(), before, 'the list after the same unassign again');
  }),

  check('list.returns-assigned', async ({ given, users, target }) => {
    const three = threeUsers(target);
    given.nobodyLeft();
    const before = await users.list().expectList();
    const strangers = before.filter((user) => !three.includes(user));
    await expectListed(given, before, strangers, []);
    for (const user of three) await users.assign({ user }).asGiven();
    await expectListed(given, await users.list().expectList(), strangers, three);
    await users.unassign({ user: three[1] }).asGiven();
    await givenEffect(given, 'unassign', three[1]);
    await users.unassign({ user: three[2] }).asGiven();
    expectNotListed(await users.list().expectList(), three[1]);
  }),

  check('list.fresh', async ({ given, users, target }) => {
    await given.listed();
    await users.assign().asGiven();
    await expectFresh(given, 'assign', target.users[0]);
    await users.unassign().asGiven();
    await expectFresh(given, 'unassign', target.users[0]);
  }),

  check('list.project-scoped', async ({ given, target }) => {
    const [first, second] = twoUsersOrOne(target.users);
    const other = secondProject(target);
    await given.assigned([first]);
    await given.assigned([second], other);
    expectNotIn(await given.listed(), second);
    expectNotIn(await given.listed(other), first);
  }),

  check('list.safe', async ({ given, users, target }) => {
    await given.assigned([target.users[0]]);
    const before = await given.listed();
    for (let times = 0; times < 3; times += 1) await users.list().asGiven();
    expectSameUsers(await given.listed(), before, 'the list after reading it');
  }),
];

function twoUsersOrOne(users: readonly [string, ...string[]]): readonly [string, string] {
  return [users[0], users[1] ?? users[0]];
}

function expectNotIn(listed: readonly string[], stranger: string): void {
  if (!listed.includes(stranger)) return;
  throw new ConformanceFailure('nobody in the list who is assigned to another project alone', 'such a user');
}
