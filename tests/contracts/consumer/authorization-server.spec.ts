import { MatchersV3 } from '@pact-foundation/pact';
import { expect } from '@playwright/test';
import { memoryStore, TokenRefused } from '../../../examples/reference-client/client/index.ts';
import { AUTHORIZATION_SERVER } from '../../../src/contracts/providers.ts';
import {
  clientOf,
  consumerTests,
  EXAMPLE,
  injected,
  storeWithPair,
} from '../../support/contracts/consumer.ts';
import { ANY_REFUSAL, ANY_SUCCESS } from '../../support/contracts/statuses.ts';

/** The reference client relies on these answers of the authorization server (clauses 4.2, 4.3 and 2.1). */

const { equal, regex, string } = MatchersV3;

const NEXT = { access_token: 'example-next-access-token', refresh_token: 'example-next-refresh-token' };
const WRONG_SECRET = 'not-the-secret-of-this-application';

const tokenRequest = (body: Readonly<Record<string, ReturnType<typeof injected> | string>>) => ({
  method: 'POST',
  path: '/oauth/token',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
  body: { client_id: injected('client_id'), ...body },
});

const exchangeOf = (secret: ReturnType<typeof injected> | string = injected('client_secret')) =>
  tokenRequest({
    client_secret: secret,
    code: injected('code'),
    grant_type: 'authorization_code',
    redirect_uri: injected('redirect_uri'),
  });

const REFRESH = tokenRequest({
  client_secret: injected('client_secret'),
  refresh_token: injected('refresh_token'),
  grant_type: 'refresh_token',
});

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
const REFUSAL = { status: ANY_REFUSAL };

const refreshes = async (url: string) => {
  const store = storeWithPair();
  await clientOf(url, store).refresh();
  expect((await store.read())?.refreshToken).toBe(NEXT.refresh_token);
};

const exchangeIsRefused = (options = {}) => {
  return async (url: string) => {
    const store = memoryStore();
    await expect(clientOf(url, store, options).exchange(EXAMPLE.code)).rejects.toBeInstanceOf(TokenRefused);
    expect(await store.read()).toBeUndefined();
  };
};

consumerTests(AUTHORIZATION_SERVER, {
  'a code is exchanged': {
    states: ['a code was granted'],
    request: exchangeOf(),
    response: TOKEN_RESPONSE,
    play: async (url) => {
      const store = memoryStore();
      await clientOf(url, store, { now: () => 1_000 }).exchange(EXAMPLE.code);
      expect(await store.read()).toEqual({
        accessToken: NEXT.access_token,
        refreshToken: NEXT.refresh_token,
        expiresAt: 7_201_000,
      });
    },
  },
  'a token pair is refreshed': {
    states: ['a token pair can be refreshed'],
    request: REFRESH,
    response: TOKEN_RESPONSE,
    play: refreshes,
  },
  'a refreshed token pair is refreshed': {
    states: ['a token pair was refreshed'],
    request: REFRESH,
    response: TOKEN_RESPONSE,
    play: refreshes,
  },
  'a used code is exchanged': {
    states: ['a code was exchanged'],
    request: exchangeOf(),
    response: REFUSAL,
    play: exchangeIsRefused(),
  },
  'a code is exchanged with a wrong client secret': {
    states: ['a code was granted'],
    request: exchangeOf(WRONG_SECRET),
    response: REFUSAL,
    play: exchangeIsRefused({ clientSecret: WRONG_SECRET }),
  },
  'an unknown refresh token is sent': {
    states: ['no such token was issued'],
    request: REFRESH,
    response: REFUSAL,
    play: async (url) => {
      const store = storeWithPair();
      await expect(clientOf(url, store).refresh()).rejects.toBeInstanceOf(TokenRefused);
      expect((await store.read())?.refreshToken).toBe(EXAMPLE.refresh_token);
    },
  },
});
