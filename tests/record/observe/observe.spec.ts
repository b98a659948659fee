import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { observe } from '../../../src/commands/observe/api.ts';
import { selectedPoints } from '../../../src/commands/observe/run.ts';
import { frozenProfile, readProfileWithNote } from '../../../src/commands/shared/read-profile.ts';
import { risksFrom } from '../../../src/commands/shared/selection.ts';
import { aspectIds } from '../../../src/document/profiles/aspects.ts';
import { profileText } from '../../../src/document/profiles/yaml-text.ts';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import { startEmulator } from '../../../src/emulator/start/start-emulator.ts';
import { anonymized } from '../../../src/record/observe/headers.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { runHere } from '../../support/command-here.ts';
import { frozenFrom, observeProfile, observeTarget } from '../../support/observing/observe-profile.ts';

/** `observe` as a user has it: what it says beforehand, what it writes, how it ends. */

const ALL = aspectIds.length;

test('freezes the emulator, and `compare` finds no difference to the profile it ran on', async () => {
  const out = test.info().outputPath('frozen.yaml');
  const { code, stdout, stderr } = await runHere(['observe', '--profile', 'adversarial', '--out', out]);
  expect(code).toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain(`seen ${ALL} of ${ALL} aspects with `);
  const text = readFileSync(out, 'utf8');
  expect(text).not.toMatch(/ada@|client\.example|127\.0\.0\.1|localhost/);
  const compared = await runHere(['compare', 'adversarial', out]);
  expect([compared.code, compared.stdout]).toEqual([
    0,
    expect.stringContaining(`no difference; ${ALL} the same`),
  ]);

  const emulator = await startEmulator({ profile: out, listen: false });
  expect(emulator.profile.name).toBe('adversarial');
  expect(emulator.profile.answers['lifetimes.code']).toBe(30);
});

test('changed by hand, a frozen file is none to `compare` until it has no digest any more', async () => {
  const out = test.info().outputPath('frozen.yaml');
  const text = profileText(await frozenFrom(await observeProfile(await loadProfile('by-the-rfc'))));
  writeFileSync(out, text.replace('lifetimes.code: 60', 'lifetimes.code: 61'));
  await expect(frozenProfile('compare', out)).rejects.toThrow('changed by hand');
  writeFileSync(out, text.replace('lifetimes.code: 60', 'lifetimes.code: 61').replace(/^digest: .*$/m, ''));
  const { code, stdout } = await runHere(['compare', 'by-the-rfc', out]);
  expect([code, stdout]).toEqual([1, expect.stringContaining('CHANGED lifetimes.code')]);
  expect(stdout).toContain('  before: 60\n  after: 61\n');
});

test('observe(): the same for a program, which gets the profile', async () => {
  const { exitCode, because, profile } = await observe('emulator', {
    probes: ['token-failures'],
    defects: ['exchange-code-reusable'],
  });
  expect([exitCode, because]).toEqual([0, []]);
  expect(profile?.answers).toMatchObject({ 'token-failures.exchange.used-code': 'accepted' });
  await expect(observe('emulator', { probes: ['nothing'] })).rejects.toThrow('--probe');
  await expect(observe('emulator', { probe: ['x'] } as object)).rejects.toThrow('Did you mean');
});

test('to standard output without --out, one open point alone, and a defect shows', async () => {
  const { code, stdout, stderr } = await runHere([
    ...['observe', '--probe', 'token-failures'],
    ...['--defect', 'exchange-code-reusable'],
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^# A profile of the legacy service/);
  expect(stdout).toContain('pkce.support: not asked for (--probe names others)');
  expect(stdout).toContain('token-failures.exchange.used-code: accepted');
  expect(stdout).toContain('token-failures.exchange.no-code: "exchange, no code: 400"');
  expect(stderr).toContain('more than the emulator can imitate: token-failures.exchange.used-code');
});

test('a risk or an open point that is none: exit 2, and what would do', async () => {
  const { code, stderr } = await runHere(['observe', '--risk', 'everything']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('expected one of none, refusals, revokes, slow; got "everything"'),
  ]);
  expect(() => selectedPoints(['weather'])).toThrow('--probe: expected one of token-presentation, ');
  await expect(readProfileWithNote('--profile', 'nobody')).rejects.toThrow(
    '--profile: expected one of adversarial, ',
  );
  await expect(readProfileWithNote('--profile', 'nobody.yaml')).rejects.toThrow(
    '--profile: there is no file nobody.yaml',
  );
});

test('on the emulator everything is observed, on a live target what is asked for', () => {
  expect([...risksFrom([], true)]).toEqual(['none', 'refusals', 'revokes', 'slow']);
  expect([...risksFrom([], false)]).toEqual(['none']);
  expect([...risksFrom(['revokes'], false)]).toEqual(['none', 'revokes']);
});

test('what is written down has placeholders for addresses, ids and people', async () => {
  const target = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: false });
  const { authUrl, baseUrl, projects, users, owner, application } = target;
  const text = `<${baseUrl}/docs>; rel="help", ${new URL(authUrl).host} ${owner.login} somebody@people.example.test`;
  expect(anonymized(text, target)).toBe('<{base_url}/docs>; rel="help", {auth_host} {login} {email}');
  expect(anonymized(`${application.clientId} ${projects[0]} ${users[0]}`, target)).toBe(
    '{client_id} :id :user_id',
  );
});

test('what its probes show broken is told, with the number of examples, and decides nothing', async () => {
  const seen = async (...options: readonly string[]) => {
    const { code, stderr } = await runHere(['observe', '--probe', 'list-shape', ...options]);
    expect(code).toBe(0);
    return stderr.split('\n').filter((line) => line.startsWith('also seen:'));
  };
  expect(await seen()).toEqual([]);
  const [first] = await seen('--defect', 'exchange-expires-in-string');
  expect(first).toMatch(
    /^also seen: exchange\.expires-in-7200: expected expires_in to be 7200; got "7200" in \d+ of \d+ examples of this run; `check` evaluates it$/,
  );
});

test('consent that was granted before hides four answers, and another application brings them back', async () => {
  const { forgetConsent: _, ...target } = await emulatorTarget({
    profile: 'doorkeeper-5',
    defects: [],
    sockets: false,
  });
  const asked = { risks: new Set(['none', 'refusals'] as const) };
  expect((await observeTarget(target, asked)).unseen.has('consent-memory.remembered')).toBe(false);
  const { unseen } = await observeTarget(target, asked);
  const hidden = [...unseen].filter(([, { reason }]) => reason.includes('an application without a grant'));
  expect(hidden.map(([aspect]) => aspect).sort()).toEqual([
    'authorize-failures.denial',
    'consent-memory.asked-for-wider',
    'consent-memory.remembered',
    'consent-memory.remembered-for-fewer',
  ]);
});
