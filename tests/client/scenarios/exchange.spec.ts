import { expect } from '@playwright/test';
import { FAULTS } from '../../support/scripted-client/fault-server.ts';
import {
  CLIENT_SECRET,
  CODE,
  html,
  json,
  tokenError,
  tokens,
  tokensOf,
} from '../../support/scripted-client/replies.ts';
import { rejection, scenario } from '../../support/scripted-client/scenario.ts';
import { LEEWAY_SECONDS } from '../../support/scripted-client/stage.ts';
import { tokenFaultNames, tokenFaults } from '../../support/scripted-client/token-faults.ts';

scenario('exchange.request', async (stage) => {
  await stage.connectedClient();
  const [request] = stage.service.requests;
  expect(request?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded(;|$)/i);
  expect(request?.path).toBe('/oauth/token');
  expect([...(stage.service.tokenForms[0] ?? [])].sort()).toEqual([
    ['client_id', 'client-id-1'],
    ['client_secret', CLIENT_SECRET],
    ['code', CODE],
    ['grant_type', 'authorization_code'],
    ['redirect_uri', 'https://client.legacy.test/callback'],
  ]);
});

scenario('exchange.credentials-once', async (stage) => {
  await stage.connectedClient();
  expect(stage.service.requests[0]?.headers.authorization).toBeUndefined();
});

scenario('exchange.stored', async (stage) => {
  await stage.connectedClient();
  expect(stage.store.current).toMatchObject(tokensOf(1));
});

scenario('exchange.stored-before-use', async (stage) => {
  const client = await stage.connectedClient();
  let storedAtUse: unknown;
  stage.service.list(() => {
    storedAtUse = stage.store.current;
    return json(200, []);
  });
  await client.list('project-1');
  expect(storedAtUse).toMatchObject(tokensOf(1));
});

scenario('exchange.code-once', async (stage) => {
  const client = await stage.connectedClient();
  await rejection(client.exchange(CODE), 'a second exchange of the code');
  expect(stage.store.current).toMatchObject(tokensOf(1));
});

scenario('exchange.code-once-in-parallel', async (stage) => {
  const client = await stage.client();
  stage.service.token(tokens(1));
  const outcomes = await Promise.allSettled([client.exchange(CODE), client.exchange(CODE)]);
  expect(outcomes.map(({ status }) => status)).toContain('fulfilled');
  expect(stage.service.tokenForms).toHaveLength(1);
  expect(stage.store.current).toMatchObject(tokensOf(1));
});

scenario('exchange.code-once-after-500', async (stage) => {
  const client = await stage.client();
  stage.service.token(html(500));
  await rejection(client.exchange(CODE), 'an exchange that got a 500');
  await rejection(client.exchange(CODE), 'a second exchange of the code');
});

for (const fault of FAULTS) {
  scenario(`exchange.code-once-after.${fault}`, async (stage) => {
    const server = await stage.faultServer(fault, tokens(1));
    const client = await stage.clientOf(server, fault);
    await rejection(client.exchange(CODE), 'an exchange whose answer was lost');
    await rejection(client.exchange(CODE), 'a second exchange of the code');
    expect(server.tokenForms.length, 'requests that carried the code').toBeLessThanOrEqual(1);
  });
}

scenario('exchange.store-failure', async (stage) => {
  const client = await stage.client();
  stage.store.failNextSaves(1);
  stage.service.token(tokens(1));
  await rejection(client.exchange(CODE), 'an exchange whose tokens could not be stored');
});

scenario('exchange.token-type-any-case', async (stage) => {
  const client = await stage.client();
  stage.service.token(tokens(1, { token_type: 'Bearer' }));
  await client.exchange(CODE);
  expect(await client.accessToken()).toBe(tokensOf(1).accessToken);
});

scenario('exchange.extra-fields', async (stage) => {
  const client = await stage.client();
  stage.service.token(tokens(1, { scope: 'read write', created_at: 1_772_443_800, error: null }));
  await client.exchange(CODE);
  expect(await client.accessToken()).toBe(tokensOf(1).accessToken);
});

scenario('exchange.expires-in-string', async (stage) => {
  const client = await stage.client();
  stage.service.token(tokens(1, { expires_in: '7200' }));
  const understood = await client.exchange(CODE).then(
    () => true,
    () => false,
  );
  if (!understood) return expect(stage.store.current).toBeUndefined();
  stage.clock.advanceSeconds(7200 - LEEWAY_SECONDS);
  stage.service.token(tokens(2));
  expect(await client.accessToken()).toBe(tokensOf(2).accessToken);
});

scenario('exchange.error-from-body', async (stage) => {
  const client = await stage.client();
  stage.service.token(tokenError(400, 'invalid_grant'));
  const error = await rejection(client.exchange(CODE), 'an exchange that was refused');
  expect(stage.explain(error).error).toBe('invalid_grant');
});

for (const fault of tokenFaultNames) {
  scenario(`exchange.fault.${fault}`, async (stage) => {
    const client = await stage.client();
    stage.service.token(tokenFaults[fault]);
    await rejection(client.exchange(CODE), `an exchange answered with ${fault}`);
    expect(stage.store.current).toBeUndefined();
  });
}

for (const fault of FAULTS) {
  scenario(`exchange.fault.${fault}`, async (stage) => {
    const server = await stage.faultServer(fault);
    const client = await stage.clientOf(server, fault);
    await rejection(client.exchange(CODE), `an exchange that suffers ${fault}`);
    expect(stage.store.current).toBeUndefined();
  });
}
