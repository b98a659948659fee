import { expect } from '@playwright/test';
import type { ClientUnderTest } from '../../support/client-adapters/adapter.ts';
import { CLIENT_SECRET } from '../../support/client-adapters/replies.ts';
import { rejection, scenario } from '../../support/client-adapters/scenario.ts';
import { AUTH_URL } from '../../support/client-adapters/scripted-service.ts';
import type { Stage } from '../../support/client-adapters/stage.ts';

const CALLBACK = 'https://client.legacy.test/callback';
const STATE = 'a-state-that-was-kept-2b6f91d0';

async function request(
  stage: Stage,
  scopes: readonly string[] = ['read'],
): Promise<{ url: URL; state: string }> {
  const client = await stage.client();
  const made = await client.authorizationRequest?.(scopes);
  if (made === undefined) throw new Error('expected an authorization request');
  return { url: new URL(made.url), state: made.state };
}

function readCallback(client: ClientUnderTest, query: string, expected: string | undefined): Promise<string> {
  if (client.readCallback === undefined) throw new Error('expected a client that reads redirects');
  return client.readCallback(`${CALLBACK}?${query}`, expected);
}

scenario(
  'authorize.parameters',
  'the authorization request has the four documented parameters and a state',
  async (stage) => {
    const { url, state } = await request(stage);
    expect(`${url.origin}${url.pathname}`).toBe(`${AUTH_URL}/oauth/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'client-id-1',
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'read',
      state,
    });
  },
  'authorizationRequest',
);

scenario(
  'authorize.scope-plus',
  'a plus sign, not %2B, separates the scopes',
  async (stage) => {
    const { url } = await request(stage, ['read', 'write', 'destroy']);
    expect(url.search).toMatch(/[?&]scope=read\+write\+destroy(&|$)/);
  },
  'authorizationRequest',
);

scenario(
  'authorize.state-fresh',
  'each request has a state of its own, too long to guess',
  async (stage) => {
    const states = [await request(stage), await request(stage), await request(stage)].map(
      ({ state }) => state,
    );
    expect(new Set(states).size).toBe(3);
    // 22 characters of base64url, the densest form in use, hold 128 bits.
    for (const state of states) expect(state.length).toBeGreaterThanOrEqual(22);
  },
  'authorizationRequest',
);

scenario(
  'authorize.no-secret',
  'the client secret is not in the address',
  async (stage) => {
    const { url } = await request(stage);
    expect(url.href).not.toContain(CLIENT_SECRET);
  },
  'authorizationRequest',
);

scenario(
  'callback.code',
  'the code of a redirect with the right state is returned, decoded',
  async (stage) => {
    const client = await stage.client();
    expect(await readCallback(client, `code=a%2Fb%2Bc%3D&state=${STATE}`, STATE)).toBe('a/b+c=');
  },
  'readCallback',
);

const foreign = [
  ['callback.state-different', 'with another state', `code=c&state=${STATE}x`, STATE],
  ['callback.state-absent', 'without a state', 'code=c', STATE],
  ['callback.state-not-kept', 'to a browser that no state was kept for', `code=c&state=${STATE}`, undefined],
] as const;
for (const [id, what, query, expected] of foreign) {
  scenario(
    id,
    `a redirect ${what} is refused`,
    async (stage) => {
      const client = await stage.client();
      await rejection(readCallback(client, query, expected), `a redirect ${what}`);
    },
    'readCallback',
  );
}

scenario(
  'callback.denied',
  'a denial is told apart from an error',
  async (stage) => {
    const client = await stage.client();
    const denial = await rejection(
      readCallback(client, `error=access_denied&state=${STATE}`, STATE),
      'a denial',
    );
    expect(stage.explain(denial).denied).toBe(true);
  },
  'readCallback',
);

scenario(
  'callback.other-error',
  'an error that is no denial is not called one',
  async (stage) => {
    const client = await stage.client();
    const error = await rejection(
      readCallback(client, `error=invalid_scope&state=${STATE}`, STATE),
      'an error',
    );
    expect(stage.explain(error).denied ?? false).toBe(false);
  },
  'readCallback',
);

scenario(
  'callback.no-code',
  'a redirect without a code, or with an empty one, is refused',
  async (stage) => {
    const client = await stage.client();
    await rejection(readCallback(client, `state=${STATE}`, STATE), 'a redirect without a code');
    await rejection(readCallback(client, `code=&state=${STATE}`, STATE), 'a redirect with an empty code');
  },
  'readCallback',
);
