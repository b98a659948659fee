import { expect } from '@playwright/test';
import type { ClientUnderTest } from '../../support/scripted-client/client-under-test.ts';
import { CLIENT_SECRET } from '../../support/scripted-client/replies.ts';
import { rejection, scenario } from '../../support/scripted-client/scenario.ts';
import { AUTH_URL } from '../../support/scripted-client/scripted-service.ts';
import type { Stage } from '../../support/scripted-client/stage.ts';

const CALLBACK = 'https://client.legacy.test/callback';
const STATE = 'a-state-that-was-kept-2b6f91d0';

async function request(
  stage: Stage,
  scopes: readonly string[] = ['read'],
): Promise<{ url: URL; state: string }> {
  const client = await stage.client();
  const made = await client.authorizationRequest(scopes);
  return { url: new URL(made.url), state: made.state };
}

function readCallback(client: ClientUnderTest, query: string, expected: string | undefined): Promise<string> {
  return client.readCallback(`${CALLBACK}?${query}`, expected);
}

scenario('authorize.parameters', async (stage) => {
  const { url, state } = await request(stage);
  expect(`${url.origin}${url.pathname}`).toBe(`${AUTH_URL}/oauth/authorize`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'client-id-1',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'read',
    state,
  });
});

scenario('authorize.scope-plus', async (stage) => {
  const { url } = await request(stage, ['read', 'write', 'destroy']);
  expect(url.search).toMatch(/[?&]scope=read\+write\+destroy(&|$)/);
});

scenario('authorize.state-fresh', async (stage) => {
  const states = [await request(stage), await request(stage), await request(stage)].map(({ state }) => state);
  expect(new Set(states).size).toBe(3);
  // 22 characters of base64url, the densest form in use, hold 128 bits.
  for (const state of states) expect(state.length).toBeGreaterThanOrEqual(22);
});

scenario('authorize.no-secret', async (stage) => {
  const { url } = await request(stage);
  expect(url.href).not.toContain(CLIENT_SECRET);
});

scenario('callback.code', async (stage) => {
  const client = await stage.client();
  expect(await readCallback(client, `code=a%2Fb%2Bc%3D&state=${STATE}`, STATE)).toBe('a/b+c=');
});

const foreign = [
  ['callback.state-different', 'with another state', `code=c&state=${STATE}x`, STATE],
  ['callback.state-absent', 'without a state', 'code=c', STATE],
  ['callback.state-not-kept', 'to a browser that no state was kept for', `code=c&state=${STATE}`, undefined],
] as const;
for (const [id, what, query, expected] of foreign) {
  scenario(id, async (stage) => {
    const client = await stage.client();
    await rejection(readCallback(client, query, expected), `a redirect ${what}`);
  });
}

scenario('callback.denied', async (stage) => {
  const client = await stage.client();
  const denial = await rejection(
    readCallback(client, `error=access_denied&state=${STATE}`, STATE),
    'a denial',
  );
  expect(stage.explain(denial).denied).toBe(true);
});

scenario('callback.other-error', async (stage) => {
  const client = await stage.client();
  const error = await rejection(
    readCallback(client, `error=invalid_scope&state=${STATE}`, STATE),
    'an error',
  );
  expect(stage.explain(error).denied ?? false).toBe(false);
});

scenario('callback.no-code', async (stage) => {
  const client = await stage.client();
  await rejection(readCallback(client, `state=${STATE}`, STATE), 'a redirect without a code');
  await rejection(readCallback(client, `code=&state=${STATE}`, STATE), 'a redirect with an empty code');
});
