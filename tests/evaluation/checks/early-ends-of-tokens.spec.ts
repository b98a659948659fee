/** Services that end codes and tokens early, as far as the document permits it or not. */
import { expect, test } from '@playwright/test';
import type { Header, Transport, WireRequest, WireResponse } from '../../../src/http/exchange.ts';
import { checkBehind, idsWith } from '../../support/check-live.ts';

const answer = (status: number, headers: readonly Header[], body: string): WireResponse => ({
  status,
  headers,
  body,
  bytes: body.length,
});
const REFUSED = answer(400, [['Content-Type', 'application/json']], '{"error":"invalid_grant"}');
const UNKNOWN_TOKEN = answer(401, [['WWW-Authenticate', 'Bearer']], '');

const presented = ({ headers }: WireRequest) =>
  headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1].split(' ')[1] ?? '';
const field = ({ body = '' }: WireRequest, name: string) =>
  body.startsWith('{') ? String(JSON.parse(body)[name] ?? '') : (new URLSearchParams(body).get(name) ?? '');
const codeIn = ({ url }: WireRequest, { headers }: WireResponse) => {
  const to = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  return to === undefined ? undefined : (new URL(to, url).searchParams.get('code') ?? undefined);
};
const isToken = ({ method, url }: WireRequest) => method === 'POST' && url.endsWith('/oauth/token');

/** A replayed code or refresh token ends whatever the owner has granted, to that application or to all. */
function endsAllAtReplay(of: 'the application' | 'every application'): (inner: Transport) => Transport {
  const used = new Set<string>();
  const granted = new Map<string, string[]>();
  const dead = new Set<string>();
  const key = (clientId: string) => (of === 'the application' ? clientId : 'all');
  const keep = (clientId: string, ...values: readonly string[]) =>
    granted.set(key(clientId), [...(granted.get(key(clientId)) ?? []), ...values]);
  let asking = '';
  return (inner) => async (request, signal) => {
    const token = presented(request);
    if (token !== '' && dead.has(token)) return UNKNOWN_TOKEN;
    if (!isToken(request)) {
      asking = new URL(request.url).searchParams.get('client_id') ?? asking;
      const response = await inner(request, signal);
      keep(asking, codeIn(request, response) ?? 'none');
      return response;
    }
    const clientId = field(request, 'client_id');
    const credential = field(request, 'code') || field(request, 'refresh_token');
    const use = `${field(request, 'grant_type')} ${credential}`;
    if (used.has(use)) {
      for (const one of granted.get(key(clientId)) ?? []) dead.add(one);
      granted.delete(key(clientId));
    }
    if (credential !== '' && dead.has(credential)) return REFUSED;
    const response = await inner(request, signal);
    if (response.status !== 200) return response;
    used.add(use);
    const { access_token, refresh_token } = JSON.parse(response.body);
    keep(clientId, access_token, refresh_token);
    return response;
  };
}

function lastCodeAlone(inner: Transport): Transport {
  const ended = new Set<string>();
  const last = new Map<string, string>();
  let application = '';
  return async (request, signal) => {
    if (isToken(request) && ended.has(field(request, 'code'))) return REFUSED;
    if (request.method === 'GET')
      application = new URL(request.url).searchParams.get('client_id') ?? application;
    const response = await inner(request, signal);
    const code = codeIn(request, response);
    if (code === undefined) return response;
    ended.add(last.get(application) ?? 'none');
    last.set(application, code);
    return response;
  };
}

function endsAfterUses(most: number): (inner: Transport) => Transport {
  const uses = new Map<string, number>();
  return (inner) => async (request, signal) => {
    const token = presented(request);
    uses.set(token, (uses.get(token) ?? 0) + 1);
    return token !== '' && (uses.get(token) ?? 0) > most ? UNKNOWN_TOKEN : inner(request, signal);
  };
}

for (const [name, behind] of [
  ['ends all that the application was granted when a code comes again', endsAllAtReplay('the application')],
  ['knows the last code alone', lastCodeAlone],
] as const) {
  test(`a service that ${name} conforms`, async () => {
    const results = await checkBehind(behind);
    const amiss = results.requirements.filter(({ result }) => !['pass', 'not-applicable'].includes(result));
    expect(amiss.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    expect(results.troubles).toEqual([]);
  });
}

test('a service that ends what other applications were granted when a code comes again does not conform', async () => {
  const results = await checkBehind(endsAllAtReplay('every application'));
  expect(idsWith(results, 'fail')).toContain('exchange.token-acts');
  expect(results.exitCode).toBe(1);
});

test('a service whose tokens end after 30 uses does not conform', async () => {
  const results = await checkBehind(endsAfterUses(30));
  expect(idsWith(results, 'fail')).toContain('exchange.token-acts');
  expect(results.exitCode).toBe(1);
});

/** Refuses the first value of a kind that it sees, and no other. */
function refusesFirst(seen: (request: WireRequest) => string, refusal: WireResponse) {
  let first = '';
  return (inner: Transport): Transport =>
    async (request, signal) => {
      const value = seen(request);
      first ||= value;
      return value !== '' && value === first ? refusal : inner(request, signal);
    };
}

for (const [what, seen, refusal, broken] of [
  ['access token', presented, UNKNOWN_TOKEN, 'exchange.token-acts'],
  [
    'refresh token',
    (request: WireRequest) => (isToken(request) ? field(request, 'refresh_token') : ''),
    REFUSED,
    'refresh.token-response',
  ],
] as const)
  test(`a service that refuses the run's first ${what} alone does not conform, and the run goes on`, async () => {
    const results = await checkBehind(refusesFirst(seen, refusal), [broken, 'list.returns-assigned']);
    expect(idsWith(results, 'fail')).toEqual([broken]);
    expect(idsWith(results, 'pass')).toEqual(['list.returns-assigned']);
    expect(results.exitCode).toBe(1);
  });
