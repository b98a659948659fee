/** Services that know an application's latest token response alone, as clause 4.3 allows, and some that break what it promises. */
import { expect, test } from '@playwright/test';
import { isSuccess, jsonOf, type Transport, type WireRequest } from '../../../src/http/exchange.ts';
import { checkBehind, idsWith } from '../../support/check-live.ts';

const REFUSED = {
  status: 400,
  headers: [['Content-Type', 'application/json']],
  body: '{"error":"invalid_grant"}',
  bytes: 25,
} as const;

interface Latest {
  readonly token: string;
  readonly refreshes: number;
}

/** Refuses a refresh with a token that is not its application's latest, or where `breaks` says so. */
function latestAlone(breaks: (latest: Latest) => boolean = () => false) {
  return (inner: Transport): Transport => {
    const latest = new Map<string | null, Latest>();
    return async (request: WireRequest, signal?: AbortSignal) => {
      const sent = new URLSearchParams(request.body);
      const [client, token] = [sent.get('client_id'), sent.get('refresh_token')];
      const known = latest.get(client);
      if (token !== null && (token !== known?.token || breaks(known))) return REFUSED;
      const response = await inner(request, signal);
      const { refresh_token: next } = (jsonOf(response) ?? {}) as { refresh_token?: unknown };
      if (isSuccess(response) && typeof next === 'string')
        latest.set(client, { token: next, refreshes: token === null ? 0 : (known?.refreshes ?? 0) + 1 });
      return response;
    };
  };
}

test('a service that ends the refresh tokens of earlier grants conforms, and every requirement is evaluated', async () => {
  const results = await checkBehind(latestAlone());
  expect([results.exitCode, idsWith(results, 'fail'), idsWith(results, 'not-run')]).toEqual([0, [], []]);
  expect(idsWith(results, 'pass')).toEqual(
    expect.arrayContaining([
      'refresh.new-refresh-token',
      'refresh.new-token-acts',
      'scope.granted-scopes-act',
    ]),
  );
});

test('one that refuses the latest refresh token, too, after three refreshes: refresh.chain', async () => {
  const results = await checkBehind(latestAlone(({ refreshes }) => refreshes >= 3));
  expect(idsWith(results, 'fail')).toEqual(['refresh.chain']);
});
