import { expect, test } from '@playwright/test';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import { isSuccess, type Transport, type WireRequest } from '../../../src/http/exchange.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { runSmokeFlow } from '../../../src/service/flow/smoke-flow.ts';
import { checkBehind, idsWith } from '../../support/check-live.ts';
import { listsNaming } from '../../support/controls/form-controls.ts';

test('a list whose records name other people stops the run with the key that says where the ids are', async () => {
  const profile = await loadProfile('by-the-rfc');
  const { users, close } = await emulatorTarget({ profile, defects: [], sockets: false });
  await close();
  const defects = [{ id: 'control', create: listsNaming(users[0]) }];
  const { userIdPointer: _, ...target } = await emulatorTarget({ profile, defects, sockets: false });
  const { stopped } = await runSmokeFlow(connectWithoutBrowser(target, new SecretRegistry()));
  await target.close();
  expect(stopped?.step).toBe('list');
  expect(stopped?.message).toContain('set `list.userId` to the right place');
  expect(stopped?.message).toContain('`list.userId`');
});

/** Lists each sort of users in an array of its own. */
function inArraysBySort(isManager: (user: string) => boolean) {
  return (inner: Transport) => async (request: WireRequest, signal?: AbortSignal) => {
    const response = await inner(request, signal);
    if (request.method !== 'GET' || !request.url.includes('/projects/') || !isSuccess(response))
      return response;
    const records = JSON.parse(response.body) as readonly { readonly id: unknown }[];
    const { managers = [], workers = [] } = Object.groupBy(records, ({ id }) =>
      isManager(String(id)) ? 'managers' : 'workers',
    );
    return { ...response, body: JSON.stringify({ managers, workers }) };
  };
}

for (const [what, users] of [
  ['the second own user', ['505']],
  ['the third own user', ['506']],
  ['the lock user', ['507']],
] as const) {
  test(`a list with an array for each sort of users, ${what} in another one: 3, and list.reader`, async () => {
    const results = await checkBehind(inArraysBySort((user) => users.includes(user as never)));
    expect([results.exitCode, idsWith(results, 'fail')]).toEqual([3, []]);
    expect(results.troubles[0]?.message).toContain('`list.reader`');
  });
}

test('a list with an array for each sort of users, all own users in one: conforms', async () => {
  const results = await checkBehind(inArraysBySort((user) => ['501', '502'].includes(user)));
  expect([results.exitCode, idsWith(results, 'fail'), results.troubles]).toEqual([0, [], []]);
});

test('empty projects whose records name the own users as colleagues, where a denial comes first: conforms', async () => {
  const own = ['504', '505', '506', '507'];
  const colleagues = own.map((id) => ({ id }));
  const results = await checkBehind((inner) => async (request, signal) => {
    const response = await inner(request, signal);
    if (request.method !== 'GET' || !request.url.includes('/projects/') || !isSuccess(response))
      return response;
    const records = JSON.parse(response.body) as readonly { readonly id: unknown }[];
    const shown = records.filter(({ id }) => own.includes(String(id)));
    return { ...response, body: JSON.stringify(shown.map((one) => ({ ...one, relations: { colleagues } }))) };
  });
  expect([results.exitCode, idsWith(results, 'fail'), results.troubles]).toEqual([0, [], []]);
});

test('a list with a second array, a service that does not assign the second user: assign.adds-user', async () => {
  const results = await checkBehind((inner) => {
    const split = inArraysBySort((user) => user === '501')(inner);
    return async (request, signal) =>
      request.method === 'PUT' && request.url.endsWith('/505')
        ? { ...(await split({ ...request, url: request.url.replace('/505', '/504') }, signal)) }
        : split(request, signal);
  });
  expect(results.exitCode).toBe(1);
  expect(idsWith(results, 'fail')).toContain('assign.adds-user');
});

test('a list whose JSON is cut off: 3, and says that it is', async () => {
  const cut = (inner: Transport) => async (request: WireRequest, signal?: AbortSignal) => {
    const response = await inner(request, signal);
    return request.method === 'GET' && request.url.includes('/projects/') && isSuccess(response)
      ? { ...response, body: response.body.slice(0, -1) }
      : response;
  };
  const results = await checkBehind(cut);
  expect([results.exitCode, idsWith(results, 'fail')]).toEqual([3, []]);
  expect(results.troubles[0]?.message).toContain('the list begins as JSON and is none');
});
