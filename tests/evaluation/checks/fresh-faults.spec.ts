/** Faults of real providers that an earlier suite passed. */
import { expect, test } from '@playwright/test';
import type { Transport, WireRequest, WireResponse } from '../../../src/http/exchange.ts';
import { checkBehind, idsWith } from '../../support/check-live.ts';

const isCall = ({ url }: WireRequest) => url.includes('/assigned_users');

const withToken = (request: WireRequest, token: string): WireRequest => ({
  ...request,
  headers: request.headers.map(([name, value]) =>
    name === 'Authorization' ? [name, `Bearer ${token}`] : [name, value],
  ),
});

/** Remembers that an issued token was good: its end is not looked at for one method. */
const neverExpires =
  (method: string) =>
  (inner: Transport): Transport => {
    const issued = new Set<string>();
    let latest = '';
    return async (request, signal) => {
      const response = await inner(request, signal);
      if (request.url.endsWith('/oauth/token') && response.status === 200) {
        latest = JSON.parse(response.body).access_token;
        issued.add(latest);
      }
      const token = request.headers.find(([name]) => name === 'Authorization')?.[1].split(' ')[1] ?? '';
      const isDead = request.method === method && isCall(request) && issued.has(token);
      return isDead && response.status === 401 ? inner(withToken(request, latest), signal) : response;
    };
  };

/** Shows an empty list while a change of the project is under way. */
function emptyBesideAChange(inner: Transport): Transport {
  let changes = 0;
  return async (request, signal) => {
    const isChange = request.method === 'PUT' || request.method === 'DELETE';
    if (!isCall(request) || (!isChange && request.method !== 'GET')) return inner(request, signal);
    if (!isChange) {
      const response: WireResponse = await inner(request, signal);
      return changes > 0 && response.status === 200 ? { ...response, body: '[]', bytes: 2 } : response;
    }
    changes += 1;
    try {
      return await inner(request, signal);
    } finally {
      changes -= 1;
    }
  };
}

for (const [what, behind, id] of [
  ['never looks at the end of a token on assign', neverExpires('PUT'), 'lifetime.dead-after-7200'],
  ['never looks at the end of a token on unassign', neverExpires('DELETE'), 'lifetime.dead-after-7200'],
  ['shows an empty list beside a change', emptyBesideAChange, 'list.returns-assigned'],
] as const) {
  test(`a service that ${what} fails ${id}`, async () => {
    const results = await checkBehind(behind);
    expect([results.exitCode, idsWith(results, 'fail')]).toEqual([1, expect.arrayContaining([id])]);
  });
}

/** Every third code ends with a plus sign, which the redirect does not encode: its reader has a blank there. */
function plusNotEncoded(inner: Transport): Transport {
  let codes = 0;
  const withPlus = new Set<string>();
  return async (request, signal) => {
    const { code = '' } = Object.fromEntries(new URLSearchParams(request.body));
    if (withPlus.has(code.trimEnd()) && !code.endsWith('+'))
      return {
        status: 400,
        headers: [['Content-Type', 'application/json']],
        body: '{"error":"invalid_grant"}',
        bytes: 25,
      };
    const response = await inner(request, signal);
    const headers = response.headers.map(([name, value]) => {
      const [, own] = name.toLowerCase() === 'location' ? (/[?&]code=([^&]+)/.exec(value) ?? []) : [];
      codes += own === undefined ? 0 : 1;
      if (own === undefined || codes % 3 > 0) return [name, value] as const;
      withPlus.add(own);
      return [name, value.replace(own, `${own}+`)] as const;
    });
    return { ...response, headers };
  };
}

test('a refused code with a blank says that the redirect must encode its plus sign', async () => {
  const results = await checkBehind(plusNotEncoded);
  expect([results.exitCode, idsWith(results, 'fail')]).toEqual([1, ['authorize.redirects-with-code']]);
  expect(results.requirements.find(({ id }) => id === 'authorize.redirects-with-code')?.reason).toContain(
    '(invalid_grant): the code has a blank; a redirect must write a plus sign as %2B',
  );
});

/** Answers a refresh that accepts gzip with a body that says gzip and is not. */
const plainAsGzip =
  (inner: Transport): Transport =>
  async (request, signal) => {
    const response = await inner(request, signal);
    const asks = request.headers.some(([name, value]) => name === 'Accept-Encoding' && value === 'gzip');
    const isRefresh = request.body?.includes('grant_type=refresh_token') === true;
    return asks && isRefresh ? { ...response, body: '(200 bytes that are not gzip)' } : response;
  };

test('a refresh that cannot be read where the client accepts gzip fails refresh.token-response', async () => {
  const results = await checkBehind(plainAsGzip, ['refresh.token-response']);
  expect(idsWith(results, 'fail')).toEqual(['refresh.token-response']);
});
