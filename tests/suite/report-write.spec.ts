import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { resultsJson } from '../../src/report/document.ts';
import { writeReport } from '../../src/report/write.ts';
import { aCatalogueOf, anExchange, aResult, aRun } from '../support/results-builder.ts';

const results = aRun([aResult('a.a', 'fail', { evidence: [anExchange()] })], {
  observations: [
    { openPoint: 'paging', aspect: 'link', answer: { z: 1, a: [{ y: 2, b: 3 }] }, seenBy: 'a.a' },
  ],
});
const view = aCatalogueOf(results);

/** The same value with the keys of all its objects set in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

let folder = '';
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'));
});
test.afterEach(async () => {
  await rm(folder, { recursive: true });
});

test('writes three files into a folder that it makes, and says which', async () => {
  const target = join(folder, 'deep', 'report');
  const written = await writeReport(target, results, view, {});
  expect(await readdir(target)).toEqual(['index.html', 'junit.xml', 'results.json']);
  expect(written.toSorted()).toEqual(
    ['index.html', 'junit.xml', 'results.json'].map((name) => join(target, name)),
  );
  expect(JSON.parse(await readFile(join(target, 'results.json'), 'utf8'))).toEqual(results);
});

test('appends to the step summary, and to nothing where there is none', async () => {
  const summary = join(folder, 'summary.md');
  const env = { GITHUB_STEP_SUMMARY: summary };
  expect(await writeReport(folder, results, view, env)).toContain(summary);
  await writeReport(folder, results, view, env);
  expect((await readFile(summary, 'utf8')).match(/^## /gm)).toHaveLength(2);
  expect(await writeReport(folder, results, view, { GITHUB_STEP_SUMMARY: '' })).toHaveLength(3);
});

test('equal results give equal text, in whatever order their keys were set', () => {
  const other = reversed(results) as typeof results;
  expect(JSON.stringify(other)).not.toBe(JSON.stringify(results));
  expect(resultsJson(other)).toBe(resultsJson(results));
  expect(resultsJson(results)).toMatch(/^\{\n {2}"schemaVersion": "1\.0",/);
  expect(resultsJson(results)).toMatch(/\n$/);
});
