/** Faults that the checks once passed, and the requirements that fail by them now. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../generated/ids.ts';
import { CHECKS } from '../../src/conformance/index.ts';
import { defect, type PolicyChanges } from '../../src/emulator/defects/define-defect.ts';
import { loadProfile } from '../../src/emulator/load-profile.ts';
import type { Policy } from '../../src/emulator/policy.ts';
import { refuse } from '../../src/emulator/refusal.ts';
import { emulatorTarget } from '../../src/targets/emulator.ts';
import { type RowOutcome, runWithoutBrowser } from '../proof/kill-matrix/run-checks.ts';

async function outcomes(
  changes: (policy: Policy) => PolicyChanges,
  ids: readonly RequirementId[],
): Promise<readonly Pick<RowOutcome, 'id' | 'result'>[]> {
  const defects = [defect('fault', changes)];
  const profile = await loadProfile('by-the-rfc');
  const target = await emulatorTarget({ profile, defects, sockets: false });
  const checks = CHECKS.filter(({ id }) => ids.includes(id));
  return (await runWithoutBrowser(target, checks)).map(({ id, result }) => ({ id, result }));
}

/** Reads who is assigned, takes a moment, and writes what it has read with the change: whoever writes last wins. */
function lostUpdates({ assignments }: Policy): PolicyChanges {
  return {
    assignments: {
      async assign(all, project, user, now) {
        const before = [...(await assignments.list(all, project, now))];
        await wait(1);
        for (const id of [...(await assignments.list(all, project, now))])
          if (!before.includes(id)) all.remove(project.id, id);
        return assignments.assign(all, project, user, now);
      },
    },
  };
}

test('two assigns that meet, of which one is lost', async () => {
  expect(await outcomes(lostUpdates, ['assign.adds-user', 'assign.leaves-others'])).toEqual([
    { id: 'assign.adds-user', result: 'pass' },
    { id: 'assign.leaves-others', result: 'fail' },
  ]);
});

for (const [what, width] of [
  ['user', 32],
  ['project', 53],
] as const) {
  test(`a ${what} id that is cut to ${width} bits`, async () => {
    const cut = (id: string) => (/^-?\d+$/.test(id) ? String(BigInt.asUintN(width, BigInt(id))) : id);
    const fault = ({ assignments }: Policy): PolicyChanges => ({
      assignments: { [what]: (id: string, store: never) => assignments[what](cut(id), store) },
    });
    expect(await outcomes(fault, ['resource.odd-ids-contained'])).toEqual([
      { id: 'resource.odd-ids-contained', result: 'fail' },
    ]);
  });
}

test('a chain of refreshes that ends after ten', async () => {
  const fault = ({ refresh }: Policy): PolicyChanges => {
    const turns = new Map<unknown, number>();
    return {
      refresh: {
        check(pair, exchange, now) {
          const turn = (turns.get(pair.grant) ?? 0) + 1;
          turns.set(pair.grant, turn);
          return turn > 10
            ? refuse('refresh-token-expired', 'the eleventh of its grant')
            : refresh.check(pair, exchange, now);
        },
      },
    };
  };
  expect(await outcomes(fault, ['refresh.chain'])).toEqual([{ id: 'refresh.chain', result: 'fail' }]);
});

test('scopes that are dropped when they are asked for together: the service need not ask again for what it granted', async () => {
  const fault = ({ authorize }: Policy): PolicyChanges => ({
    authorize: {
      scopes(request) {
        const last = request.scope
          ?.split(' ')
          .filter((scope) => scope === 'destroy')
          .at(-1);
        return authorize.scopes(last === undefined ? request : { ...request, scope: last });
      },
    },
  });
  expect(await outcomes(fault, ['authorize.grant-needed', 'authorize.scope-combined'])).toEqual([
    { id: 'authorize.grant-needed', result: 'blocked' },
    { id: 'authorize.scope-combined', result: 'fail' },
  ]);
});
