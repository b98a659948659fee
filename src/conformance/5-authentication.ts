import type { RequirementId } from '../../generated/ids.ts';
import { alterations, neverIssued } from '../checks/altered.ts';
import { check, provokingCheck } from '../checks/check.ts';
import type { Given } from '../checks/given.ts';
import { Blocked, ConformanceFailure } from '../checks/outcome.ts';
import { type Place, placeFor, twoPlaces } from '../checks/places.ts';
import { NO_TOKEN, type UserActs, type UserCall } from '../checks/user-acts.ts';
import { ALL_SCOPES } from '../targets/target.ts';

type OperationName = 'assign' | 'unassign' | 'list';

/** What must be there for a refusal to be seen: somebody to unassign or to list. */
async function arrange(operation: OperationName, given: Given, places: readonly Place[]): Promise<void> {
  if (operation === 'assign') return;
  for (const { user, project } of places) await given.assigned([user], project);
}

function call(users: UserActs, operation: OperationName, how: UserCall) {
  return users[operation](how);
}

function tokenRequired(operation: OperationName) {
  return provokingCheck(`${operation}.token-required`, async ({ given, users, target }) => {
    const places = twoPlaces(target);
    await arrange(operation, given, places);
    const without = places.flatMap((place) => [
      { ...place, token: NO_TOKEN },
      { ...place, token: '' },
    ]);
    await users.expectAllRefused(operation, without);
    for (const place of places) await call(users, operation, place).expectTwinAccepted();
  });
}

function tokenInvalidRefused(operation: OperationName) {
  return provokingCheck(`${operation}.token-invalid-refused`, async ({ given, users, target }) => {
    const places = twoPlaces(target);
    await arrange(operation, given, places);
    const issued = await given.accessToken();
    const invalid = [neverIssued(issued), ...alterations(issued)];
    await users.expectAllRefused(
      operation,
      invalid.map((token, index) => ({ ...placeFor(target, index % 2), token })),
    );
    for (const place of places) await call(users, operation, place).expectTwinAccepted();
  });
}

/** Clause 5: authentication and scopes. */
export const checks = [
  check('scope.granted-scopes-act', async ({ given, users, target }) => {
    const pair = await given.pair({ scope: ALL_SCOPES });
    const expectAllowed = async (accessToken: string, place: Place, tokenOwner: RequirementId) => {
      for (const operation of ['assign', 'list', 'unassign'] as const) {
        const { response } = await call(users, operation, { ...place, token: accessToken }).answer();
        const { status } = response;
        if (status === 401) throw new Blocked(operation, tokenOwner, `status ${status}`);
        if (status !== 403) continue;
        const wanted = `${operation} to be allowed to a token with all three scopes`;
        throw new ConformanceFailure(wanted, `status ${status}`);
      }
    };
    await expectAllowed(pair.accessToken, placeFor(target, 0), 'exchange.token-acts');
    await expectAllowed(pair.accessToken, placeFor(target, 1), 'exchange.token-acts');
    if (!given.mayRefresh) return;
    const { accessToken } = await given.refreshed(pair);
    await expectAllowed(accessToken, placeFor(target, 0), 'refresh.new-token-acts');
  }),

  tokenRequired('assign'),
  tokenInvalidRefused('assign'),
  tokenRequired('unassign'),
  tokenInvalidRefused('unassign'),
  tokenRequired('list'),
  tokenInvalidRefused('list'),

  provokingCheck('list.refresh-token-is-no-access-token', async ({ given, users, target }) => {
    const [place = placeFor(target, 0), other = place] = twoPlaces(target);
    await given.assigned([place.user], place.project);
    const usedCode = await given.code();
    const { refreshToken } = await given.exchanged(usedCode);
    const others = [refreshToken, await given.code(), usedCode];
    for (const [operation, at] of [
      ['list', place],
      ['assign', other],
      ['unassign', place],
    ] as const)
      await users.expectAllRefused(
        operation,
        others.map((token) => ({ ...at, token })),
      );
    await users.list().expectTwinAccepted();
    await users.assign(other).expectTwinAccepted();
    await users.unassign(place).expectTwinAccepted();
  }),
];
