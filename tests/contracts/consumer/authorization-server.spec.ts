import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MatchersV3 } from '@pact-foundation/pact';
import { expect, test } from '@playwright/test';
import { memoryStore, TokenRefused } from '../../../src/client/index.ts';
import { AUTHORIZATION_SERVER } from '../../../src/contracts/providers.ts';
import type { StateName } from '../../../src/contracts/states.ts';
import {
  clientOf,
  EXAMPLE,
  given,
  injected,
  pactWith,
  storeWithPair,
  writtenPact,
} from '../../support/contracts/consumer.ts';
import { ANY_REFUSAL, ANY_SUCCESS } from '../../support/contracts/statuses.ts';

/** What the reference client relies on at the authorization server (clauses 4.2, 4.3 and 2.1). */

const { equal, regex, string } = MatchersV3;

const DESCRIPTIONS = [
  'a code is exchanged',
  'a token pair is refreshed',
  'a refreshed token pair is refreshed',
  'a used code is exchanged',
  'a code is exchanged with a wrong client secret',
  'an unknown refresh token is sent',
];

const FORM = {
  'Content-Type': 'application/x-www-form-urlencoded',
  Accept: 'application/json',
};
const NEXT = { access_token: 'example-next-access-token', refresh_token: 'example-next-refresh-token' };

const exchangeOf = (secret: unknown = injected('client_secret')) => ({
  method: 'POST',
  path: '/oauth/token',
  headers: FORM,
  body: {
    client_id: injected('client_id'),
    client_secret: secret,
    code: injected('code'),
    grant_type: 'authorization_code',
    redirect_uri: injected('redirect_uri'),
  },
});

const REFRESH = {
  method: 'POST',
  path: '/oauth/token',
  headers: FORM,
  body: {
    client_id: injected('client_id'),
    client_secret: injected('client_secret'),
    refresh_token: injected('refresh_token'),
    grant_type: 'refresh_token',
  },
};

/** Clause 2.1. It is JSON (4.2); under which media type is not shown. */
const TOKEN_RESPONSE = {
  status: ANY_SUCCESS,
  headers: { 'Content-Type': regex('.+', 'application/json') },
  body: {
    access_token: string(NEXT.access_token),
    token_type: equal('bearer'),
    expires_in: equal(7200),
    refresh_token: string(NEXT.refresh_token),
  },
};

test.describe.configure({ mode: 'serial' });

// Writing merges with what is there, so the folder must be a new one.
let dir = '';
test.beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'legacy-conformance-pacts-'));
});
test.afterAll(() => rmSync(dir, { recursive: true, force: true }));

const interaction = (description: string, ...states: readonly StateName[]) =>
  given(pactWith(AUTHORIZATION_SERVER, dir), ...states).uponReceiving(description);

test('a code is exchanged', async () => {
  await interaction('a code is exchanged', 'a code was granted')
    .withRequest(exchangeOf())
    .willRespondWith(TOKEN_RESPONSE)
    .executeTest(async ({ url }) => {
      const store = memoryStore();
      await clientOf(url, store, { now: () => 1_000 }).exchange(EXAMPLE.code);
      expect(await store.read()).toEqual({
        accessToken: NEXT.access_token,
        refreshToken: NEXT.refresh_token,
        expiresAt: 7_201_000,
      });
    });
});

for (const [description, state] of [
  ['a token pair is refreshed', 'a token pair can be refreshed'],
  ['a refreshed token pair is refreshed', 'a token pair was refreshed'],
] as const) {
  test(description, async () => {
    await interaction(description, state)
      .withRequest(REFRESH)
      .willRespondWith(TOKEN_RESPONSE)
      .executeTest(async ({ url }) => {
        const store = storeWithPair();
        await clientOf(url, store).refresh();
        expect((await store.read())?.refreshToken).toBe(NEXT.refresh_token);
      });
  });
}

test('refused: a used code', async () => {
  await interaction('a used code is exchanged', 'a code was exchanged')
    .withRequest(exchangeOf())
    .willRespondWith({ status: ANY_REFUSAL })
    .executeTest(async ({ url }) => {
      const store = memoryStore();
      await expect(clientOf(url, store).exchange(EXAMPLE.code)).rejects.toBeInstanceOf(TokenRefused);
      expect(await store.read()).toBeUndefined();
    });
});

test('refused: a wrong client secret', async () => {
  const wrong = 'not-the-secret-of-this-application';
  await interaction('a code is exchanged with a wrong client secret', 'a code was granted')
    .withRequest(exchangeOf(wrong))
    .willRespondWith({ status: ANY_REFUSAL })
    .executeTest(async ({ url }) => {
      const store = memoryStore();
      const client = clientOf(url, store, { clientSecret: wrong });
      await expect(client.exchange(EXAMPLE.code)).rejects.toBeInstanceOf(TokenRefused);
      expect(await store.read()).toBeUndefined();
    });
});

test('refused: an unknown refresh token', async () => {
  await interaction('an unknown refresh token is sent', 'no such token was issued')
    .withRequest(REFRESH)
    .willRespondWith({ status: ANY_REFUSAL })
    .executeTest(async ({ url }) => {
      const store = storeWithPair();
      await expect(clientOf(url, store).refresh()).rejects.toBeInstanceOf(TokenRefused);
      expect((await store.read())?.refreshToken).toBe(EXAMPLE.refresh_token);
    });
});

test('the pact holds each of them, and is the committed one byte for byte', () => {
  const { text, descriptions, committed } = writtenPact(dir);
  expect([...descriptions].sort()).toEqual([...DESCRIPTIONS].sort());
  expect(text === committed, 'run `npm run contracts:write` and look at what changed').toBe(true);
});
