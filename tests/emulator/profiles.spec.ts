import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { validateProfile } from '../../generated/validators.js';
import { loadYaml } from '../../src/catalogue/load-yaml.ts';
import { loadProfile, profileIds } from '../../src/emulator/load-profile.ts';
import { emulatorTarget } from '../../src/targets/emulator.ts';
import { runWithoutBrowser } from '../proof/kill-matrix/run-checks.ts';
import { startClient } from '../support/emulator-client.ts';

const fileOf = (id: string) => fileURLToPath(new URL(`../../spec/profiles/${id}.yaml`, import.meta.url));

test('ships the five profiles', () => {
  expect(profileIds()).toEqual([
    'adversarial',
    'by-the-rfc',
    'doorkeeper-4',
    'doorkeeper-5',
    'doorkeeper-as-shipped',
  ]);
});

test('reads a profile from a file, and says what is wrong with one that is none', async () => {
  expect((await loadProfile(fileOf('by-the-rfc'))).title).toBe('By the RFC');
  const seeds = fileURLToPath(new URL('../../spec/open-points.yaml', import.meta.url));
  await expect(loadProfile(seeds)).rejects.toThrow(/open-points\.yaml:\d+: .*expected/);
});

for (const id of profileIds()) {
  test.describe(id, () => {
    test('is what the schema says, under its own name', () => {
      const profile = loadYaml(fileOf(id), validateProfile);
      expect(profile.name).toBe(id);
    });

    test('warns of exactly the requirements that it breaks', async () => {
      const profile = await loadProfile(id);
      const outcomes = await runWithoutBrowser(
        await emulatorTarget({ profile, defects: [], sockets: false }),
      );
      const broken = outcomes.filter(({ result }) => result === 'warning');
      expect(broken.map((one) => one.id).toSorted()).toEqual(
        profile.warnings.map(({ requirement }) => requirement).toSorted(),
      );
    });

    test('shows ids in the form that it says, the same after every start', async () => {
      const [one, other] = [await startClient({ profile: id }), await startClient({ profile: id })];
      const { answers } = one.emulator.profile;
      const form = { numeric: /^[1-9]\d*$/, opaque: /^[a-z]{3}_[0-9a-f]{16}$/ };
      for (const { id: key } of one.emulator.seed.projects)
        expect(key).toMatch(form[answers['id-forms.project']]);
      for (const { id: key } of one.emulator.seed.users) expect(key).toMatch(form[answers['id-forms.user']]);
      expect(one.emulator.seed.users).toEqual(other.emulator.seed.users);
    });

    test('asks for consent again when it says so', async () => {
      const client = await startClient({ profile: id });
      const { answers } = client.emulator.profile;
      const cookie = await client.signIn();
      const asked = async (scope: string) => {
        const { clientId, redirectUris } = client.emulator.seed.applications[0];
        const sent = {
          client_id: clientId,
          redirect_uri: redirectUris[0] ?? '',
          response_type: 'code',
          scope,
        };
        const address = `${client.emulator.authUrl}/oauth/authorize?${new URLSearchParams(sent)}`;
        return (await client.send(address, { headers: { cookie } })).status === 200;
      };
      expect(await asked('read write')).toBe(true);
      await client.pair({ scope: 'read write' });
      expect(await asked('read write')).toBe(!answers['consent-memory.remembered']);
      expect(await asked('read')).toBe(!answers['consent-memory.remembered-for-fewer']);
      expect(await asked('read write destroy')).toBe(true);
      client.emulator.control.forgetConsent();
      expect(await asked('read write')).toBe(true);
    });

    test('answers other methods, and the neighbours, as it says', async () => {
      const client = await startClient({ profile: id });
      const { authUrl, baseUrl, profile, seed } = client.emulator;
      const { answers } = profile;
      const token = answers['other-methods.token'];
      const users = answers['other-methods.assigned-users'];
      const { access_token } = await client.pair();
      const list = `${baseUrl}${client.path(seed.projects[0].id)}`;
      const status = async (url: string, method: string) => (await client.send(url, { method })).status;
      expect(await status(`${authUrl}/oauth/token`, 'GET')).toBe(token.GET?.status);
      expect(await status(`${authUrl}/oauth/token`, 'OPTIONS')).toBe(token.OPTIONS?.status);
      expect(await status(list, 'PATCH')).toBe(users.PATCH?.status);
      expect(await status(list, 'OPTIONS')).toBe(users.OPTIONS?.status);
      const headed = await client.call('HEAD', client.path(seed.projects[0].id), access_token);
      expect(headed.status).toBe(users.HEAD?.status);
      expect(await headed.text()).toBe('');
      const allow = (await client.send(list, { method: 'PATCH' })).headers.get('allow');
      expect(allow).toBe(users.PATCH?.allow ? 'GET' : null);
      const neighbours = [
        ['/oauth/revoke', 'POST', answers['neighbours.revoke']],
        ['/oauth/introspect', 'POST', answers['neighbours.introspect']],
        ['/oauth/token/info', 'GET', answers['neighbours.token-info']],
        [
          '/.well-known/oauth-authorization-server',
          'GET',
          answers['neighbours.authorization-server-metadata'],
        ],
      ] as const;
      for (const [path, method, said] of neighbours) {
        const absent = (await status(`${authUrl}${path}`, method)) === 404;
        expect([path, absent]).toEqual([path, said === 404]);
      }
    });

    test('takes a loopback address on another port when it says so', async () => {
      const client = await startClient({ profile: id });
      const demo = client.emulator.seed.applications[1];
      const sent = (redirect_uri: string) => client.authorize({ client_id: demo?.clientId, redirect_uri });
      expect((await sent('http://127.0.0.1:8750/callback')).headers.get('location')).toContain('code=');
      const other = (await sent('http://127.0.0.1:9999/callback')).headers.get('location') ?? '';
      expect(other.includes('code=')).toBe(client.emulator.profile.answers['loopback-ports.other-port']);
      for (const stranger of ['http://127.0.0.1:9999/other', 'http://127.0.0.1.test:8750/callback']) {
        expect((await sent(stranger)).headers.get('location') ?? '').not.toContain('code=');
      }
    });
  });
}

