import { connect } from 'node:net';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { startEmulator } from '../../src/emulator/index.ts';
import { profileIds } from '../../src/emulator/policy/load-profile.ts';
import { type EmulatorClient, startClient } from '../support/emulator-client.ts';
import { held } from '../support/held.ts';

const RUNS = 300;
const FORM = 'application/x-www-form-urlencoded';
const AUTH_PATHS = [
  '/',
  '/sign-in',
  '/sign-out',
  '/oauth/authorize',
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/introspect',
  '/oauth/token/info',
  '/access-keys/applications',
  '/access-keys/applications/new',
  '/access-keys/applications/x',
];

/** Text of every kind: unicode, control characters, broken percent-encoding, things that parsers trip over. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('%', '&', '=', '+', ';', '\u0000', '2', 'F', '/', '.', '"', "'", '<', '[', '{'),
  }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '%',
    '%zz',
    '%C3',
    '\ud800',
    '😀',
    '\u0000',
    '[]',
    '..',
  ),
);
const name = fc.oneof(
  text,
  fc.constantFrom(
    'client_id',
    'client_secret',
    'grant_type',
    'code',
    'refresh_token',
    'redirect_uri',
    'scope',
  ),
  fc.constantFrom(
    'response_type',
    'state',
    'csrf',
    'request',
    'decision',
    'email',
    'name',
    'redirect_uris',
    'access_token',
  ),
);
const value = fc.oneof(
  text,
  fc.constantFrom('authorization_code', 'refresh_token', 'code', 'read write', 'grant'),
);
const method = fc.constantFrom(
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'HEAD',
  'OPTIONS',
  'PROPFIND',
  'get',
  'X',
);
const contentType = fc.constantFrom(
  undefined,
  FORM,
  `${FORM}; charset=utf-16`,
  'application/json',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'text/plain',
  ';;;',
);
const pairs = fc.array(fc.tuple(name, value), { maxLength: 8 });
const encoded = pairs.map((all) => all.map(([n, v]) => `${escaped(n)}=${escaped(v)}`).join('&'));
const body = fc.oneof(
  encoded,
  text,
  pairs.map((all) => JSON.stringify(Object.fromEntries(all))),
  fc.json(),
);

function escaped(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}

async function expectCalm(response: Response): Promise<void> {
  const said = `${await response.text()} ${JSON.stringify([...response.headers])}`;
  held(response.status < 500, () => `status ${response.status}: ${said}`);
  held(!/\.ts:\d+|node:internal|TypeError|RangeError|SyntaxError/.test(said), () => said);
}

async function expectAlive(client: EmulatorClient): Promise<void> {
  const [project] = client.emulator.seed.projects;
  const pair = await client.pair();
  const seeded = client.emulator.seed.assignments.filter((a) => a.project === project.id).map((a) => a.user);
  expect(new Set(await client.list(project.id, pair.access_token))).toEqual(new Set(seeded));
}

for (const profile of profileIds()) {
  test.describe(profile, () => {
    test('any request to any page or endpoint is answered calmly', async () => {
      const client = await startClient({ profile });
      const cookie = await client.signIn();
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...AUTH_PATHS),
          method,
          contentType,
          encoded,
          body,
          fc.boolean(),
          async (path, verb, type, query, sent, signedIn) => {
            const headers: Record<string, string> = {
              ...(signedIn ? { cookie } : { cookie: sent.slice(0, 1) && 'x=;;=' }),
            };
            if (type !== undefined) headers['content-type'] = type;
            const bodiless = ['GET', 'HEAD', 'get'].includes(verb);
            const init = { method: verb, headers, ...(bodiless ? {} : { body: sent.toWellFormed() }) };
            await expectCalm(await client.send(`${client.emulator.authUrl}${path}?${query}`, init));
          },
        ),
        { numRuns: RUNS },
      );
      await expectAlive(client);
    });

    test('no token comes of a token request that was made up', async () => {
      const client = await startClient({ profile });
      await fc.assert(
        fc.asyncProperty(contentType, body, text, async (type, sent, authorization) => {
          const headers: Record<string, string> = { authorization: `Basic ${escaped(authorization)}` };
          if (type !== undefined) headers['content-type'] = type;
          const url = `${client.emulator.authUrl}/oauth/token`;
          const response = await client.send(url, { method: 'POST', headers, body: sent.toWellFormed() });
          held(response.status >= 400, () => `status ${response.status}`);
          await expectCalm(response);
        }),
        { numRuns: RUNS },
      );
      expect(client.emulator.control.stats().tokenPairs).toBe(0);
    });

    test('odd ids reach nothing, whoever asks', async () => {
      const client = await startClient({ profile });
      const { access_token } = await client.pair();
      const { projects, users } = client.emulator.seed;
      const [project] = projects;
      const odd = fc.oneof(
        text,
        fc
          .tuple(fc.constantFrom(project.id, users[5]?.id ?? ''), text)
          .map(([id, tail]) => id + (tail || ' ')),
        fc
          .tuple(text, fc.constantFrom(project.id, users[5]?.id ?? ''))
          .map(([head, id]) => (head || '0') + id),
        fc.string({ minLength: 500, maxLength: 3_000 }),
      );
      const known = new Set([...projects, ...users].map(({ id }) => id));
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('GET', 'PUT', 'DELETE'),
          odd,
          fc.boolean(),
          async (verb, id, asUser) => {
            fc.pre(!known.has(id) && !['', '.', '..'].includes(id));
            const path = asUser
              ? client.path(project.id, id.toWellFormed())
              : client.path(id.toWellFormed(), verb === 'GET' ? undefined : users[5]?.id);
            const response = await client.call(asUser && verb === 'GET' ? 'PUT' : verb, path, access_token);
            held(response.status >= 400, () => `status ${response.status}`);
            await expectCalm(response);
          },
        ),
        { numRuns: RUNS },
      );
      await expectAlive(client);
    });

    test('any path of the resource API is answered calmly', async () => {
      const client = await startClient({ profile });
      await fc.assert(
        fc.asyncProperty(method, fc.array(text, { maxLength: 6 }), encoded, async (verb, segments, query) => {
          const path = segments.map((segment) => segment.toWellFormed().replace(/[?#\\\s]/g, '')).join('/');
          const response = await client.send(`${client.emulator.baseUrl}/${path}?${query}`, { method: verb });
          await expectCalm(response);
        }),
        { numRuns: RUNS },
      );
      await expectAlive(client);
    });
  });
}

/** Sends bytes and reads until the other side closes. */
async function raw(url: string, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  for (const piece of pieces) socket.write(piece);
  socket.end();
  let said = '';
  try {
    for await (const chunk of socket) said += chunk;
  } catch {
    // A connection that is reset is an answer too.
  }
  return said;
}

