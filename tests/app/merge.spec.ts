/** `merge`: one report and one exit code of many targets. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { validateTargets } from '../../generated/validators.js';
import { mergeResults } from '../../src/app/merge-results.ts';
import { resultsJson } from '../../src/report/document.ts';
import type { Results } from '../../src/report/results.ts';
import { runHere } from '../support/command-here.ts';
import { startLiveEmulator } from '../support/emulator-live.ts';
import { junitProblems } from '../support/package/junit-schema.ts';
import { aResult, aRun, aTarget } from '../support/results-builder.ts';

let directory: string;
test.beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'merge-'));
});
test.afterEach(() => rmSync(directory, { recursive: true, force: true }));

const named = (name: string) => ({ target: aTarget({ kind: 'live', name }) });
const good = aRun([aResult('a.a')], named('eu'));
const bad = aRun([aResult('a.a', 'fail')], named('us'));
const down = aRun([aResult('a.a', 'not-run')], named('ap'));
const broken = aRun([aResult('a.a', 'fail')], {
  ...named('sa'),
  troubles: [{ kind: 'broken', message: 'a user is left' }],
});

/** Writes results into folders of their own; a text is written as it is, undefined leaves the folder empty. */
function artifacts(results: Readonly<Record<string, Results | string | undefined>>): string {
  for (const [name, content] of Object.entries(results)) {
    mkdirSync(join(directory, 'artifacts', name), { recursive: true });
    const text = typeof content === 'string' ? content : content && resultsJson(content);
    if (text !== undefined) writeFileSync(join(directory, 'artifacts', name, 'results.json'), text);
  }
  return join(directory, 'artifacts');
}
const merge = (paths: readonly string[], expect?: number, targets: readonly string[] = []) =>
  mergeResults({ paths, expect, targets, report: join(directory, 'out') });
const report = (name: string) => readFileSync(join(directory, 'out', name), 'utf8');

test.describe('the worst exit code counts', () => {
  const cut = resultsJson(good).slice(0, 400);
  const prettier = resultsJson(bad)
    .replace('"verdict": "violates"', '"verdict": "conforms"')
    .replace('"exitCode": 1', '"exitCode": 0');
  const rows: readonly (readonly [string, number, Readonly<Record<string, Results | string | undefined>>])[] =
    [
      ['all conform', 0, { a: good, b: good }],
      ['one violates', 1, { a: good, b: bad, c: down }],
      ['one was down', 3, { a: good, b: down }],
      ['one is broken behind one that violates', 4, { a: bad, b: broken }],
      ['one is missing', 3, { a: good, b: undefined }],
      ['one is cut off', 3, { a: good, b: cut }],
      ['one is empty', 3, { a: good, b: '' }],
      ['one is something else', 3, { a: good, b: '{"verdict":"conforms","exitCode":0}' }],
      [
        'one is newer than this suite',
        3,
        { a: good, b: resultsJson(good).replace(/"schemaVersion": "1\.\d"/, '"schemaVersion": "2.0"') },
      ],
      ['one says better of itself than its results', 1, { a: good, b: prettier }],
      ['a missing one beside one that violates', 1, { a: bad, b: undefined }],
    ];
  for (const [what, exit, results] of rows)
    test(`${what}: ${exit}`, async () => {
      expect(await merge([artifacts(results)])).toBe(exit);
      expect(JSON.parse(report('targets.json'))).toMatchObject({ exitCode: exit });
      expect(JSON.parse(report('targets.json')).targets).toHaveLength(Object.keys(results).length);
      expect([validateTargets(JSON.parse(report('targets.json'))), validateTargets.errors]).toEqual([
        true,
        null,
      ]);
      expect(junitProblems(report('junit.xml'))).toEqual([]);
      expect(/<(?:failure|error)\b/.test(report('junit.xml'))).toBe(exit !== 0);
    });
});

test('fewer results than expected are 3; a folder that is named twice counts once, however it is named', async () => {
  const folder = artifacts({ a: good, b: good });
  symlinkSync(join(folder, 'a'), join(directory, 'again'));
  expect(await merge([folder], 2)).toBe(0);
  expect(
    await merge(
      [join(folder, 'a'), `${folder}/a/`, join(folder, 'a', 'results.json'), join(directory, 'again')],
      2,
    ),
  ).toBe(3);
  expect(report('targets.json')).toContain('expected the results of 2 targets, found 1');
  expect(await merge([join(directory, 'nowhere')])).toBe(3);
  mkdirSync(join(directory, 'empty'));
  expect(await merge([join(directory, 'empty')])).toBe(3);
});

test('what a target is called is no markup, and no report holds a configured secret: 4', async () => {
  const hostile = aRun([aResult('a.a')], named('<script>alert(1)</script>|x'));
  expect(await merge([artifacts({ a: hostile })])).toBe(0);
  expect(report('index.html')).not.toContain('<script>alert');
  const { emulator, file, env } = await startLiveEmulator(directory);
  await emulator.close();
  const secret = env.STAGING_CLIENT_SECRET ?? '';
  const leaking = aRun([aResult('a.a')], { ...named(`eu ${Buffer.from(secret).toString('base64')}`) });
  const folder = artifacts({ a: leaking });
  Object.assign(process.env, env);
  expect(await merge([folder], undefined, [file])).toBe(4);
  for (const name of readdirSync(join(directory, 'out')))
    expect(report(name)).not.toContain(Buffer.from(secret).toString('base64'));
  for (const name of Object.keys(env)) delete process.env[name];
});

test('by the command: exit code, a line for each target, wrong usage is 2', async () => {
  const folder = artifacts({ a: good, b: bad });
  const out = ['--report', join(directory, 'out')];
  const { code, stdout } = await runHere(['merge', folder, ...out]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining('violates (exit 1): 1 of 2 targets conform, or are retired as expected'),
  ]);
  expect(stdout).toContain('because 1 requirement failed: a.a');
  expect((await runHere(['merge', ...out])).code).toBe(2);
  expect((await runHere(['merge', folder, '--expect', '0', ...out])).code).toBe(2);
});
