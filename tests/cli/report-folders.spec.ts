import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { verbs } from '../../src/cli/program.ts';
import { runHere } from '../support/command-here.ts';

/** Each verb has a report folder of its own, and overwrites no page of another program. */

test('no two verbs report to the same folder by default', () => {
  const all = verbs().flatMap((verb) => [verb, ...verb.commands]);
  const folders = all.flatMap(({ options }) =>
    options.flatMap((option) => (option.attributeName() === 'report' ? (option.defaultValue ?? []) : [])),
  );
  expect(folders.length).toBeGreaterThan(6);
  expect(new Set(folders).size).toBe(folders.length);
  for (const folder of folders) expect(folder).toMatch(/^report\/[a-z]+$/);
});

for (const args of [
  ['check', '--only', '9'],
  ['explore', '--requests', '20'],
  ['client', '--', process.execPath, '--version'],
])
  test(`${args[0]}: a page of another program is not overwritten`, async () => {
    const folder = test.info().outputPath('site');
    mkdirSync(folder);
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Our site</title>');
    const { code, stderr } = await runHere([args[0] ?? '', '--report', folder, ...args.slice(1)]);
    expect(stderr).toContain('--report: expected a folder for the report');
    expect(stderr).toContain(`name another folder, such as --report ${join(folder, 'legacy-conformance')}`);
    expect(code).toBe(2);
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('Our site');
    expect(existsSync(join(folder, 'junit.xml'))).toBe(false);
  });

test('the page of an earlier run is overwritten', async () => {
  const folder = test.info().outputPath('report');
  const explore = ['explore', '--requests', '20', '--report', folder, '--seed'];
  await runHere([...explore, '1']);
  const first = readFileSync(join(folder, 'index.html'), 'utf8');
  expect((await runHere([...explore, '2'])).code).toBe(0);
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).not.toBe(first);
});
