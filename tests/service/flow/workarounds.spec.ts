/** Services that demand another request than the documented one: found by a workaround, and the run goes on. */
import { expect, test } from '@playwright/test';
import type { Transport, WireRequest, WireResponse } from '../../../src/http/exchange.ts';
import { renderHtml } from '../../../src/report/html/render.ts';
import { renderJUnit } from '../../../src/report/junit.ts';
import { checkBehind, idsWith } from '../../support/check-live.ts';
import { renderConsole } from '../../support/render-results.ts';

const answer = (status: number, body = '', headers: WireResponse['headers'] = []): WireResponse => ({
  status,
  headers: [['Content-Type', 'application/json'], ...headers],
  body,
  bytes: body.length,
});

const redirectToSlash =
  (path: RegExp, status: number) =>
  (inner: Transport): Transport =>
  async (request, signal) => {
    const url = new URL(request.url);
    if (!path.test(url.pathname)) return inner(request, signal);
    if (!url.pathname.endsWith('/')) return answer(status, '', [['Location', `${request.url}/`]]);
    return inner({ ...request, url: request.url.slice(0, -1) }, signal);
  };

/** Takes JSON at the token endpoint, and answers a form with a status. */
const wantsJson =
  (status: number, times = Number.POSITIVE_INFINITY) =>
  (inner: Transport): Transport => {
    let left = times;
    const asForm = (request: WireRequest): WireRequest => ({
      ...request,
      headers: request.headers.map(([name, value]) =>
        name === 'Content-Type' ? [name, 'application/x-www-form-urlencoded'] : [name, value],
      ),
      body: new URLSearchParams(JSON.parse(request.body ?? '{}')).toString(),
    });
    return async (request, signal) => {
      if (!request.url.endsWith('/oauth/token')) return inner(request, signal);
      if (request.body?.startsWith('{')) return inner(asForm(request), signal);
      left -= 1;
      return left < 0 ? inner(request, signal) : answer(status);
    };
  };

/** Gives a code for a request with a challenge alone, and exchanges it with its verifier alone. */
const wantsPkce =
  (inner: Transport): Transport =>
  async (request, signal) => {
    const url = new URL(request.url);
    const isFirst = url.pathname === '/oauth/authorize' && request.method === 'GET';
    const refusal = '{"error":"invalid_request","error_description":"Code challenge required"}';
    if (isFirst && !url.searchParams.has('code_challenge')) return answer(400, refusal);
    const body = new URLSearchParams(request.body);
    if (body.get('grant_type') === 'authorization_code' && !body.has('code_verifier'))
      return answer(400, refusal);
    return inner(request, signal);
  };

/** Refuses every list on a connection that may have been used before. */
const wantsNewConnections =
  (inner: Transport): Transport =>
  async (request, signal) => {
    const isReused =
      request.method === 'GET' && request.url.endsWith('/assigned_users') && request.kept !== false;
    return isReused ? answer(401) : inner(request, signal);
  };

for (const [what, behind, failed, how] of [
  ['PKCE', wantsPkce, 'authorize.redirects-with-code', 'accepted with a `code_challenge` (PKCE)'],
  ['JSON, answering 500 to a form', wantsJson(500), 'exchange.form-encoded', 'accepted with a JSON body'],
  [
    'a slash at the token endpoint',
    redirectToSlash(/\/oauth\/token\/?$/, 308),
    'exchange.form-encoded',
    'slash',
  ],
  ['a connection for each call', wantsNewConnections, 'exchange.token-acts', 'on a connection of its own'],
  ['a slash at the API', redirectToSlash(/\/assigned_users/, 301), 'version.prefix', 'slash'],
] as const) {
  test(`a service that demands ${what} fails ${failed}, and nothing else stops`, async () => {
    const results = await checkBehind(behind);
    expect([results.exitCode, idsWith(results, 'fail'), results.troubles]).toEqual([1, [failed], []]);
    expect(results.requirements.find(({ id }) => id === failed)?.reason).toContain(how);
    expect(idsWith(results, 'pass').length).toBeGreaterThan(90);
  });
}

test('a 500 that passes is no demand', async () => {
  const results = await checkBehind(wantsJson(500, 2));
  expect([results.exitCode, idsWith(results, 'fail')]).toEqual([0, []]);
});

test('a token endpoint that answers 503 to everything is an outage', async () => {
  const results = await checkBehind(wantsJson(503));
  expect([results.exitCode, idsWith(results, 'fail')]).toEqual([3, []]);
});

test('a run that a refusal stops shows the whole refusal, in every report', async () => {
  const words = 'the tenant of this client was suspended by its administrator. '.repeat(4);
  const refusal = JSON.stringify({ error: 'access_suspended', error_description: words });
  const results = await checkBehind((inner) => async (request, signal) => {
    return request.url.endsWith('/oauth/token') ? answer(403, refusal) : inner(request, signal);
  });
  expect([results.exitCode, results.troubles.map(({ cause }) => cause)]).toEqual([3, ['refused']]);
  const [exchange] = results.troubles.flatMap((trouble) => trouble.exchange ?? []);
  expect([exchange?.response?.status, exchange?.response?.body]).toEqual([403, refusal]);
  const view = { clauses: [], openPoints: [] };
  for (const report of [
    renderConsole(results, view, { style: 'plain' }),
    renderJUnit(results, view),
    renderHtml(results, view),
  ])
    expect(report.replaceAll(/&(?:quot|#34);/g, '"')).toContain(refusal);
});

test('a sign-in that leads to a page of its own loses the request: authorize.redirects-with-code', async () => {
  const results = await checkBehind((inner) => async (request, signal) => {
    const response = await inner(request, signal);
    const location = response.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '';
    const isSignIn = request.method === 'POST' && request.body?.includes('password=');
    if (!isSignIn || !location.includes('/oauth/authorize')) return response;
    const others = response.headers.filter(([name]) => name.toLowerCase() !== 'location');
    return { ...response, headers: [...others, ['Location', '/profile']] };
  });
  expect([results.exitCode, idsWith(results, 'fail')]).toEqual([1, ['authorize.redirects-with-code']]);
  const [failed] = results.requirements.filter(({ result }) => result === 'fail');
  expect(failed?.reason).toContain('accepted when it was opened again');
});

for (const from of [0, 30]) {
  test(`a 304 to a list without a condition, after ${from} lists, fails list.returns-assigned`, async () => {
    let lists = 0;
    const results = await checkBehind((inner) => async (request, signal) => {
      if (request.method !== 'GET' || !request.url.includes('/v2/')) return inner(request, signal);
      lists += 1;
      return lists > from ? { status: 304, headers: [], body: '', bytes: 0 } : inner(request, signal);
    });
    expect(results.exitCode).toBe(1);
    expect(idsWith(results, 'fail')).toContain('list.returns-assigned');
  });
}
