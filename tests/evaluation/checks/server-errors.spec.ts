/** A server error to a rightful request: one that shows again under the same circumstances is a failure, any other a warning. */
import { expect, test } from '@playwright/test';
import type { Transport, WireRequest, WireResponse } from '../../../src/http/exchange.ts';
import { checkBehind, idsWith } from '../../support/check-live.ts';

const BROKEN: WireResponse = { status: 500, headers: [], body: 'oops', bytes: 4 };

const isRefresh = ({ body = '' }: WireRequest) => body.includes('grant_type=refresh_token');

const isAssign = ({ method, url }: WireRequest) => method === 'PUT' && url.includes('/assigned_users/');

/** Answers 500 to whatever meets another request of its kind. */
const oneAtATime =
  (of: (request: WireRequest) => boolean) =>
  (inner: Transport): Transport => {
    let underWay = 0;
    return async (request, signal) => {
      if (!of(request)) return inner(request, signal);
      underWay += 1;
      try {
        return underWay > 1 ? BROKEN : await inner(request, signal);
      } finally {
        underWay -= 1;
      }
    };
  };

/** Answers 500 to each nth request of those that succeeded before. */
const everyNth =
  (of: (request: WireRequest) => boolean, n: number) =>
  (inner: Transport): Transport => {
    const known = new Set<string>();
    let count = 0;
    return async (request, signal) => {
      if (known.has(request.url) && of(request)) count += 1;
      if (of(request) && count % n === n - 1) {
        count += 1;
        return BROKEN;
      }
      const response = await inner(request, signal);
      if (of(request) && response.status < 300) known.add(request.url);
      return response;
    };
  };

for (const [what, of, owner] of [
  ['two pairs refreshed', isRefresh, 'refresh.token-response'],
  ['two users assigned', isAssign, 'assign.adds-user'],
] as const) {
  test(`${what} at once get a 500 each time: ${owner} fails`, async () => {
    const results = await checkBehind(oneAtATime(of));
    const failed = results.requirements.find(({ id }) => id === owner);
    expect([results.exitCode, idsWith(results, 'fail')]).toEqual([1, [owner]]);
    expect(failed?.reason).toMatch(/to be honoured; got status 500 (?:on|in) \d+ of \d+/);
  });
}

test('a 500 to one assign in forty is a warning, with its rate', async () => {
  const results = await checkBehind(everyNth(isAssign, 40));
  const warned = results.requirements.find(({ id }) => id === 'resource.no-5xx');
  expect([results.exitCode, idsWith(results, 'fail'), warned?.result]).toEqual([0, [], 'warning']);
  expect(warned?.reason).toMatch(/got status 500.* in \d+ of \d+ examples/s);
});
