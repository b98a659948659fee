import { readdirSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { explorePlan } from '../../src/app/explore-plan.ts';
import { runCommand } from '../support/command.ts';

/** `--corpus`: what is found is kept, and done again first; and what is explored where nothing was said of it. */

test('what is found is added to the corpus, and found again by its sequence alone', async () => {
  const folder = test.info().outputPath('corpus');
  const explore = (...options: readonly string[]) =>
    runCommand([
      ...['explore', '--defect', 'assign-by-refreshed-token-not-stored', '--corpus', folder],
      ...['--report', test.info().outputPath('report'), ...options],
    ]);
  const first = await explore('--requests', '200', '--seed', '3');
  expect([first.code, first.stdout]).toEqual([1, expect.stringContaining('FAIL assign.adds-user')]);
  const kept = readdirSync(folder);
  expect(kept).toEqual([expect.stringMatching(/^assign\.adds-user-seed-3-1\.json$/)]);
  const again = await explore('--requests', '1');
  expect([again.code, again.stdout]).toEqual([1, expect.stringContaining(`by the sequence of ${folder}`)]);
  expect(readdirSync(folder)).toEqual(kept);
});

test('the emulator is explored by a thousand requests unless told; a live target only where it is asked for', () => {
  expect(explorePlan({ seed: 3 }, false, true)).toEqual({
    requests: 1_000,
    seed: 3,
    replays: [],
    refusals: true,
  });
  expect(explorePlan({ explore: 0 }, false, true)).toBeUndefined();
  expect(explorePlan({}, true, false)).toBeUndefined();
  expect(explorePlan({ explore: 300, seed: 1 }, true, false)).toMatchObject({
    requests: 300,
    refusals: false,
  });
});

test('what a part of a run shows broken beside that part is told, and decides nothing', async () => {
  const { code, stdout } = await runCommand([
    ...['check', '--only', 'list.returns-assigned', '--defect', 'exchange-expires-in-string'],
    ...['--report', test.info().outputPath('report')],
  ]);
  expect(stdout).toMatch(
    /\n {2}also seen, not selected: exchange\.expires-in-7200: clause 2\.1: expected expires_in to be 7200; got "7200" in \d+ of \d+ examples/,
  );
  expect(code).toBe(0);
});
