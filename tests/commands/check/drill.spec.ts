/** A drill changes the answers that the suite receives: the run is red and stamped, and keeps no history. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runHere } from '../../support/command-here.ts';
import { PROVE } from '../../support/prove.ts';

function checked(...args: readonly string[]) {
  const options = ['--report', test.info().outputPath('report'), '--explore', '0', ...args];
  return runHere(['check', ...options], { LEGACY_CONFORMANCE_DRILL: '1' });
}

test('a drill fails a documented requirement, and every output says so', async () => {
  const { code, stdout } = await checked('--only', 'exchange.expires-in-7200');
  expect([code, stdout]).toEqual([1, expect.stringContaining('DRILL')]);
  const report = test.info().outputPath('report');
  const results = JSON.parse(readFileSync(join(report, 'results.json'), 'utf8'));
  const failed = results.requirements.filter((one: { result: string }) => one.result === 'fail');
  expect(failed.map((one: { id: string }) => one.id)).toEqual(['exchange.expires-in-7200']);
  expect(results.target.name).toMatch(/^DRILL: /);
  for (const file of readdirSync(report).filter((name) => /\.(html|json|xml|md)$/.test(name)))
    expect(readFileSync(join(report, file), 'utf8'), file).toContain('DRILL');
});

test('a drill that breaks no selected requirement does not conform', PROVE, async () => {
  const { code, stdout } = await checked('--only', 'list.project-scoped');
  expect([code, stdout]).toEqual([3, expect.stringContaining('DRILL: the suite changed what it received')]);
});

test('a drill writes no history', PROVE, async () => {
  const history = test.info().outputPath('history.json');
  await checked('--history', history);
  expect(existsSync(history)).toBe(false);
});
