import { expect } from '@playwright/test';
import { FAULTS } from '../../support/scripted-client/fault-server.ts';
import {
  CLIENT_SECRET,
  CODE,
  empty,
  json,
  tokenError,
  tokens,
  tokensOf,
} from '../../support/scripted-client/replies.ts';
import { rejection, scenario } from '../../support/scripted-client/scenario.ts';
import { tokenFaultNames, tokenFaults } from '../../support/scripted-client/token-faults.ts';

const LIFETIME_SECONDS = 7200;

scenario('refresh.request', async (stage) => {
  const client = await stage.connectedClient();
  stage.service.token(tokens(2));
  await client.refresh();
  expect([...(stage.service.tokenForms[1] ?? [])].sort()).toEqual([
    ['client_id', 'client-id-1'],
    ['client_secret', CLIENT_SECRET],
    ['grant_type', 'refresh_token'],
    ['refresh_token', tokensOf(1).refreshToken],
  ]);
});

scenario('refresh.rotation', async (stage) => {
  const client = await stage.connectedClient();
  for (const n of [2, 3, 4]) {
    stage.service.token(tokens(n));
    await client.refresh();
    expect(stage.store.current).toMatchObject(tokensOf(n));
  }
  const sent = stage.service.tokenForms.slice(1).map((form) => form.get('refresh_token'));
  expect(sent).toEqual([1, 2, 3].map((n) => tokensOf(n).refreshToken));
});

scenario('refresh.stored-before-use', async (stage) => {
  const client = await stage.connectedClient();
  stage.clock.advanceSeconds(LIFETIME_SECONDS);
  let storedAtUse: unknown;
  stage.service.token(tokens(2));
  stage.service.list(() => {
    storedAtUse = stage.store.current;
    return json(200, []);
  });
  await client.list('project-1');
  expect(storedAtUse).toMatchObject(tokensOf(2));
});

scenario('refresh.single-flight', async (stage) => {
  const client = await stage.connectedClient();
  stage.clock.advanceSeconds(LIFETIME_SECONDS);
  stage.service.token(tokens(2));
  stage.service.always('list', json(200, []));
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((project) => client.list(project)));
  const presented = new Set(stage.service.operations.map(({ headers }) => headers.authorization));
  expect([...presented]).toEqual([`Bearer ${tokensOf(2).accessToken}`]);
  expect(stage.service.operations).toHaveLength(5);
});

scenario('refresh.from-store', async (stage) => {
  const before = await stage.connectedClient();
  stage.service.token(tokens(2));
  await before.refresh();
  const after = await stage.client();
  stage.service.token(tokens(3));
  await after.refresh();
  expect(stage.service.tokenForms[2]?.get('refresh_token')).toBe(tokensOf(2).refreshToken);
  expect(stage.store.current).toMatchObject(tokensOf(3));
});

scenario('refresh.store-failure', async (stage) => {
  const client = await stage.connectedClient();
  stage.clock.advanceSeconds(LIFETIME_SECONDS);
  stage.service.token(() => {
    // Every saving fails from the moment on that the new pair is on its way.
    stage.store.failNextSaves(100);
    return tokens(2);
  });
  await rejection(client.list('project-1'), 'a call whose new tokens could not be stored');
  expect(stage.service.operations).toHaveLength(0);
});

scenario('refresh.refused-not-sent-again', async (stage) => {
  const client = await stage.connectedClient();
  stage.clock.advanceSeconds(LIFETIME_SECONDS);
  stage.service.token(tokenError(400, 'invalid_grant'));
  await rejection(client.list('project-1'), 'a call whose refresh was refused');
  await rejection(client.list('project-1'), 'a second such call');
  expect(stage.service.tokenForms).toHaveLength(2);
});

scenario('refresh.tokens-kept-after-503', async (stage) => {
  const client = await stage.connectedClient();
  stage.clock.advanceSeconds(LIFETIME_SECONDS);
  stage.service.token(empty(503), tokens(2));
  await rejection(client.list('project-1'), 'a call during an outage');
  stage.service.list(json(200, ['user-1']));
  expect(await client.list('project-1')).toEqual(['user-1']);
  const sent = stage.service.tokenForms.slice(1).map((form) => form.get('refresh_token'));
  expect(sent).toEqual([tokensOf(1).refreshToken, tokensOf(1).refreshToken]);
});

for (const fault of tokenFaultNames) {
  scenario(`refresh.fault.${fault}`, async (stage) => {
    const client = await stage.connectedClient();
    stage.clock.advanceSeconds(LIFETIME_SECONDS);
    stage.service.token(tokenFaults[fault]);
    await rejection(client.list('project-1'), `a call whose refresh was answered with ${fault}`);
    expect(stage.service.operations, 'calls with tokens of that answer').toHaveLength(0);
    expect(stage.store.current).toMatchObject(tokensOf(1));
  });
}

for (const fault of FAULTS) {
  scenario(`refresh.fault.${fault}`, async (stage) => {
    const server = await stage.faultServer(tokens(1));
    const before = await stage.client({ authUrl: server.url });
    await before.exchange(CODE);
    stage.clock.advanceSeconds(LIFETIME_SECONDS);

    server.willTreat(fault);
    const client = await stage.clientOf(server, fault);
    await rejection(client.list('project-1'), `a call whose refresh suffers ${fault}`);
    const [, ...refreshes] = server.tokenForms;
    expect(refreshes.length, 'refreshes').toBeLessThanOrEqual(1);
    expect(server.requests.filter(({ method }) => method === 'GET')).toHaveLength(0);
    expect(stage.store.current).toMatchObject(tokensOf(1));
  });
}
