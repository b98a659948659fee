import { check } from '../../support/check/check.ts';
import {
  expectAllListed,
  expectNotListed,
  expectSameUsers,
  secondProject,
  threeUsers,
} from '../../support/check/lists.ts';
import { ConformanceFailure } from '../../support/check/outcome.ts';

/** Clause 4.4: assign, unassign and list the users of a project. */
export const checks = [
  check('assign.adds-user', async ({ users, target }) => {
    const { response } = await users.assign().expectHonoured();
    const listed = await users.list().expectList();
    if (listed.includes(target.users[0])) return;
    throw new ConformanceFailure(
      'the list to hold the user after assign',
      `status ${response.status}, and it does not`,
    );
  }),

  check('assign.leaves-others', async ({ given, users, target }) => {
    const [first, second, third] = threeUsers(target);
    await given.assigned([first, second]);
    const before = await given.listed();
    await users.assign({ user: third }).asGiven();
    expectAllListed(await given.listed(), before, 'assign');
  }),

  check('assign.project-scoped', async ({ given, users, target }) => {
    const other = secondProject(target);
    const before = await given.listed(other);
    await users.assign().asGiven();
    await given.listed();
    expectSameUsers(await given.listed(other), before, 'the other project after assign');
  }),

  check('assign.idempotent', async ({ given, users, target }) => {
    await given.assigned([target.users[0]]);
    const before = await given.listed();
    await users.assign().answer();
    expectSameUsers(await given.listed(), before, 'the list after the same assign again');
  }),

  check('unassign.removes-user', async ({ given, users, target }) => {
    await given.assigned([target.users[0]]);
    const { response } = await users.unassign().expectHonoured();
    const listed = await users.list().expectList();
    if (!listed.includes(target.users[0])) return;
    throw new ConformanceFailure(
      'the list not to hold the user after unassign',
      `status ${response.status}, and it does`,
    );
  }),

  check('unassign.leaves-others', async ({ given, users, target }) => {
    const three = threeUsers(target);
    for (const removed of three) {
      await given.assigned(three);
      const before = await given.listed();
      await users.unassign({ user: removed }).asGiven();
      const others = before.filter((user) => user !== removed);
      expectAllListed(await given.listed(), others, 'unassign');
    }
  }),

  check('unassign.project-scoped', async ({ given, users, target }) => {
    const other = secondProject(target);
    await given.assigned([target.users[0]]);
    await given.assigned([target.users[0]], other);
    await users.unassign().asGiven();
    const listed = await given.listed(other);
    if (listed.includes(target.users[0])) return;
    throw new ConformanceFailure('the user to stay assigned to the other project', 'unassigned from both');
  }),

  check('unassign.idempotent', async ({ given, users, target }) => {
    const [first, second] = threeUsersOrOne(target.users);
    await given.assigned([first, second]);
    await users.unassign({ user: first }).asGiven();
    const before = await given.listed();
    await users.unassign({ user: first }).answer();
    expectSameUsers(await given.listed(), before, 'the list after the same unassign again');
  }),

  check('list.returns-assigned', async ({ users, target }) => {
    const three = threeUsers(target);
    const before = await users.list().expectList();
    for (const user of three) await users.assign({ user }).asGiven();
    const listed = await users.list().expectList();
    expectSameUsers(listed, [...before.filter((user) => !three.includes(user)), ...three], 'the list');
    await users.unassign({ user: three[1] }).asGiven();
    expectNotListed(await users.list().expectList(), three[1]);
  }),

  check('list.fresh', async ({ given, users, target }) => {
    const user = target.users[0];
    const empty = await users.list().expectList();
    await users.assign().asGiven();
    const full = await users.list().expectList();
    if (full.length === empty.length && !full.includes(user)) {
      throw new ConformanceFailure('a list read after assign to show it', 'the list as it was before');
    }
    await given.listed();
    await users.unassign().asGiven();
    const after = await users.list().expectList();
    if (after.length === full.length && after.includes(user)) {
      throw new ConformanceFailure('a list read after unassign to show it', 'the list as it was before');
    }
  }),

  check('list.project-scoped', async ({ given, users, target }) => {
    const [first, second] = threeUsersOrOne(target.users);
    const other = secondProject(target);
    await given.assigned([first]);
    await given.assigned([second], other);
    expectNotIn(await users.list().expectList(), second);
    expectNotIn(await users.list({ project: other }).expectList(), first);
  }),

  check('list.safe', async ({ given, users, target }) => {
    await given.assigned([target.users[0]]);
    const before = await given.listed();
    for (let times = 0; times < 3; times += 1) await users.list().asGiven();
    expectSameUsers(await given.listed(), before, 'the list after reading it');
  }),
];

function threeUsersOrOne(users: readonly [string, ...string[]]): readonly [string, string] {
  return [users[0], users[1] ?? users[0]];
}

function expectNotIn(listed: readonly string[], stranger: string): void {
  if (!listed.includes(stranger)) return;
  throw new ConformanceFailure('nobody in the list who is assigned to another project alone', 'such a user');
}
