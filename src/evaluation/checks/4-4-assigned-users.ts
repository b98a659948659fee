import { headerOf, isSuccess } from '../../http/exchange.ts';
import { atOnce } from '../../http/traffic.ts';
import { AS_DOCUMENTED, READING_SPELLINGS, type Spelling } from '../../service/flow/spelling.ts';
import type { Target } from '../../service/target.ts';
import {
  assignsToTwoProjects,
  honouredAtOnce,
  listsBesideWrites,
  unassignsAtOnce,
  unassignsOneAssignedTwice,
} from '../language/changes-at-once.ts';
import { check } from '../language/check.ts';
import type { CheckContext } from '../language/context.ts';
import {
  expectAllListed,
  expectEffect,
  expectFresh,
  expectListed,
  expectNotIn,
  expectNotListed,
  expectSameList,
  expectSameUsers,
  givenEffect,
} from '../language/lists.ts';
import { Blocked, ConformanceFailure, requireAbility } from '../language/outcome.ts';
import { placeFor, threeUsers, twoPlaces } from '../language/places.ts';

export const checks = [
  check('assign.adds-user', async ({ given, users, target }) => {
    for (const [index, place] of [...twoPlaces(target), placeFor(target, 2)].entries()) {
      await given.unassigned(place.user, place.project);
      await users.assign({ ...place, spelling: readingSpelling(index) }).expectSuccess();
      await expectEffect(given, 'assign', place);
    }
    const first = placeFor(target, 0);
    const removed = await users.unassign(first).send();
    if (!isSuccess(removed.response)) return;
    await users.assign(first).expectSuccess();
    await expectEffect(given, 'assign', first);
    given.case('a user who is assigned already');
    const again = await users.assign(first).send();
    if (isSuccess(again.response)) await expectEffect(given, 'assign', first);
  }),

  check('assign.leaves-others', async ({ given, users, target }) => {
    const [first, ...others] = threeUsers(target);
    await given.assigned([first]);
    for (const user of others) {
      const before = await given.baseline();
      await given.act('assign', { user });
      await expectAllListed(given, before, 'assign');
    }
    given.case('two at once');
    for (const user of others) await given.unassigned(user, target.projects[0]);
    const honoured = await honouredAtOnce(target, others, (user) => users.assign({ user }));
    const listed = await given.listed();
    const lost = honoured.find((user) => !listed.includes(user));
    if (lost === undefined) {
      const [, again] = others;
      given.case('one user twice at once');
      await given.unassigned(again, target.projects[0]);
      const before = await given.listed();
      await honouredAtOnce(target, [again, again], (user) => users.assign({ user }));
      return expectAllListed(given, before, 'a user was assigned twice at once');
    }
    // The user shows in the list after being assigned again, so the list could have shown the user before.
    await given.act('assign', { user: lost });
    if (!(await given.listed()).includes(lost))
      throw new Blocked('see users assigned', 'list.returns-assigned', 'not all of them are listed');
    throw new ConformanceFailure(
      'two users who are assigned at once to be listed both',
      'a list without one of them',
    );
  }),

  check('assign.project-scoped', async (context) => {
    const { given, users, target } = context;
    const [first, second] = twoUsersOrOne(target.users);
    const other = requireAbility('second-project', target.projects[1]);
    // With a single user, the user is first in the other project, then not.
    for (const [user, there] of [
      [second, true],
      [first, false],
    ] as const) {
      given.case(there ? 'a user of the other project' : 'a user of neither project');
      await given.unassigned(user, target.projects[0]);
      if (there) await given.assigned([user], other);
      else await given.unassigned(user, other);
      const before = await given.baseline(other);
      await given.act('assign', { user });
      await expectSameList(given, before, 'the other project after assign', other);
      await users.assign({ user }).send();
      await expectSameList(given, before, 'the other project after the same assign again', other);
    }
    const third = target.users[2];
    if (third !== undefined) {
      given.case('assigned to the other project');
      const now = await given.baseline();
      await given.act('assign', { user: third, project: other });
      await expectSameList(given, now, 'the other project after assign');
    }
    if (first !== second) await assignsToTwoProjects(context, first, second, other);
  }),

  check('assign.idempotent', async ({ given, users, target }) => {
    await given.assigned(target.users.slice(0, 2));
    const before = await given.baseline();
    await users.assign().send();
    await expectSameList(given, before, 'the list after the same assign again');
    const third = target.users[2];
    if (third === undefined) return;
    given.case('two at once');
    await honouredAtOnce(target, [third, third], (user) => users.assign({ user }));
    const listed = await given.listed();
    const times = (user: string) => listed.filter((one) => one === user).length;
    // Another requirement covers a list that repeats every user.
    if (times(third) <= Math.max(1, times(target.users[0]))) return;
    throw new ConformanceFailure(
      'a user who is assigned twice at once to be listed once',
      'the user listed twice',
    );
  }),

  check('unassign.removes-user', async (context) => {
    const { given, users, target } = context;
    const all = target.users.slice(0, 3);
    await given.assigned(all);
    for (const [index, user] of all.entries()) {
      // Another requirement covers an unassign that removes other users: this user is assigned again.
      if (user !== all[0] && !(await given.listed()).includes(user)) await given.assigned([user]);
      await users.unassign({ user, spelling: readingSpelling(index) }).expectSuccess();
      await expectEffect(given, 'unassign', { user, project: target.projects[0] });
    }
    await unassignsByAnotherApplication(context);
    const elsewhere = placeFor(target, 1);
    if (elsewhere.project !== target.projects[0]) {
      given.case('in another project');
      await given.assigned([elsewhere.user], elsewhere.project);
      await users.unassign(elsewhere).expectSuccess();
      await expectEffect(given, 'unassign', elsewhere);
    }
    await unassignsAtOnce(context);
    await unassignsOneAssignedTwice(context);
  }),

  check('unassign.leaves-others', async ({ given, users, target }) => {
    const [first, middle, last] = threeUsers(target);
    await given.assigned([first, middle, last]);
    // A user who is assigned again becomes the last, so this removes a middle one, the last and the first.
    for (const user of [middle, middle, first]) {
      const before = await given.baseline();
      await given.act('unassign', { user });
      const others = before.filter((listed) => listed !== user);
      await expectAllListed(given, others, 'unassign');
      await given.act('assign', { user });
    }
    await given.unassigned(last, target.projects[0]);
    given.case('a user who is not assigned');
    await users.unassign({ user: last }).send();
    await expectAllListed(given, [first, middle], 'unassign of a user who is not assigned');
    given.case('one assigned while another is unassigned');
    const [assign, unassign] = await atOnce(target, [
      () => users.assign({ user: last }).send(),
      () => users.unassign({ user: middle }).send(),
    ]);
    const stay = isSuccess(assign.response) ? [first, last] : [first];
    await expectAllListed(given, stay, 'a user was assigned while another was unassigned');
    if (isSuccess(unassign.response))
      await givenEffect(given, 'unassign', { user: middle, project: target.projects[0] });
    given.case('one user twice at once');
    if (!(await given.listed()).includes(middle)) await given.assigned([middle]);
    const others = (await given.listed()).filter((user) => user !== middle);
    await honouredAtOnce(target, [middle, middle], (user) => users.unassign({ user }));
    await expectAllListed(given, others, 'a user was unassigned twice at once');
  }),

  check('unassign.project-scoped', async ({ given, users, target }) => {
    const [first, second] = twoUsersOrOne(target.users);
    for (const [index, [project, other]] of bothWays(target).entries()) {
      const user = index === 0 ? first : second;
      await given.assigned([user], project);
      await given.assigned([user], other);
      const staysAssigned = async () => (await given.listed(other)).includes(user);
      await given.act('unassign', { user, project });
      const afterOne = await staysAssigned();
      await users.unassign({ user, project }).send();
      if (afterOne && (await staysAssigned())) continue;
      throw new ConformanceFailure(
        'the user to stay assigned to the other project',
        'a list without the user',
      );
    }
  }),

  check('unassign.idempotent', async ({ given, users, target }) => {
    const [first, second] = twoUsersOrOne(target.users);
    await given.assigned([first, second]);
    await given.act('unassign', { user: first });
    await givenEffect(given, 'unassign', placeFor(target, 0));
    const before = await given.baseline();
    for (let times = 0; times < 2; times += 1) {
      await users.unassign({ user: first }).send();
      await expectSameList(given, before, 'the list after the same unassign again');
    }
    await given.assigned([first]);
    const honoured = await honouredAtOnce(target, [first, first], (user) => users.unassign({ user }));
    if (honoured.length > 0)
      await expectSameList(given, before, 'the list after the same unassign twice at once');
  }),

  check('list.returns-assigned', async (context) => {
    const { given, users, target } = context;
    const three = threeUsers(target);
    given.nobodyStaysAssigned();
    const before = await users.list().expectList();
    const strangers = before.filter((user) => !three.includes(user));
    await expectListed(given, before, strangers, []);
    const pair = await given.pairAside();
    for (const user of three.slice(0, 2)) await given.act('assign', { user });
    await given.act('assign', { user: three[2], ...(pair && { token: pair.accessToken }) });
    await expectListed(given, await users.list().expectList(), strangers, three);
    const everybody = [...strangers, ...three];
    for (const spelling of READING_SPELLINGS)
      expectSameUsers(await users.list({ spelling }).expectList(), everybody, `the list, ${spelling.name},`);
    // A user stays assigned when the token that assigned them is replaced.
    if (pair !== undefined) {
      await given.refreshed(pair);
      await expectSameList(given, everybody, 'the list after a refresh');
    }
    await listsBesideWrites(context, three);
    await given.act('unassign', { user: three[1] });
    await givenEffect(given, 'unassign', { user: three[1], project: target.projects[0] });
    await given.act('unassign', { user: three[2] });
    expectNotListed(await users.list().expectList(), three[1]);
  }),

  check('list.fresh', async ({ given, target, users }) => {
    for (const place of twoPlaces(target)) {
      await given.listed(place.project);
      await given.act('assign', place);
      await expectFresh(given, 'assign', place);
      await given.act('unassign', place);
      await expectFresh(given, 'unassign', place);
    }
    // One user in place of another: the list is not the same.
    const [first, second] = twoUsersOrOne(target.users);
    await given.assigned([first]);
    const unlessSame = headerOf((await users.list().send()).response, 'etag');
    if (unlessSame === undefined || second === first) return;
    await given.act('unassign', { user: first });
    await given.act('assign', { user: second });
    const { response } = await users.list({ spelling: { name: 'unless it is the same', unlessSame } }).send();
    if (response.status === 304)
      throw new ConformanceFailure(
        'the list after one user was replaced by another',
        'status 304: the list that was sent before',
      );
  }),

  check('list.project-scoped', async ({ given, target }) => {
    const [first, second] = twoUsersOrOne(target.users);
    const other = requireAbility('second-project', target.projects[1]);
    await given.assigned([first]);
    if (second !== first) await given.assigned([second], other);
    expectNotIn(await given.listed(other), first);
    const [own] = target.projects;
    for (const order of [
      [own, other],
      [other, own],
    ]) {
      const reading = order.map((project) => () => given.listed(project));
      for (const [index, listed] of (await atOnce(target, reading)).entries())
        if (order[index] === other) expectNotIn(listed, first);
        else if (second !== first) expectNotIn(listed, second);
    }
    // A single user moves to the other project.
    if (second === first) {
      await given.unassigned(first, target.projects[0]);
      await given.assigned([first], other);
    }
    expectNotIn(await given.listed(), second);
  }),

  check('list.safe', async ({ given, target }) => {
    for (const { user, project } of twoPlaces(target)) {
      await given.assigned([user], project);
      const before = await given.baseline(project);
      for (let times = 0; times < 3; times += 1) await given.act('list', { project });
      await expectSameList(given, before, 'the list after reading it', project);
    }
  }),
];

/** One application may unassign the users that another assigned, for the same owner. */
async function unassignsByAnotherApplication({ given, users, target }: CheckContext): Promise<void> {
  const { secondApplication: application } = target;
  if (application === undefined) return;
  given.case('assigned by another application');
  const place = placeFor(target, 0);
  const token = await given.freshAccessToken({ application });
  await given.assigned([place.user], place.project);
  const { response } = await users.unassign({ ...place, token }).send();
  if (isSuccess(response)) await expectEffect(given, 'unassign', place);
  given.case('assigned by two applications');
  await given.assigned([place.user], place.project);
  await users.assign({ ...place, token }).send();
  await given.act('unassign', place);
  await expectEffect(given, 'unassign', place);
}

function readingSpelling(index: number): Spelling {
  return READING_SPELLINGS[index - 1] ?? AS_DOCUMENTED;
}

function twoUsersOrOne(users: readonly [string, ...string[]]): readonly [string, string] {
  return [users[0], users[1] ?? users[0]];
}

function bothWays(target: Target): readonly (readonly [string, string])[] {
  const [first, second] = [target.projects[0], requireAbility('second-project', target.projects[1])];
  return [
    [first, second],
    [second, first],
  ];
}
