import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { startEmulator } from '../../src/emulator/start-emulator.ts';
import { runCommand } from '../support/command.ts';

/** `observe` as a user has it: what it says beforehand, what it writes, how it ends. */

test('says how many requests beforehand, freezes the emulator, and `compare` finds no difference to the profile it ran on', async () => {
  const out = test.info().outputPath('frozen.yaml');
  const { code, stdout, stderr } = await runCommand(['observe', '--profile', 'adversarial', '--out', out]);
  expect(code).toBe(0);
  expect(stdout).toBe('');
  const [, most = 0] = /at most (\d+) requests/.exec(stderr) ?? [];
  const [, sent = Number.POSITIVE_INFINITY] =
    /seen 140 of 140 aspects with (\d+) requests/.exec(stderr) ?? [];
  expect(Number(sent)).toBeLessThanOrEqual(Number(most));
  const text = readFileSync(out, 'utf8');
  expect(text).not.toMatch(/ada@|client\.example|127\.0\.0\.1|localhost/);
  const compared = await runCommand(['compare', 'adversarial', out]);
  expect([compared.code, compared.stdout]).toEqual([
    0,
    expect.stringContaining('no difference; 140 the same'),
  ]);

  const emulator = await startEmulator({ profile: out, listen: false });
  expect(emulator.profile.name).toBe('adversarial');
  expect(emulator.profile.answers.lifetimes.code).toBe(30);
});

test('a frozen file is a profile to `emulate` and `check`; changed by hand it is none to `compare`', async () => {
  const out = test.info().outputPath('frozen.yaml');
  expect((await runCommand(['observe', '--profile', 'by-the-rfc', '--out', out])).code).toBe(0);
  const report = test.info().outputPath('report');
  const checked = await runCommand([
    'check',
    '--profile',
    out,
    '--only',
    'version.prefix',
    '--report',
    report,
  ]);
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('by-the-rfc')]);

  const text = readFileSync(out, 'utf8');
  writeFileSync(out, text.replace('code: 60', 'code: 61'));
  const { code, stderr } = await runCommand(['compare', 'by-the-rfc', out]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('changed by hand')]);
  writeFileSync(out, text.replace('code: 60', 'code: 61').replace(/^digest: .*$/m, ''));
  const meant = await runCommand(['compare', 'by-the-rfc', out]);
  expect([meant.code, meant.stdout]).toEqual([1, expect.stringContaining('CHANGED lifetimes.code')]);
});

test('to standard output without --out, one open point alone, and a defect is seen', async () => {
  const { code, stdout } = await runCommand([
    'observe',
    '--probe',
    'neighbours',
    '--defect',
    'exchange-code-reusable',
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^# A profile of the legacy service/);
  expect(stdout).toContain('neighbours.revoke: "POST {auth_url}/oauth/revoke (revoke): 200"');
  expect(stdout).toContain('pkce.support: not asked for (--probe names others)');
});

for (const [what, args, says] of [
  [
    'a risk that is none',
    ['--risk', 'everything'],
    '--risk: expected refusals, revokes, slow; got "everything"',
  ],
  ['an open point that is none', ['--probe', 'weather'], '--probe: expected one of token-presentation'],
  ['a profile that is none', ['--profile', 'nobody'], '--profile: expected one of adversarial'],
  ['a file that is none', ['--profile', 'nobody.yaml'], '--profile: there is no file nobody.yaml'],
  ['a target that is none', ['--target', 'nobody.json'], 'there is no file nobody.json'],
] as const) {
  test(`${what}: exit 2, and what would do`, async () => {
    const { code, stderr } = await runCommand(['observe', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });
}