function statusIn(said: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1]);
}

test.describe('over a socket', () => {
  let client: EmulatorClient;
  test.beforeEach(async () => {
    client = await startClient({ listen: true });
  });
  test.afterEach(() => client.emulator.close());

  test('any bytes are answered with a 4xx or a closed connection', async () => {
    const { authUrl, baseUrl } = client.emulator;
    const line = fc.tuple(method, text).map(([verb, rest]) => `${verb} /${rest} HTTP/1.1\r\nHost: h\r\n\r\n`);
    const noise = fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 200 }), line);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(authUrl, baseUrl), noise, async (url, bytes) => {
        const said = await raw(url, bytes);
        held(said === '' || statusIn(said) < 500, () => said);
      }),
      { numRuns: 150 },
    );
    await expectAlive(client);
  });

  test('paths that are not encoded correctly are refused as they stand', async () => {
    const { baseUrl } = client.emulator;
    const [project] = client.emulator.seed.projects;
    for (const path of [
      '/v2/projects/%/assigned_users',
      '/v2/projects/%zz/assigned_users',
      '/v2/projects/%C3/assigned_users',
      `/v2/projects/${project.id}%00/assigned_users`,
      `/v2/projects/1042/../${project.id}/assigned_users%2F..`,
      `/v2/projects/${project.id}%2Fassigned_users`,
      '/v2//projects/1/assigned_users',
      '//v2/projects/1/assigned_users',
      '/v2\\projects',
    ]) {
      const said = await raw(baseUrl, `GET ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
      expect([path, statusIn(said) >= 400 && statusIn(said) < 500]).toEqual([path, true]);
    }
  });

  test('a body beyond the limit is a 413, announced or not, and the next request is answered', async () => {
    const { authUrl } = client.emulator;
    const mebibyte = 'a'.repeat(1024 * 1024);
    const head = `POST /oauth/token HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: ${FORM}\r\n`;
    const announced = await raw(authUrl, `${head}Content-Length: ${mebibyte.length}\r\n\r\n`, mebibyte);
    expect(statusIn(announced)).toBe(413);
    const chunk = `${(65_536).toString(16)}\r\n${'a'.repeat(65_536)}\r\n`;
    const chunked = await raw(
      authUrl,
      `${head}Transfer-Encoding: chunked\r\n\r\n`,
      chunk.repeat(16),
      '0\r\n\r\n',
    );
    expect(statusIn(chunked)).toBe(413);
    await expectAlive(client);
  });

  test('a body that nobody reads is refused over fetch too, on every kind of endpoint', async () => {
    const { authUrl, baseUrl } = client.emulator;
    const sent = { method: 'POST', body: 'a'.repeat(1024 * 1024), headers: { 'content-type': FORM } };
    for (const url of [`${authUrl}/oauth/token`, `${authUrl}/sign-in`, `${authUrl}/oauth/authorize`]) {
      expect((await client.send(url, sent)).status).toBe(413);
    }
    const [project] = client.emulator.seed.projects;
    const put = await client.send(`${baseUrl}${client.path(project.id, '501')}`, { ...sent, method: 'PUT' });
    expect(put.status).toBe(413);
  });

  test('ten thousand parameters are read, and refused for what they lack', async () => {
    const { authUrl } = client.emulator;
    const many = Array.from({ length: 10_000 }, (_, i) => `p${i}=${i}`).join('&');
    const sent = { method: 'POST', headers: { 'content-type': FORM }, body: many };
    const response = await client.send(`${authUrl}/oauth/token`, sent);
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request']);
    expect((await client.send(`${authUrl}/oauth/authorize?${many}`)).status).toBe(431);
  });

  test('a client that goes away in the middle leaves nothing behind', async () => {
    const { authUrl } = client.emulator;
    const port = Number(new URL(authUrl).port);
    const complaints: unknown[] = [];
    const { error } = console;
    console.error = (...said) => complaints.push(said);
    for (const piece of [
      '',
      'POST /oauth',
      'POST /oauth/token HTTP/1.1\r\nHost: h\r\n',
      `POST /oauth/token HTTP/1.1\r\nHost: h\r\nContent-Type: ${FORM}\r\nContent-Length: 100\r\n\r\ngrant_type=`,
      `POST /oauth/token HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc`,
    ]) {
      const socket = connect(port, '127.0.0.1');
      await new Promise<void>((resolve) => socket.write(piece || ' ', () => resolve()));
      socket.destroy();
    }
    await expectAlive(client);
    console.error = error;
    expect(complaints).toEqual([]);
  });

  test('half-open connections do not keep it from closing', async () => {
    const port = Number(new URL(client.emulator.authUrl).port);
    const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
    const closed = sockets.map((socket) => {
      socket.on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\nHost:');
      return new Promise<void>((resolve) => socket.once('close', () => resolve()));
    });
    await expectAlive(client);
    await client.emulator.close();
    await Promise.all(closed);
  });
});

test('a larger body than the limit is refused in-process too', async () => {
  const client = await startClient();
  const sent = { method: 'POST', body: 'a'.repeat(1024 * 1024), headers: { 'content-type': FORM } };
  const response = await client.send(`${client.emulator.authUrl}/oauth/token`, sent);
  expect(response.status).toBe(413);
});

test('a key of a seed that means nothing is refused, wherever it stands', async () => {
  const seed = {
    owners: [{ name: 'Ada', email: 'ada@example.test' }],
    applications: [{ name: 'Mine', redirectUris: ['https://mine.example.test/callback'] }],
    projects: [{ id: '1', name: 'One' }],
    users: [{ id: '7', name: 'Bo', email: 'bo@example.test' }],
  };
  const start = (change: object) => startEmulator({ listen: false, seed: { ...seed, ...change } });
  await expect(start({ assignments: [] })).rejects.toThrow(
    'seed.assignments: expected one of the keys owners, applications, projects, users, got',
  );
  await expect(start({ projects: [{ id: '1', name: 'One', users: ['7'] }] })).rejects.toThrow(
    'seed.projects[0].users: expected one of the keys id, name, assignedUsers, got',
  );
  const emulator = await start({});
  expect(() => emulator.control.seed({ ...seed, assigned: [] } as never)).toThrow('got the key "assigned"');
  await emulator.close();
});

test('an owner who grants at once is the first one of another seed, too', async () => {
  const emulator = await startEmulator({ listen: false, autoConsent: true });
  emulator.control.seed({
    owners: [{ name: 'Eve', email: 'eve@example.test' }],
    applications: [{ name: 'Mine', redirectUris: ['https://mine.example.test/callback'], clientId: 'mine' }],
    projects: [{ id: '1', name: 'One' }],
    users: [{ id: '7', name: 'Bo', email: 'bo@example.test' }],
  });
  const query = new URLSearchParams({
    client_id: 'mine',
    redirect_uri: 'https://mine.example.test/callback',
    response_type: 'code',
    scope: 'read',
  });
  const { headers } = await emulator.fetch(new Request(`${emulator.authUrl}/oauth/authorize?${query}`));
  expect(headers.get('location')).toMatch(/^https:\/\/mine\.example\.test\/callback\?code=/);
  await emulator.close();
});
