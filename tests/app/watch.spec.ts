/** `check --watch`: for who builds the shim. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { withoutWatch } from '../../src/app/watch-check.ts';
import { changedFiles, snapshot, untilChanged } from '../../src/app/watch-files.ts';
import { runCommand, startCommand } from '../support/command.ts';
import { startLiveEmulator } from '../support/emulator-live.ts';

let directory: string;
test.beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'watch-'));
});
test.afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('what is written, replaced, added and removed counts; what runs write and node_modules does not', () => {
  const path = (...parts: string[]) => join(directory, ...parts);
  for (const folder of ['src', 'report', 'src/node_modules', 'src/.git'])
    mkdirSync(path(folder), { recursive: true });
  for (const file of ['src/a', 'src/b', 'src/c']) writeFileSync(path(file), '1');
  const watched = { files: [path('config.json')], folders: [directory], except: [path('report')] };
  const before = snapshot(watched);
  for (const file of ['report/results.json', 'src/node_modules/x', 'src/.git/y'])
    writeFileSync(path(file), '1');
  expect(changedFiles(before, snapshot(watched))).toEqual([]);
  writeFileSync(path('src/a'), '22');
  writeFileSync(path('other'), '1');
  renameSync(path('other'), path('src/b'));
  rmSync(path('src/c'));
  writeFileSync(path('config.json'), '{}');
  const changed = changedFiles(before, snapshot(watched));
  expect(changed).toEqual([path('config.json'), path('src/a'), path('src/b'), path('src/c')]);
});

test('what changed while a run was under way is found at once, and an end is no change', async () => {
  const watched = { files: [join(directory, 'a')], folders: [], except: [] };
  const before = snapshot(watched);
  writeFileSync(join(directory, 'a'), '1');
  expect(await untilChanged(watched, before, new AbortController().signal)).toEqual([join(directory, 'a')]);
  expect(await untilChanged(watched, snapshot(watched), AbortSignal.abort())).toEqual([]);
});

test('a run gets every option but this one', () => {
  const args = [
    'check',
    '--watch',
    'src',
    '--only',
    '4.3',
    '--watch=lib',
    '--strict',
    '--watch',
    '--report',
    'r',
  ];
  expect(withoutWatch(args)).toEqual(['check', '--only', '4.3', '--strict', '--report', 'r']);
});

test('it checks again when a folder changes, says what changed, and ends with the last exit code', async () => {
  test.slow();
  const source = join(directory, 'shim');
  mkdirSync(source);
  const { emulator, file, env } = await startLiveEmulator(directory);
  const report = join(source, 'report');
  const only = ['--only', 'exchange.expires-in-7200', '--only', 'exchange.code-single-use'];
  const watching = startCommand(
    ['check', '--target', file, ...only, '--report', report, '--watch', source],
    env,
  );
  try {
    await watching.printed('watching for changes');
    emulator.control.defects.switch(['exchange-expires-in-3600']);
    writeFileSync(join(source, 'main.ts'), 'new');
    const printed = await watching.printed('against the run before');
    expect(printed).toContain('conforms (partial) (exit 0)');
    await watching.printed('BROKE exchange.expires-in-7200');
    expect(await watching.printed('main.ts changed')).toContain('checking again');
    watching.stop('SIGINT');
    expect((await watching.end).code).toBe(1);
  } finally {
    watching.stop('SIGTERM');
    await emulator.close();
  }
});

test('wrong usage at the first run, and a folder that is not there, are 2 at once', async () => {
  const [folder, target] = await Promise.all([
    runCommand(['check', '--watch', join(directory, 'nowhere')]),
    runCommand(['check', '--target', join(directory, 'nowhere.json'), '--watch']),
  ]);
  expect([folder.code, target.code]).toEqual([2, 2]);
  expect(folder.stderr).toContain('--watch: expected a folder');
});
