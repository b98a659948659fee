import {
  memoryStore,
  RefreshLost,
  TokenRefused,
  Unreachable,
} from '../../../examples/reference-client/client/index.ts';
import { deadlineFor, FAULTS } from '../../support/scripted-client/fault-server.ts';
import { tokenError, tokens, tokensOf } from '../../support/scripted-client/replies.ts';
import { errorOf, expect, expiredPair, test } from './fixtures.ts';

for (const fault of FAULTS) {
  test(`${fault}: RefreshLost, and no later call sends the refresh token unasked`, async ({
    make,
    startServer,
    clock,
  }) => {
    const store = memoryStore(expiredPair(clock));
    const server = await startServer(fault, tokens(2));
    const client = make({ store, authUrl: server.url, deadlineMs: deadlineFor(fault) });
    const thrown = await errorOf(client.list('project-1'));
    expect(thrown).toBeInstanceOf(RefreshLost);
    expect((thrown as RefreshLost).cause).toBeInstanceOf(Unreachable);

    const restarted = make({ store, authUrl: server.url });
    for (const again of [client.list('project-1'), client.refresh(), restarted.accessToken()]) {
      expect(await errorOf(again)).toBeInstanceOf(RefreshLost);
    }
    expect(server.tokenForms.length).toBeLessThanOrEqual(1);
    expect(await store.read()).toMatchObject(tokensOf(1));
  });
}

test('recoverLostRefresh sends the stored token once more', async ({ make, service, startServer, clock }) => {
  const store = memoryStore(expiredPair(clock));
  const server = await startServer('reset');
  expect(await errorOf(make({ store, authUrl: server.url }).refresh())).toBeInstanceOf(RefreshLost);

  service.token(tokens(2), tokens(3));
  const client = make({ store });
  await client.recoverLostRefresh();
  expect(service.tokenForms[0]?.get('refresh_token')).toBe(tokensOf(1).refreshToken);
  expect(await client.accessToken()).toBe(tokensOf(2).accessToken);
  await client.refresh();
  expect(await client.accessToken()).toBe(tokensOf(3).accessToken);
});

test('recoverLostRefresh that is refused says so', async ({ make, service, clock }) => {
  const store = memoryStore({ ...expiredPair(clock), refreshSentAt: clock.now() });
  service.token(tokenError(400, 'invalid_grant'));
  const thrown = await errorOf(make({ store }).recoverLostRefresh());
  expect(thrown).toBeInstanceOf(TokenRefused);
  expect(thrown).toMatchObject({ error: 'invalid_grant' });
});

test('a refresh that was never sent is not lost', async ({ make, service, startServer, clock }) => {
  const store = memoryStore(expiredPair(clock));
  const server = await startServer(tokens(2));
  const { url } = server;
  await server.close();
  const thrown = await errorOf(make({ store, authUrl: url }).refresh());
  expect(thrown).toMatchObject({ name: 'Unreachable', reason: 'not-sent' });

  service.token(tokens(2));
  await make({ store }).refresh();
  expect(await store.read()).toMatchObject(tokensOf(2));
});

test('the store says that a refresh is under way, then no more', async ({ make, service, clock }) => {
  const store = memoryStore(expiredPair(clock));
  let during: unknown;
  service.token(async () => {
    during = await store.read();
    return tokens(2);
  });
  await make({ store }).refresh();
  expect(during).toEqual({ ...expiredPair(clock), refreshSentAt: clock.now() });
  expect(await store.read()).toEqual({ ...tokensOf(2), expiresAt: clock.now() + 7_200_000 });
});
