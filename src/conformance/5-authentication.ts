import { alterations, neverIssued } from '../checks/altered.ts';
import { check, provokingCheck } from '../checks/check.ts';
import type { Given } from '../checks/given.ts';
import { Blocked, ConformanceFailure } from '../checks/outcome.ts';
import { NO_TOKEN, type UserActs, type UserCall } from '../checks/user-acts.ts';
import { ALL_SCOPES } from '../targets/target.ts';

type OperationName = 'assign' | 'unassign' | 'list';

/** What must be there for a refusal to be seen: somebody to unassign or to list. */
async function arrange(operation: OperationName, given: Given, user: string): Promise<void> {
  if (operation !== 'assign') await given.assigned([user]);
}

function call(users: UserActs, operation: OperationName, how: UserCall) {
  return users[operation](how);
}

function tokenRequired(operation: OperationName) {
  return provokingCheck(`${operation}.token-required`, async ({ given, users, target }) => {
    await arrange(operation, given, target.users[0]);
    await call(users, operation, { token: NO_TOKEN }).expectRefused();
    await call(users, operation, { token: '' }).expectRefused();
    await call(users, operation, {}).expectTwinAccepted();
  });
}

function tokenInvalidRefused(operation: OperationName) {
  return provokingCheck(`${operation}.token-invalid-refused`, async ({ given, users, target }) => {
    await arrange(operation, given, target.users[0]);
    const issued = await given.accessToken();
    for (const token of [neverIssued(issued), ...alterations(issued)]) {
      await call(users, operation, { token }).expectRefused();
    }
    await call(users, operation, {}).expectTwinAccepted();
  });
}

/** Clause 5: authentication and scopes. */
export const checks = [
  check('scope.granted-scopes-act', async ({ given, users }) => {
    const { accessToken } = await given.pair({ scope: ALL_SCOPES });
    for (const operation of ['assign', 'list', 'unassign'] as const) {
      const { response } = await call(users, operation, { token: accessToken }).answer();
      const { status } = response;
      if (status === 401) throw new Blocked(operation, 'exchange.token-acts', `status ${status}`);
      if (status !== 403) continue;
      const wanted = `${operation} to be allowed to a token with all three scopes`;
      throw new ConformanceFailure(wanted, `status ${status}`);
    }
  }),

  tokenRequired('assign'),
  tokenInvalidRefused('assign'),
  tokenRequired('unassign'),
  tokenInvalidRefused('unassign'),
  tokenRequired('list'),
  tokenInvalidRefused('list'),

  provokingCheck('list.refresh-token-is-no-access-token', async ({ given, users, target }) => {
    await given.assigned([target.users[0]]);
    const { refreshToken } = await given.pair();
    const usedCode = await given.code();
    await given.exchanged(usedCode);
    for (const token of [refreshToken, await given.code(), usedCode]) {
      await users.list({ token }).expectRefused();
    }
    await users.list().expectTwinAccepted();
  }),
];
