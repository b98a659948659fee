import { readFileSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { emulatorInTests } from '../../../src/fixtures.ts';
import { type CheckOptions, type Configuration, check } from '../../../src/index.ts';
import { runHere } from '../../support/command-here.ts';
import { startLiveEmulator } from '../../support/emulator-live.ts';
import { PROVE } from '../../support/prove.ts';

/** `check()` of a configuration that no file holds. */

test('a configuration is checked as its file is', PROVE, async () => {
  const { emulator, file, env } = await startLiveEmulator(test.info().outputPath('.'));
  try {
    const configuration = JSON.parse(readFileSync(file, 'utf8')) as Configuration;
    const results = await check(configuration, { only: ['version.prefix'], env: { ...process.env, ...env } });
    expect(results.requirements.map(({ id, result }) => [id, result])).toEqual([['version.prefix', 'pass']]);
    expect(results.target).toMatchObject({
      kind: 'live',
      name: 'emulated staging',
      authUrl: emulator.authUrl,
    });
  } finally {
    await emulator.close();
  }
});

for (const [what, configuration, says] of [
  ['lacks a key', { name: 'staging' }, /^configuration: .*authUrl: expected/s],
  [
    'holds a function',
    { name: () => 'staging' },
    /^configuration: .*expected data that JSON can hold, got a function/s,
  ],
] as const) {
  test(`a configuration that ${what}: refused by its key, as in a file`, async () => {
    await expect(check(configuration as unknown as Configuration)).rejects.toThrow(says);
  });
}

test('an unknown option of check() is refused, because a typo would check everything', async () => {
  const options = { onyl: ['4.2'] } as CheckOptions;
  await expect(check('emulator', options)).rejects.toThrow(/the option onyl\. Did you mean "only"\?/);
});

test('emulatorInTests names the hook that is missing', () => {
  const hooks = { before: () => undefined, beforeEach: () => undefined };
  expect(() => emulatorInTests(hooks as never)).toThrow(/expected after, a hook .*afterAll of Vitest/);
});

test('emulatorInTests with an unknown option fails, and leaves nothing open that keeps a runner alive', async () => {
  let start: (() => Promise<void>) | undefined;
  const before = (begin: () => Promise<void>) => {
    start = begin;
  };
  const hooks = { before, beforeEach: () => undefined, after: () => undefined };
  emulatorInTests(hooks, { prot: 1 } as never);
  const servers = () => process.getActiveResourcesInfo().filter((one) => one === 'TCPServerWrap').length;
  const open = servers();
  await expect(start?.()).rejects.toThrow(/the option prot/);
  // A closed server's handle goes some turns later.
  for (let turn = 0; turn < 100 && servers() > open; turn += 1) await nextTurn();
  expect(servers()).toBe(open);
});

test('--profile beside a live target, and --only of what `care: careful` leaves out: 2, by name', async () => {
  const { emulator, file, env } = await startLiveEmulator(test.info().outputPath('.'));
  try {
    const refused = async (...words: string[]) => (await runHere([...words, '--target', file], env)).stderr;
    expect(await refused('check', '--profile', 'by-the-rfc')).toContain(
      'only the emulator follows a profile',
    );
    const careful = { ...JSON.parse(readFileSync(file, 'utf8')), care: 'careful' };
    writeFileSync(file, JSON.stringify(careful));
    expect(await refused('check', '--only', 'exchange.code-single-use')).toContain(
      '--only: `care: careful` leaves out exchange.code-single-use',
    );
    expect(await refused('observe', '--risk', 'refusals,revokes')).toContain(
      '--risk: `care: careful` leaves out revokes',
    );
  } finally {
    await emulator.close();
  }
});
