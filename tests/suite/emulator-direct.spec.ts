/** An emulator without sockets is asked without the objects of `fetch`: what arrives and what comes back is the same. */
import { expect, test } from '@playwright/test';
import { type Emulator, startEmulator } from '../../src/emulator/start-emulator.ts';
import type { Transport, WireRequest } from '../../src/exchange/exchange.ts';
import { fetchTransport } from '../../src/exchange/fetch-transport.ts';
import { inProcessTransport } from '../../src/targets/in-process.ts';

const FORM = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
const API = 'http://api.emulator.test/v2/projects';

/** Requests of every kind, ordinary ones first. */
const REQUESTS: Readonly<Record<string, WireRequest>> = {
  'an authorize page': get('http://auth.emulator.test/oauth/authorize?client_id=x&scope=read+write'),
  'a token request': post('grant_type=authorization_code&code=x', [FORM, ['Authorization', 'Basic eDp5']]),
  'a token request without a content type': post('grant_type=refresh_token'),
  'an empty body': post('', [FORM]),
  'half of a surrogate pair': post('code=\ud800&grant_type=x', [FORM]),
  'half a megabyte and more': post(`code=${'ü'.repeat(300_000)}`, [FORM]),
  'a list without a token': get(`${API}/1/assigned_users`),
  'a list with a token': get(`${API}/1/assigned_users`, [['Authorization', 'Bearer  x ']]),
  'an assignment with a body': { method: 'PUT', url: `${API}/1/assigned_users/2`, headers: [], body: '{}' },
  'an unassignment': { method: 'DELETE', url: `${API}/1/assigned_users/2`, headers: [] },
  'a header twice': get(`${API}/1/assigned_users`, [
    ['X-Twice', 'a'],
    ['x-twice', 'b'],
  ]),
  'an address that is rewritten': get(`${API}/../../v2/./projects/ü%zz/assigned users#x`),
  'a page that is not there': get('http://auth.emulator.test/nowhere'),
  'a sign-in form': post('email=x&password=y', [FORM], 'http://auth.emulator.test/sign-in'),
  HEAD: { method: 'HEAD', url: `${API}/1/assigned_users`, headers: [] },
  OPTIONS: { method: 'OPTIONS', url: `${API}/1/assigned_users`, headers: [] },
  'a method in small letters': { method: 'get', url: `${API}/1/assigned_users`, headers: [] },
  'a method that is none': { method: 'G T', url: `${API}/1/assigned_users`, headers: [] },
  'a body with GET': { method: 'GET', url: `${API}/1/assigned_users`, headers: [], body: 'x' },
  'a header that is none': get(`${API}/1/assigned_users`, [['X-Lines', 'a\nb']]),
  'another origin': get('http://elsewhere.test/'),
  'an address with a password': get('http://a:b@api.emulator.test/v2/projects/1/assigned_users'),
  'no address': get('nowhere'),
};

function get(url: string, headers: WireRequest['headers'] = []): WireRequest {
  return { method: 'GET', url, headers };
}

function post(
  body: string,
  headers: WireRequest['headers'] = [],
  url = 'http://auth.emulator.test/oauth/token',
): WireRequest {
  return { method: 'POST', url, headers, body };
}

/** What a transport comes to, times and the causes of failures apart. */
async function cameOf(transport: Transport, request: WireRequest): Promise<unknown> {
  try {
    return await transport(request);
  } catch (error) {
    const { name, kind } = error as { name: string; kind?: string };
    return { name, kind };
  }
}

async function twins(): Promise<readonly [Emulator, Emulator]> {
  const options = { listen: false, randomSeed: 'twins' } as const;
  return [await startEmulator(options), await startEmulator(options)];
}

for (const [what, request] of Object.entries(REQUESTS)) {
  test(`${what}: as by fetch, in the answer and in the journal`, async () => {
    const [one, other] = await twins();
    const direct = await cameOf(inProcessTransport(one), request);
    const byFetch = await cameOf(
      fetchTransport((asked) => other.fetch(asked)),
      request,
    );
    expect(direct).toEqual(byFetch);
    const entries = (emulator: Emulator) =>
      emulator.control.journal.entries().map(({ at: _, arrivedMs: __, answeredMs: ___, ...entry }) => entry);
    expect(entries(one)).toEqual(entries(other));
  });
}

test('armed faults hit it, and an aborted request ends', async () => {
  const [emulator] = await twins();
  const transport = inProcessTransport(emulator);
  const request = get(`${API}/1/assigned_users`);
  emulator.control.faults.arm({ route: 'any', count: 1, kind: 'reset' });
  await expect(transport(request)).rejects.toMatchObject({ kind: 'connection' });
  emulator.control.faults.arm({ route: 'any', count: 1, kind: 'stall' });
  const controller = new AbortController();
  const stalled = transport(request, controller.signal);
  controller.abort('enough');
  await expect(stalled).rejects.toMatchObject({ kind: 'not-sent', message: 'enough' });
  await expect(transport(request, controller.signal)).rejects.toMatchObject({ kind: 'not-sent' });
  expect((await transport(request)).status).toBe(401);
});

test('requests that are sent at once arrive in the order in which they were sent', async () => {
  const [emulator] = await twins();
  const transport = inProcessTransport(emulator);
  const names = [
    'an unassignment',
    'a list with a token',
    'a token request',
    'an authorize page',
    'an assignment with a body',
  ];
  const requests = names.flatMap((name) => REQUESTS[name] ?? []);
  await Promise.all(requests.map((request) => transport(request)));
  const arrived = emulator.control.journal
    .entries()
    .toSorted((one, other) => one.arrivedMs - other.arrivedMs);
  expect(arrived.map(({ method }) => method)).toEqual(requests.map(({ method }) => method));
});
