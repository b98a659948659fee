import { check } from '../checks/check.ts';
import type { CheckContext } from '../checks/context.ts';
import { ConformanceFailure } from '../checks/outcome.ts';
import type { HeardTokenAnswer } from '../checks/token-acts.ts';
import {
  expectExpiresIn7200,
  expectField,
  expectJsonObject,
  expectTokenTypeBearer,
  type ResponseOf,
} from '../checks/token-response.ts';
import { headerOf } from '../exchange/exchange.ts';
import { ALL_SCOPES } from '../targets/target.ts';

/** Refreshes in a row whose tokens are compared. */
const ROUNDS = 3;

/** The token response of a fresh exchange, for a check that is about a part of it. */
async function exchanged({ given, token }: CheckContext): Promise<HeardTokenAnswer> {
  return token.exchange({ code: await given.code() }).asGiven();
}

/** The token response of a fresh pair's refresh, for a check that is about a part of it. */
async function refreshed({ given, token }: CheckContext): Promise<HeardTokenAnswer> {
  const { refreshToken } = await given.pair();
  await given.refreshable();
  return token.refresh({ refresh_token: refreshToken }).asGiven();
}

/** Both kinds of token response, for a check that is about what they have in common. */
async function bothResponses(
  context: CheckContext,
): Promise<readonly (readonly [ResponseOf, HeardTokenAnswer])[]> {
  return [
    ['exchange', await exchanged(context)],
    ['refresh', await refreshed(context)],
  ];
}

/** A new token with every refresh, other than all seen before, those of another chain among them. */
function newTokens(kind: 'access' | 'refresh') {
  return check(`refresh.new-${kind}-token`, async ({ given }) => {
    const tokenOf = { access: 'accessToken', refresh: 'refreshToken' } as const;
    const other = await given.refreshed(await given.pair());
    const seen = new Set([other[tokenOf[kind]]]);
    let pair = await given.pair();
    for (let round = 1; round <= ROUNDS; round += 1) {
      seen.add(pair[tokenOf[kind]]);
      pair = await given.refreshed(pair);
      if (!seen.has(pair[tokenOf[kind]])) continue;
      const what = `${kind}_token`;
      throw new ConformanceFailure(`a new ${what} with every refresh`, `the ${what} of another response`);
    }
  });
}

/** Clause 2.1: the token response, of exchange and refresh alike, and its rules. */
export const checks = [
  check('exchange.token-response', async ({ given, token }) => {
    for (const scope of [ALL_SCOPES, 'read']) {
      const answer = await token.exchange({ code: await given.code({ scope }) }).asAccepted();
      const response = expectJsonObject(answer);
      expectField(response, 'access_token');
      expectField(response, 'refresh_token');
    }
  }),

  check('exchange.token-type-bearer', async (context) => {
    expectTokenTypeBearer(await exchanged(context), 'exchange');
  }),

  check('exchange.expires-in-7200', async (context) => {
    expectExpiresIn7200(await exchanged(context), 'exchange');
  }),

  check('exchange.token-acts', async ({ given, users }) => {
    const { accessToken } = await given.pair();
    await users.list({ token: accessToken }).expectTokenAccepted();
    for (const operation of ['assign', 'unassign'] as const) {
      const { response } = await users[operation]({ token: accessToken }).answer();
      if (response.status !== 401) continue;
      throw new ConformanceFailure(`${operation} to accept the access token`, 'status 401');
    }
  }),

  check('refresh.token-type-bearer', async (context) => {
    expectTokenTypeBearer(await refreshed(context), 'refresh');
  }),

  check('refresh.expires-in-7200', async (context) => {
    expectExpiresIn7200(await refreshed(context), 'refresh');
  }),

  newTokens('refresh'),
  newTokens('access'),

  check('refresh.new-token-acts', async ({ given, users }) => {
    await given.listed();
    let pair = await given.pair();
    for (let round = 1; round <= ROUNDS; round += 1) {
      pair = await given.refreshed(pair);
      for (let use = 1; use <= 2; use += 1) await users.list({ token: pair.accessToken }).expectHonoured();
    }
  }),

  check('token.json-content-type', async (context) => {
    for (const [of, { response }] of await bothResponses(context)) {
      const type = headerOf(response, 'content-type')?.split(';')[0]?.trim().toLowerCase();
      if (type === 'application/json') continue;
      throw new ConformanceFailure(`Content-Type application/json after ${of}`, type ?? 'none');
    }
  }),

  check('token.not-cacheable', async (context) => {
    for (const [of, { response }] of await bothResponses(context)) {
      const directives = (headerOf(response, 'cache-control') ?? '').toLowerCase().split(/\s*,\s*/);
      if (directives.includes('no-store')) continue;
      const got = headerOf(response, 'cache-control') ?? 'no Cache-Control';
      throw new ConformanceFailure(`Cache-Control: no-store after ${of}`, got);
    }
  }),
];
