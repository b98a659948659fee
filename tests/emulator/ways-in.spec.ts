/** A request comes in by a socket, or as a plain object: what arrives and what comes back is the same. */
import { expect, test } from '@playwright/test';
import { type Emulator, startEmulator } from '../../src/emulator/start/start-emulator.ts';
import type { Transport, WireRequest } from '../../src/http/exchange.ts';
import { nodeTransport } from '../../src/http/node-transport.ts';
import { inProcessTransport } from '../../src/service/emulator.ts';

const FORM = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
const API = 'http://api.emulator.test/v2/projects';

const REQUESTS: Readonly<Record<string, WireRequest>> = {
  'an authorize page': get('http://auth.emulator.test/oauth/authorize?client_id=x&scope=read+write'),
  'a token request': post('grant_type=authorization_code&code=x', [FORM, ['Authorization', 'Basic eDp5']]),
  'an empty body': post('', [FORM]),
  'half of a surrogate pair': post('code=\ud800&grant_type=x', [FORM]),
  'half a megabyte and more': post(`code=${'ü'.repeat(300_000)}`, [FORM]),
  'a list without a token': get(`${API}/1/assigned_users`),
  'a list with a token': get(`${API}/1/assigned_users`, [['Authorization', 'Bearer  x ']]),
  'an assignment with a body': {
    method: 'PUT',
    url: `${API}/1/assigned_users/2`,
    headers: [['Content-Type', 'application/json']],
    body: '{}',
  },
  'an unassignment': { method: 'DELETE', url: `${API}/1/assigned_users/2`, headers: [] },
  'a header twice': get(`${API}/1/assigned_users`, [
    ['X-Twice', 'a'],
    ['x-twice', 'b'],
  ]),
  'a page that is not there': get('http://auth.emulator.test/nowhere'),
  'a sign-in form': post('email=x&password=y', [FORM], 'http://auth.emulator.test/sign-in'),
  HEAD: { method: 'HEAD', url: `${API}/1/assigned_users`, headers: [] },
  OPTIONS: { method: 'OPTIONS', url: `${API}/1/assigned_users`, headers: [] },
  'a token request without a content type': post('grant_type=refresh_token'),
  'an address with dots': get(`${API}/../../v2/./projects/%2e%2e/assigned_users`),
  'a body with GET': { method: 'GET', url: `${API}/1/assigned_users`, headers: [], body: 'x' },
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

const start = (listen: boolean) => startEmulator({ listen, randomSeed: 'the same' });

async function seen(emulator: Emulator, transport: Transport, request: WireRequest): Promise<unknown> {
  const { status, headers, body } = await transport(request);
  const ofTheSocket = ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'];
  const shown = headers
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .filter((line) => !ofTheSocket.some((name) => line.startsWith(`${name}:`)));
  const [entry] = emulator.control.journal.entries();
  const { at: _, arrivedMs: __, answeredMs: ___, connection: ____, headers: _____, ...kept } = entry ?? {};
  return { status, headers: shown.sort(), body: withoutPorts(emulator, body), kept };
}

/** Pages name the emulator's own addresses, and a cookie its port. */
function withoutPorts({ authUrl, baseUrl }: Emulator, body: string): string {
  return body.replaceAll(authUrl, 'AUTH').replaceAll(baseUrl, 'API');
}

async function bySocket(request: WireRequest): Promise<unknown> {
  const emulator = await start(true);
  const { transport, close } = nodeTransport();
  try {
    const url = request.url
      .replace('http://auth.emulator.test', emulator.authUrl)
      .replace('http://api.emulator.test', emulator.baseUrl);
    return await seen(emulator, transport, { ...request, url });
  } finally {
    close();
    await emulator.close();
  }
}

async function inProcess(request: WireRequest): Promise<unknown> {
  const emulator = await start(false);
  return seen(emulator, inProcessTransport(emulator), request);
}

for (const [what, request] of Object.entries(REQUESTS)) {
  test(`${what}: the same by a socket and in the process`, async () => {
    expect(await bySocket(request)).toEqual(await inProcess(request));
  });
}

for (const [what, request] of Object.entries({
  'a header that is none': get(`${API}/1/assigned_users`, [['X-Lines', 'a\nb']]),
  'another origin': get('http://elsewhere.test/'),
  'no address': get('nowhere'),
})) {
  test(`${what} is refused, and reaches nobody`, async () => {
    const emulator = await start(false);
    await expect(inProcessTransport(emulator)(request)).rejects.toMatchObject({ kind: 'connection' });
    expect(emulator.control.journal.entries()).toEqual([]);
  });
}

test('armed faults hit a request in the process, and an aborted one ends', async () => {
  const emulator = await start(false);
  const transport = inProcessTransport(emulator);
  const request = get(`${API}/1/assigned_users`);
  for (const [kind, message] of [
    ['reset', /reset \(armed fault\)/],
    ['truncate', /within the body \(armed fault\)/],
  ] as const) {
    emulator.control.faults.arm({ route: 'any', count: 1, kind });
    await expect(transport(request)).rejects.toMatchObject({
      kind: 'connection',
      message: expect.stringMatching(message),
    });
  }
  emulator.control.faults.arm({ route: 'any', count: 1, kind: 'stall' });
  const controller = new AbortController();
  const stalled = transport(request, controller.signal);
  controller.abort('enough');
  await expect(stalled).rejects.toMatchObject({ kind: 'not-sent', message: 'enough' });
  await expect(transport(request, controller.signal)).rejects.toMatchObject({ kind: 'not-sent' });
  expect((await transport(request)).status).toBe(401);
});

test('requests that are sent at once arrive in the order in which they were sent', async () => {
  const names = [
    'an unassignment',
    'a list with a token',
    'a token request',
    'an authorize page',
    'an assignment with a body',
  ];
  const requests = names.flatMap((name) => REQUESTS[name] ?? []);
  const emulator = await start(false);
  const transport = inProcessTransport(emulator);
  await Promise.all(requests.map((request) => transport(request)));
  const arrived = emulator.control.journal.entries().toSorted((one, other) => one.arrival - other.arrival);
  expect(arrived.map(({ method }) => method)).toEqual(requests.map(({ method }) => method));
});