test('header names go onto the wire in the letter case that the profile says', async () => {
  const { connect } = await import('node:net');
  const wire = async (profile: string) => {
    const client = await startClient({ profile, listen: true });
    const socket = connect(Number(new URL(client.emulator.authUrl).port), '127.0.0.1');
    socket.write('POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    await client.emulator.close();
    return text;
  };
  expect(await wire('doorkeeper-5')).toContain('\r\nContent-Type: ');
  expect(await wire('adversarial')).toContain('\r\nCONTENT-TYPE: ');
});

test('revocation and introspection act on the client’s own tokens alone', async () => {
  const client = await startClient({ profile: 'doorkeeper-5' });
  const { authUrl, seed } = client.emulator;
  const [own, other] = seed.applications;
  const post = async (path: string, application: typeof other, token: string) => {
    const sent = {
      client_id: application?.clientId ?? '',
      client_secret: application?.clientSecret ?? '',
      token,
    };
    return client.send(`${authUrl}${path}`, { method: 'POST', body: new URLSearchParams(sent) });
  };
  const { access_token } = await client.pair();
  const active = async () => (await (await post('/oauth/introspect', own, access_token)).json()).active;
  expect((await post('/oauth/revoke', other, access_token)).status).toBe(200);
  expect(await active()).toBe(true);
  expect((await post('/oauth/revoke', own, access_token)).status).toBe(200);
  expect(await active()).toBe(false);
  expect((await post('/oauth/revoke', { ...own, clientSecret: 'wrong' }, access_token)).status).toBe(401);
});
