import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { readProfileWithNote } from '../../../src/commands/shared/read-profile.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { createHandover, observeHandover } from '../../../src/record/handover.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { runHere } from '../../support/command-here.ts';
import { emulatorAsLiveTarget } from '../../support/emulator-as-live.ts';
import { startIndependentService } from '../../support/independent-service/start.ts';
import { writeLiveConfiguration } from '../../support/live-config.ts';
import { PROVE } from '../../support/prove.ts';

/** The old service and the new one, as the reader of the page has them: the independent service, twice. */

const PASSPHRASE = { STAGING_HANDOVER_PASSPHRASE: 'a long enough phrase' };

const ALL_LIVE = {
  'access-token': 'works',
  'refresh-token': 'works',
  'unused-code': 'works',
  // The independent service remembers consent with the browser's session.
  consent: 'asked-again',
  'assigned-user': 'assigned',
};

async function aService(name: string, file = test.info().outputPath('handover.sealed')) {
  const running = await startIndependentService({ INDEPENDENT_SERVICE_CONSENT: 'once' });
  const [first = '', second = '', third = ''] = running.ready.users;
  const { file: config, env } = writeLiveConfiguration(running.ready, test.info().outputPath('.'), {
    name,
    users: [first, second],
    handover: { user: third, file, passphrase: { env: 'STAGING_HANDOVER_PASSPHRASE' } },
  });
  const target = test.info().outputPath(`${name}.config.json`);
  writeFileSync(target, readFileSync(config));
  const run = (...args: readonly string[]) =>
    runHere(['handover', ...args, '--target', target], { ...env, ...PASSPHRASE });
  return { ...running, file, user: third, run };
}

interface Printed {
  readonly observations: readonly { readonly aspect: string; readonly answer: string | null }[];
}

function answersIn(stdout: string): Readonly<Record<string, string | null>> {
  const { observations } = JSON.parse(stdout) as Printed;
  return Object.fromEntries(observations.map(({ aspect, answer }) => [aspect, answer]));
}

test('a service that keeps everything: each answer, the way back, and the clean-up', PROVE, async () => {
  const old = await aService('old');
  try {
    const before = await old.run('before');
    expect(before.code, before.stdout + before.stderr).toBe(0);
    expect(before.stdout).toContain(`user ${old.user} is assigned`);
    // A JWE has five parts (RFC 7516 section 7.1).
    expect(readFileSync(old.file, 'utf8')).toMatch(/^[\w-]+(?:\.[\w-]+){4}\s*$/);

    const after = await old.run('after', '--json');
    expect(answersIn(after.stdout)).toEqual(ALL_LIVE);
    expect(after.code, after.stderr).toBe(0);

    const back = answersIn((await old.run('after', '--back', '--json')).stdout);
    expect(back).toMatchObject({ 'unused-code': 'refused', 'new-access-token': 'works' });

    const clean = await old.run('clean');
    expect(clean.stdout).toContain(`not assigned any more: ${old.user}`);
    expect(clean.code).toBe(0);
    expect(existsSync(old.file)).toBe(false);
  } finally {
    await old.stop();
  }
});

test('with a clock, an account area and a lasting consent: an expired pair, an application and the consent live, too', async () => {
  const profile = await readProfileWithNote('--profile', 'doorkeeper-5');
  const target = await emulatorAsLiveTarget(profile, []);
  try {
    const [user] = target.users.slice(-1);
    const own = { ...target, users: [user ?? ''] as const };
    const left = await createHandover(connectWithoutBrowser(own, new SecretRegistry()));
    const ask = async (back: boolean, handover: typeof left, at = Date.parse(left.at)) =>
      observeHandover(connectWithoutBrowser(own, new SecretRegistry()), handover, back, at);
    const { seen, issued } = await ask(false, left);
    expect(Object.fromEntries(seen.map(({ aspect, answer }) => [aspect, answer]))).toEqual({
      ...ALL_LIVE,
      consent: 'remembered',
      'refresh-token-after-expiry': 'works',
      'created-application': 'works',
    });
    const later = await ask(true, { ...left, issuedByNew: issued }, Date.parse(left.at) + 7_201_000);
    expect(later.seen.find(({ aspect }) => aspect === 'access-token')).toMatchObject({
      answer: undefined,
      reason: 'it expired: `before` ran 2.0 hours ago',
    });
    expect(later.seen.map(({ aspect }) => aspect)).toContain('new-refresh-token');
  } finally {
    await target.close();
  }
});

test(
  'a service that keeps nothing: exit 1 where something else is expected, and nothing printed is a secret',
  PROVE,
  async () => {
    const old = await aService('old');
    const young = await aService('young', old.file);
    try {
      expect((await old.run('before')).code).toBe(0);
      const expectation = test.info().outputPath('handover.yaml');
      writeFileSync(expectation, 'refresh-token: works\nconsent: asked-again\n');
      const { code, stdout } = await young.run('after', '--expect', expectation);
      expect(stdout).toMatch(/access-token +refused/);
      expect(stdout).toMatch(/consent +asked-again/);
      expect(stdout).toMatch(/assigned-user +unassigned/);
      expect(stdout).toContain('refresh-token: expected works, got refused');
      expect(code).toBe(1);
      const secrets = await old.issued();
      expect(secrets.length).toBeGreaterThan(4);
      for (const secret of secrets) expect(stdout).not.toContain(secret);
    } finally {
      await Promise.all([old.stop(), young.stop()]);
    }
  },
);

test('wrong use is 2, and says what is expected', async () => {
  const old = await aService('old');
  try {
    const sent = (await old.received()).length;
    const cases: readonly (readonly [args: readonly string[], says: string])[] = [
      [['after'], 'handover.file: expected the file that `handover before` wrote'],
      [['before', '--back'], '--back: expected with `handover after`'],
      [['during'], 'expected `before`, `after` or `clean`'],
    ];
    for (const [args, says] of cases) {
      const { code, stderr } = await old.run(...args);
      expect(stderr).toContain(says);
      expect(code).toBe(2);
    }
    const expectation = test.info().outputPath('handover.yaml');
    writeFileSync(expectation, 'refresh-token: maybe\n');
    const { code, stderr } = await old.run('after', '--expect', expectation);
    expect(stderr).toContain('refresh-token: expected works or refused, got "maybe"');
    expect(code).toBe(2);
    expect(await old.received()).toHaveLength(sent);
  } finally {
    await old.stop();
  }
});
