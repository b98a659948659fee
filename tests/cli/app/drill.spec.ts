/** A drill changes the answers that the suite receives: the run is red and stamped, and keeps no history. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runHere } from '../../support/command-here.ts';
import { PROVE } from '../../support/prove.ts';

const EXPECTED = {
  'expires-in': 'exchange.expires-in-7200',
  'assign-hidden': 'assign.adds-user',
} as const;

function checked(drill: string, folder: string, ...args: readonly string[]) {
  const options = ['--report', join(folder, 'report'), '--explore', '0', ...args];
  return runHere(['check', ...options], { LEGACY_CONFORMANCE_DRILL: drill });
}

for (const [drill, id] of Object.entries(EXPECTED))
  test(`the drill ${drill} fails ${id}, and every output says so`, async () => {
    const folder = test.info().outputPath();
    const { code, stdout } = await checked(drill, folder, '--only', id);
    expect(code).toBe(1);
    expect(stdout).toContain(`DRILL ${drill}`);
    const report = join(folder, 'report');
    const results = JSON.parse(readFileSync(join(report, 'results.json'), 'utf8'));
    const failed = results.requirements.filter((one: { result: string }) => one.result === 'fail');
    expect(failed.map((one: { id: string }) => one.id)).toContain(id);
    for (const file of readdirSync(report).filter((name) => /\.(html|json|xml|md)$/.test(name)))
      expect(readFileSync(join(report, file), 'utf8'), file).toContain(`DRILL ${drill}`);
  });

test('a drill that breaks no selected requirement does not conform', PROVE, async () => {
  const { code, stdout } = await checked(
    'expires-in',
    test.info().outputPath(),
    '--only',
    'list.project-scoped',
  );
  expect([code, stdout]).toEqual([3, expect.stringContaining('DRILL expires-in: the suite changed answers')]);
});

test('a drill writes no history', PROVE, async () => {
  const history = test.info().outputPath('history.json');
  await checked('expires-in', test.info().outputPath(), '--history', history);
  expect(existsSync(history)).toBe(false);
});

test('an unknown drill is wrong usage', async () => {
  const { code, stderr } = await checked('expires', test.info().outputPath());
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('LEGACY_CONFORMANCE_DRILL: expected expires-in or assign-hidden'),
  ]);
});
