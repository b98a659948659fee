/** Ids that programs mistreat: who is assigned must be who was asked for, and a service that keeps such ids well conforms. */
import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../../generated/ids.ts';
import type { Policy } from '../../../src/emulator/policy/policy.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { CHECKS_IN_ORDER, runWithoutBrowser } from '../../proof/kill-matrix/run-checks.ts';

const ABOUT_USERS: readonly RequirementId[] = [
  'assign.adds-user',
  'assign.leaves-others',
  'list.returns-assigned',
  'unassign.removes-user',
  'unassign.leaves-others',
];

const BIG = ['9007199254740993', '9007199254740995', '9007199254740997'];
const DOTTED = ['j.doe', 'a.b.json', 'x.'];
const ESCAPED = ['a@b', 'a b', 'ü'];

/** A service's forms of users' ids, in a path and in a list. */
interface Treatment {
  readonly assigned?: (id: string) => string;
  readonly unassigned?: (id: string) => string;
  readonly asNumbers?: true;
}

const same = (id: string) => id;
const rounded = (id: string) => String(BigInt(Number(id)));
const untilLastDot = (id: string) => id.replace(/\.[^.]*$/, '') || id;

for (const [name, ids, treatment, failing] of [
  ['ids beyond 2^53', BIG, {}, []],
  ['ids beyond 2^53, as numbers', BIG, { asNumbers: true }, []],
  ['ids with dots', DOTTED, {}, []],
  ['ids that a path must encode', ESCAPED, {}, []],
  ['ids that an assign puts through a double', BIG, { assigned: rounded }, ['assign.adds-user']],
  ['ids that an assign cuts at the last dot', DOTTED, { assigned: untilLastDot }, ['assign.adds-user']],
  [
    'ids that an unassign compares as they stand in the path',
    ESCAPED,
    { unassigned: encodeURIComponent },
    ['unassign.removes-user'],
  ],
] as const satisfies readonly (readonly [string, readonly string[], Treatment, readonly RequirementId[]])[]) {
  test(`${name}: ${failing.length === 0 ? 'nothing fails' : `${failing} fails`}`, async () => {
    const outcomes = await outcomesWith(ids, treatment);
    const bad = outcomes.filter(({ result }) => result !== 'pass' && result !== 'blocked');
    expect(bad.map(({ id, broken, reason }) => [id, broken ?? reason])).toEqual(
      failing.map((id) => [id, expect.stringContaining('expected')]),
    );
  });
}

async function outcomesWith(ids: readonly string[], treatment: Treatment) {
  const target = await emulatorTarget({
    profile: 'by-the-rfc',
    defects: [{ id: 'test-ids', create: () => (policy) => treated(policy, ids, treatment) }],
    sockets: false,
  });
  const [first = '', ...rest] = ids;
  const checks = CHECKS_IN_ORDER.filter(({ id }) => ABOUT_USERS.includes(id));
  return runWithoutBrowser({ ...target, users: [first, ...rest] }, checks);
}

function treated(policy: Policy, ids: readonly string[], treatment: Treatment): Policy {
  const { assignments, answer } = policy;
  const { assigned = same, unassigned = same, asNumbers } = treatment;
  return {
    ...policy,
    assignments: {
      ...assignments,
      user(id, store) {
        // A seed has ids of the profile's form alone.
        for (const known of ids.includes(id) ? [id, assigned(id), unassigned(id)] : [])
          store.users.set(known, { id: known, name: known, email: 'user@example.test' });
        return assignments.user(id, store);
      },
      assign: (held, project, user, now) =>
        assignments.assign(held, project, { ...user, id: assigned(user.id) }, now),
      unassign: (held, project, user, now) =>
        assignments.unassign(held, project, { ...user, id: unassigned(user.id) }, now),
    },
    answer: {
      ...answer,
      list(_project, users, _query) {
        const shown = users.map(({ id }) => (asNumbers ? id : JSON.stringify(id)));
        return {
          status: 200,
          headers: [['Content-Type', 'application/json']],
          body: `[${shown.map((id) => `{"id":${id}}`).join(',')}]`,
        };
      },
    },
  };
}
