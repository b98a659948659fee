/** The digests beside a record: `sha256sum -c` names each file that is not as recorded. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runHere } from '../../support/command-here.ts';

async function recorded(): Promise<string> {
  const folder = test.info().outputPath('record');
  const options = ['--probe', 'refresh-fate', '--requests', '60', '--seed', '1', '--stories', folder];
  const { code, stderr } = await runHere(['observe', ...options]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('SHA256SUMS')]);
  return folder;
}

for (const [what, alter, code] of [
  ['nothing', () => undefined, 0],
  ['a byte of the profile', (folder: string) => appendFileSync(join(folder, 'profile.yaml'), '\n'), 1],
  ['a byte of the stories', (folder: string) => appendFileSync(join(folder, 'stories.json'), '\n'), 1],
  ['no stories', (folder: string) => rmSync(join(folder, 'stories.json')), 1],
] as const)
  test(`sha256sum -c: ${what} was changed`, async () => {
    test.skip(process.platform !== 'linux', 'sha256sum is a command of GNU');
    const folder = await recorded();
    alter(folder);
    expect(spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder }).status).toBe(code);
  });
