import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { Configuration } from '../../../src/index.ts';
import { check } from '../../../src/index.ts';
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
