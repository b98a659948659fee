import { headerOf } from '../../../src/exchange/exchange.ts';
import { check } from '../../support/check/check.ts';
import { ConformanceFailure } from '../../support/check/outcome.ts';
import {
  expectExpiresIn7200,
  expectField,
  expectJsonObject,
  expectTokenTypeBearer,
} from '../../support/check/token-response.ts';

/** Clause 2.1: the token response, of exchange and refresh alike, and its rules. */
export const checks = [
  check('exchange.token-response', async ({ given, token }) => {
    const answer = await token.exchange({ code: await given.code() }).expectHonoured();
    const response = expectJsonObject(answer);
    expectField(response, 'access_token');
    expectField(response, 'refresh_token');
  }),

  check('exchange.token-type-bearer', async ({ given, token }) => {
    expectTokenTypeBearer(await token.exchange({ code: await given.code() }).asGiven());
  }),

  check('exchange.expires-in-7200', async ({ given, token }) => {
    expectExpiresIn7200(await token.exchange({ code: await given.code() }).asGiven());
  }),

  check('exchange.token-acts', async ({ given, users }) => {
    const { accessToken } = await given.pair();
    await users.list({ token: accessToken }).expectHonoured();
  }),

  check('refresh.token-type-bearer', async ({ given, token }) => {
    const { refreshToken } = await given.pair();
    await given.refreshable();
    expectTokenTypeBearer(await token.refresh({ refresh_token: refreshToken }).asGiven());
  }),

  check('refresh.expires-in-7200', async ({ given, token }) => {
    const { refreshToken } = await given.pair();
    await given.refreshable();
    expectExpiresIn7200(await token.refresh({ refresh_token: refreshToken }).asGiven());
  }),

  check('refresh.new-refresh-token', async ({ given }) => {
    const seen = new Set<string>();
    let pair = await given.pair();
    for (let round = 1; round <= 3; round += 1) {
      seen.add(pair.refreshToken);
      pair = await given.refreshed(pair);
      if (!seen.has(pair.refreshToken)) continue;
      throw new ConformanceFailure(
        'a new refresh_token with every refresh',
        'a refresh_token that was issued before',
      );
    }
  }),

  check('refresh.new-access-token', async ({ given }) => {
    const seen = new Set<string>();
    let pair = await given.pair();
    for (let round = 1; round <= 3; round += 1) {
      seen.add(pair.accessToken);
      pair = await given.refreshed(pair);
      if (!seen.has(pair.accessToken)) continue;
      throw new ConformanceFailure(
        'a new access_token with every refresh',
        'an access_token that was issued before',
      );
    }
  }),

  check('refresh.new-token-acts', async ({ given, users }) => {
    const { accessToken } = await given.refreshed(await given.pair());
    await users.list({ token: accessToken }).expectHonoured();
  }),

  check('token.json-content-type', async ({ given, token }) => {
    const { response } = await token.exchange({ code: await given.code() }).asGiven();
    const type = headerOf(response, 'content-type')?.split(';')[0]?.trim().toLowerCase();
    if (type !== 'application/json')
      throw new ConformanceFailure('Content-Type application/json', type ?? 'none');
  }),

  check('token.not-cacheable', async ({ given, token }) => {
    const { response } = await token.exchange({ code: await given.code() }).asGiven();
    const directives = (headerOf(response, 'cache-control') ?? '').toLowerCase().split(/\s*,\s*/);
    if (directives.includes('no-store')) return;
    throw new ConformanceFailure(
      'Cache-Control: no-store',
      headerOf(response, 'cache-control') ?? 'no Cache-Control',
    );
  }),
];
