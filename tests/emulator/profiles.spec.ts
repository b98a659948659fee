import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { validateProfile } from '../../generated/validators.js';
import { loadYaml } from '../../src/document/load-yaml.ts';
import { loadProfile, profileIds } from '../../src/emulator/policy/load-profile.ts';
import { emulatorTarget } from '../../src/service/emulator.ts';
import { runWithoutBrowser } from '../proof/kill-matrix/run-checks.ts';
import { startClient } from '../support/emulator-client.ts';

const fileOf = (id: string) => fileURLToPath(new URL(`../../spec/profiles/${id}.yaml`, import.meta.url));

test('ships the four profiles', () => {
  expect(profileIds()).toEqual(['adversarial', 'by-the-rfc', 'doorkeeper-5', 'rotation-with-grace']);
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
  });
}

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
