import { existsSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { dotenv } from '../../src/commands/emulate/ready.ts';
import { type EmulateRequest, runEmulator } from '../../src/commands/emulate/verb.ts';
import { startEmulator } from '../../src/emulator/start/start-emulator.ts';
import { startCommand } from '../support/command.ts';
import { startClient } from '../support/emulator-client.ts';

test.describe('as a service of a job', () => {
  test('pages, redirects and addresses have the public name, and requests under it are served', async () => {
    const emulator = await startEmulator({
      addresses: { publicUrl: 'http://legacy:8700' },
      control: { token: 'control-token' },
    });
    expect(emulator.authUrl).toBe('http://legacy:8700');
    const { port: apiPort } = new URL(emulator.baseUrl);
    expect(emulator.baseUrl).toBe(`http://legacy:${apiPort}`);
    expect(new URL(emulator.controlUrl ?? '').hostname).toBe('legacy');
    const landing = await emulator.fetch(new Request(`${emulator.authUrl}/`));
    const html = await landing.text();
    expect(html).toContain('http://legacy:8700/oauth/authorize?');
    expect(html).not.toContain('127.0.0.1:8700');
    const list = await fetch(`http://127.0.0.1:${apiPort}/v2/projects/1041/assigned_users`);
    expect(list.status).toBe(401);
    await emulator.close();

    const far = await startEmulator({
      listen: false,
      addresses: {
        publicUrl: 'https://legacy.example.test',
        publicApiUrl: 'https://api.legacy.example.test:8443',
      },
    });
    expect([far.authUrl, far.baseUrl]).toEqual([
      'https://legacy.example.test',
      'https://api.legacy.example.test:8443',
    ]);
    const one = await startEmulator({
      listen: false,
      addresses: { oneOrigin: true, publicUrl: 'http://legacy' },
    });
    expect([one.authUrl, one.baseUrl]).toEqual(['http://legacy', 'http://legacy']);
  });

  for (const [what, addresses, authUrl, baseUrl] of [
    [
      'both addresses behind one path',
      { oneOrigin: true, publicUrl: 'https://ci.test/legacy' },
      'https://ci.test/legacy',
      'https://ci.test/legacy',
    ],
    [
      'a path for each address',
      { publicUrl: 'https://ci.test/auth/', publicApiUrl: 'https://api.ci.test/old' },
      'https://ci.test/auth',
      'https://api.ci.test/old',
    ],
  ] as const) {
    test(`public addresses with paths, ${what}: pages, redirects and API are below them`, async () => {
      const emulator = await startEmulator({ listen: false, addresses });
      expect([emulator.authUrl, emulator.baseUrl]).toEqual([authUrl, baseUrl]);
      const signIn = await emulator.fetch(new Request(emulator.authorizeUrl));
      const page = new URL(signIn.headers.get('location') ?? '', emulator.authorizeUrl).href;
      expect(page).toMatch(new RegExp(`^${authUrl}/sign-in`));
      const path = new URL(authUrl).pathname;
      const form = await emulator.fetch(new Request(page));
      expect(await form.text()).toContain(`action="${path}/sign-in"`);
      const list = await emulator.fetch(new Request(`${baseUrl}/v2/projects/1041/assigned_users`));
      expect(list.status).toBe(401);
      expect((await emulator.fetch(new Request(`${authUrl}/healthz`))).status).toBe(200);
    });
  }

  test('listening on every address: the printed ones are those that a client can connect to', async () => {
    const emulator = await startEmulator({ addresses: { host: '0.0.0.0' } });
    const { authUrl, baseUrl } = emulator;
    expect([authUrl, baseUrl].map((url) => new URL(url).hostname)).toEqual(['127.0.0.1', '127.0.0.1']);
    expect((await fetch(`${authUrl}/healthz`)).status).toBe(200);
    await emulator.close();
  });

  test('ids, secrets and passwords are the same at every start, tokens are not', async () => {
    const [first, second] = [
      await startClient({ stableSeed: true }),
      await startClient({ stableSeed: true }),
    ];
    expect(first.emulator.seed).toEqual(second.emulator.seed);
    expect((await first.pair()).access_token).not.toBe((await second.pair()).access_token);
    const other = await startClient();
    expect(other.emulator.seed.applications[0].clientId).not.toBe(
      first.emulator.seed.applications[0].clientId,
    );
  });

  test('the first application has the id, secret and redirect addresses that it is given', async () => {
    const own = {
      clientId: 'mine',
      clientSecret: 'my-secret',
      redirectUris: ['http://127.0.0.1:9/a', 'http://127.0.0.1:9/b'],
    };
    const client = await startClient({ application: own });
    expect(client.emulator.seed.applications[0]).toMatchObject(own);
    expect((await client.pair({ redirect_uri: 'http://127.0.0.1:9/a' })).access_token).toBeTruthy();
    expect(client.emulator.seed.applications).toHaveLength(3);
  });

  test('both addresses and the control port say that they are ready, and no journal has it', async () => {
    const emulator = await startEmulator({ listen: false, control: {} });
    emulator.control.faults.arm({ route: 'any', kind: 'status' });
    const ready = { status: 'ready', profile: 'doorkeeper-5' };
    for (const address of [
      `${emulator.authUrl}/healthz`,
      `${emulator.baseUrl}/healthz`,
      `${emulator.controlUrl}/health`,
    ]) {
      const answer = await emulator.fetch(new Request(address));
      expect([answer.status, await answer.json()]).toEqual([200, ready]);
    }
    expect(emulator.control.journal.entries()).toEqual([]);
  });
});

test.describe('HTTPS', () => {
  const get = (address: string, ca: string | undefined): Promise<number> =>
    new Promise((resolve, reject) => {
      request(address, { ca, agent: false }, (answer) => resolve(answer.resume().statusCode ?? 0))
        .on('error', reject)
        .end();
    });

  test('is served under a certificate that its authority alone vouches for, for the names it is reached by', async () => {
    const emulator = await startEmulator({ addresses: { tls: true } });
    const other = await startEmulator({ addresses: { tls: true } });
    const { caCertificate, authUrl, baseUrl } = emulator;
    expect([authUrl, baseUrl].map((address) => new URL(address).protocol)).toEqual(['https:', 'https:']);
    for (const address of [authUrl, baseUrl, authUrl.replace('127.0.0.1', 'localhost')])
      expect(await get(`${address}/healthz`, caCertificate)).toBe(200);
    await expect(get(`${authUrl}/healthz`, other.caCertificate)).rejects.toThrow();
    await expect(get(`${authUrl}/healthz`, undefined)).rejects.toThrow(/certificate|self/i);
    await Promise.all([emulator.close(), other.close()]);
  });
});

test('a list is in the order of assignment: who is assigned once more comes last, who is assigned still stays', async () => {
  const client = await startClient({ profile: 'doorkeeper-5' });
  const { projects, users } = client.emulator.seed;
  const project = projects[0].id;
  const { access_token } = await client.pair();
  const ids = users.slice(0, 4).map(({ id }) => id);
  const act = (method: string, id: string) => client.call(method, client.path(project, id), access_token);
  for (const id of await client.list(project, access_token)) await act('DELETE', id);
  expect(await client.list(project, access_token)).toEqual([]);
  for (const id of ids) await act('PUT', id);
  const [first = '', second = '', ...others] = ids;
  await act('DELETE', first);
  expect(await client.list(project, access_token)).toEqual([second, ...others]);
  await act('PUT', second);
  await act('PUT', first);
  expect(await client.list(project, access_token)).toEqual([second, ...others, first]);
});

test('the variables can be pasted into a shell, whatever is in them', () => {
  expect(
    dotenv([
      ['PLAIN', 'http://127.0.0.1:8700/a?b=c'],
      ['WILD', 'it\'s $HOME `id` "x"'],
    ]),
  ).toBe("PLAIN='http://127.0.0.1:8700/a?b=c'\nWILD='it'\\''s $HOME `id` \"x\"'\n");
});

test.describe('the verb', () => {
  const own = (name: string) => test.info().outputPath(name);

  test('writes the variables and the certificate, and grants without a form', async () => {
    const file = own('legacy.env');
    const command = startCommand(
      [
        ...['emulate', '--port', '0', '--api-port', '0', '--control', '--print-env', '--dotenv', file],
        ...['--tls', own('tls'), '--client-id', 'mine', '--client-secret', 'env:MY_SECRET'],
        ...['--redirect-uri', 'http://127.0.0.1:9/a', '--redirect-uri', 'http://127.0.0.1:9/b'],
        ...['--auto-consent', '--expires-in', '5', '--seed-default'],
      ],
      { MY_SECRET: 'my-own-secret' },
    );
    const printed = await command.printed('REQUESTS_CA_BUNDLE=');
    const written = readFileSync(file, 'utf8');
    const value = (name: string) =>
      new RegExp(`^${name}=(.*)$`, 'm')
        .exec(written)?.[1]
        ?.replace(/^'(.*)'$/, '$1')
        .replaceAll(`'\\''`, "'") ?? '';
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(written.startsWith(printed.trimEnd())).toBe(true);
    expect([value('LEGACY_CLIENT_ID'), value('LEGACY_CLIENT_SECRET')]).toEqual(['mine', 'my-own-secret']);
    expect(value('NODE_EXTRA_CA_CERTS')).toBe(own('tls/ca.pem'));
    const ca = readFileSync(value('SSL_CERT_FILE'), 'utf8');
    const query = new URLSearchParams({
      client_id: 'mine',
      redirect_uri: value('LEGACY_REDIRECT_URI'),
      response_type: 'code',
      scope: 'read',
    });
    const location = await new Promise<string | undefined>((resolve, reject) => {
      request(`${value('LEGACY_AUTH_URL')}/oauth/authorize?${query}`, { ca }, (answer) =>
        resolve(answer.resume().headers.location),
      )
        .on('error', reject)
        .end();
    });
    expect(location).toMatch(/^http:\/\/127\.0\.0\.1:9\/a\?code=./);
    command.stop('SIGTERM');
    const { code, stdout } = await command.end;
    expect(code).toBe(0);
    expect(stdout).toBe(written);
    expect(existsSync(file)).toBe(false);
  });

  test('refuses what it cannot have, names the option, and starts nothing', async () => {
    const usual: EmulateRequest = {
      profile: 'doorkeeper-5',
      seed: undefined,
      defects: [],
      control: false,
      controlToken: undefined,
      tls: undefined,
      dotenv: undefined,
      state: undefined,
      output: 'json',
    };
    const file = own('file');
    await import('node:fs/promises').then(({ writeFile }) => writeFile(file, ''));
    for (const [wrong, message] of [
      [
        { addresses: { publicUrl: 'legacy:8700' } },
        /^--public-url: expected scheme, host, port.*"legacy:8700"/,
      ],
      [{ addresses: { publicUrl: 'http://legacy/a b' } }, /^--public-url: expected a path such as/],
      [{ addresses: { publicUrl: 'http://legacy/?a' } }, /^--public-url: expected scheme/],
      [{ addresses: { publicApiUrl: 'ftp://legacy' } }, /^--public-api-url: /],
      [{ application: { clientId: 'a:b' } }, /^--client-id: .*without blank and colon.*"a:b"/],
      [{ application: { redirectUris: ['/relative'] } }, /^--redirect-uri: "\/relative" is no absolute/],
      [{ application: { redirectUris: ['https://a.test/#x'] } }, /^--redirect-uri: .*fragment/],
      [{ autoConsent: 'nobody' }, /^--auto-consent: expected the email of an owner.*ada@.*"nobody"/],
      [{ addresses: { host: '203.0.113.7' } }, /^--host: expected an address of this machine/],
      [{ tls: file }, /^--tls: .*ca\.pem could not be written/],
      [{ dotenv: join(file, 'x') }, /^--dotenv: .*could not be written/],
    ] as const)
      await expect(runEmulator({ ...usual, ...wrong })).rejects.toThrow(message);
  });

  test('refuses options that are no such thing with 2', async () => {
    const ends = await Promise.all(
      [
        ['--expires-in', '0'],
        ['--journal-limit', 'many'],
        ['--json', '--print-env'],
        ['--client-secret', 'env:NO_SUCH_VARIABLE'],
      ].map((args) => startCommand(['emulate', ...args], {}).end),
    );
    expect(ends.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    const said = [/whole number from 1 to 31536000/, /whole number from 1/, /--print-env/, /--client-secret/];
    for (const [index, words] of said.entries()) expect(ends[index]?.stderr).toMatch(words);
  });
});
