/** A service that honours the documented request in another form must refuse the wrong ones in it too. */
import { expect, test } from '@playwright/test';
import type { Transport, WireRequest } from '../../../src/http/exchange.ts';
import { checkBehind, idsWith } from '../../support/check-live.ts';

const tokenOf = ({ headers }: WireRequest) =>
  headers.find(([name]) => name === 'Authorization')?.[1].split(' ')[1];

/** Honours a form of calls by sending the documented one; without a check of the token, it takes any token's place by a good one. */
function calls(read: (request: WireRequest) => WireRequest | undefined, checks: boolean) {
  return (inner: Transport): Transport => {
    let good = '';
    return async (request, signal) => {
      const documented = request.url.includes('/assigned_users') ? read(request) : undefined;
      if (documented === undefined) {
        const response = await inner(request, signal);
        if (request.method === 'PUT' && response.status < 300) good = tokenOf(request) ?? good;
        return response;
      }
      if (checks) return inner(documented, signal);
      const headers = documented.headers.filter(([name]) => name !== 'Authorization');
      return inner({ ...documented, headers: [...headers, ['Authorization', `Bearer ${good}`]] }, signal);
    };
  };
}

const asPatch = (request: WireRequest) =>
  request.method === 'PATCH' ? ({ ...request, method: 'PUT' } as const) : undefined;

const withSlash = (request: WireRequest) =>
  request.url.endsWith('/') ? { ...request, url: request.url.slice(0, -1) } : undefined;

/** Reads `name[]` as `name`, and HTTP Basic; `secretless` takes the secret of such a request for right. */
function tokens(secretless: boolean) {
  return (inner: Transport): Transport => {
    let secret = '';
    return async (request, signal) => {
      if (!request.url.endsWith('/oauth/token')) return inner(request, signal);
      const form = new URLSearchParams(request.body);
      const isOdd = [...form.keys()].some((name) => name.endsWith('[]'));
      if (!isOdd) {
        const response = await inner(request, signal);
        if (response.status === 200) secret = form.get('client_secret') ?? secret;
        return response;
      }
      const plain = new URLSearchParams([...form].map(([name, value]) => [name.replace('[]', ''), value]));
      if (secretless) plain.set('client_secret', secret);
      return inner({ ...request, body: plain.toString() }, signal);
    };
  };
}

for (const [what, behind, failed] of [
  [
    'PATCH, without a look at the token',
    calls(asPatch, false),
    ['assign.token-required', 'assign.token-invalid-refused'],
  ],
  [
    'a slash at the end, without a look at the token',
    calls(withSlash, false),
    [
      'assign.token-required',
      'assign.token-invalid-refused',
      'unassign.token-required',
      'unassign.token-invalid-refused',
      'list.token-required',
      'list.token-invalid-refused',
      'list.refresh-token-is-no-access-token',
    ],
  ],
  ['client_secret[] with any value', tokens(true), ['exchange.client-secret-checked']],
] as const) {
  test(`a service that honours ${what}, fails`, async () => {
    const results = await checkBehind(behind);
    expect([results.exitCode, idsWith(results, 'fail').toSorted()]).toEqual([1, failed.toSorted()]);
  });
}

for (const [what, behind] of [
  ['PATCH', calls(asPatch, true)],
  ['a slash at the end', calls(withSlash, true)],
  ['[] behind names', tokens(false)],
] as const) {
  test(`a service that honours ${what} and refuses all else in it conforms`, async () => {
    const results = await checkBehind(behind);
    expect([results.exitCode, idsWith(results, 'fail'), results.troubles]).toEqual([0, [], []]);
  });
}
