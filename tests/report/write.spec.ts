import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { writeReport } from '../../src/commands/shared/report-results.ts';
import { SecretRegistry } from '../../src/http/secrets/registry.ts';
import { resultsJson } from '../../src/report/files.ts';
import { assembleResults } from '../../src/report/verdict.ts';
import { aCatalogueOf, anExchange, aResult, aRun } from '../support/results-builder.ts';

const results = aRun([aResult('a.a', 'fail', { evidence: [anExchange()] })], {
  observations: [
    { openPoint: 'paging', aspect: 'link', answer: { z: 1, a: [{ y: 2, b: 3 }] }, seenBy: 'a.a' },
  ],
});
const view = aCatalogueOf(results);

const own = (name: string) => test.info().outputPath(name);

const run = { ...results, troubles: [] };
const nothing = new SecretRegistry();

test('writes three files into a folder that it makes, in place of an earlier run’s', async () => {
  const target = own('deep/report');
  await writeReport(target, { run, view, secrets: nothing }, {});
  const written = await writeReport(target, { run, view, secrets: nothing }, {});
  expect(await readdir(target)).toEqual(['index.html', 'junit.xml', 'results.json']);
  expect(JSON.parse(await readFile(join(target, 'results.json'), 'utf8'))).toEqual(written.results);
});

test('appends to the step summary, and to nothing where there is none', async () => {
  const summary = own('summary.md');
  const env = { GITHUB_STEP_SUMMARY: summary };
  await writeReport(own('.'), { run, view, secrets: nothing }, env);
  await writeReport(own('.'), { run, view, secrets: nothing }, env);
  await writeReport(own('.'), { run, view, secrets: nothing }, { GITHUB_STEP_SUMMARY: '' });
  expect((await readFile(summary, 'utf8')).match(/^## Conformance of emulator /gm)).toHaveLength(2);
});

test('a secret anywhere makes the run broken, and neither file nor summary holds it', async () => {
  const secrets = new SecretRegistry();
  secrets.register('password', 'the-secret-of-this-run');
  const [first] = results.requirements;
  const leaking = {
    ...run,
    requirements: [{ ...first, reason: 'it was the-secret-of-this-run' }],
  } as typeof run;
  const summary = own('summary.md');
  const written = await writeReport(
    own('.'),
    { run: leaking, view, secrets },
    { GITHUB_STEP_SUMMARY: summary },
  );
  expect(written.results.exitCode).toBe(4);
  expect(JSON.stringify(written.results)).toContain('would have held password#1');
  for (const name of await readdir(own('.'))) {
    expect(await readFile(own(name), 'utf8'), name).not.toContain('the-secret-of-this-run');
  }
});

test('the verdict stands first in results.json', () => {
  const text = resultsJson(assembleResults(results));
  expect(text).toMatch(/^\{\n {2}"schemaVersion": "1\.4",\n {2}"verdict": "violates",\n {2}"exitCode": 1,/);
  expect(text).toMatch(/\n$/);
});
