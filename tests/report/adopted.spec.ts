/** An upgrade of the suite breaks no pipeline: requirements that are newer than `adopted` warn and decide nothing. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { adoptionOf } from '../../src/cli/adoption.ts';
import { check } from '../../src/cli/check-and-observe.ts';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import { isNewer } from '../../src/document/versions.ts';
import { renderAnnotations } from '../../src/report/annotations.ts';
import { comparisonListing } from '../../src/report/compare/changes.ts';
import { catalogueDifference, compareResults } from '../../src/report/compare/results.ts';
import { renderReport } from '../../src/report/document.ts';
import { renderHtml } from '../../src/report/html/render.ts';
import { listingMarkdown, listingText } from '../../src/report/listing.ts';
import { unlisted, withAdoption } from '../../src/report/policy.ts';
import type { RequirementResult, Results } from '../../src/report/results.ts';
import { startLiveEmulator } from '../support/emulator-live.ts';
import { renderConsole, renderMarkdownSummary } from '../support/render-results.ts';
import { aCatalogueOf, aResult, aRun } from '../support/results-builder.ts';

const catalogue = loadCatalogue();
const isNew = (id: string) => id.startsWith('new.');

/** A run with the configuration's `adopted: "0.2"`, in which everything whose id begins with `new.` is newer. */
function adopting(requirements: readonly RequirementResult[], strict = false): Results {
  const {
    verdict: _,
    exitCode: __,
    totals: ___,
    schemaVersion: ____,
    ...run
  } = aRun(requirements, { strict });
  const ages = { adopted: '0.2', isNew, sinceOf: (id: string) => (isNew(id) ? '0.3.0' : '0.2.0') };
  return aRun(requirements, withAdoption(run, ages));
}

test('versions are numbers, and 0.1 means every release of 0.1', () => {
  expect(isNewer('0.10.0', '0.9.0')).toBe(true);
  expect(isNewer('0.9.0', '0.10')).toBe(false);
  expect(isNewer('0.1.7', '0.1')).toBe(false);
  expect(isNewer('0.1.7', '0.1.6')).toBe(true);
  expect(isNewer('1.0.0', '0.9')).toBe(true);
});

test.describe('what is newer than adopted decides nothing', () => {
  const old = aResult('old.a');
  const rows: readonly [string, number, readonly RequirementResult[], boolean?][] = [
    ['a new documented requirement failed', 0, [old, aResult('new.a', 'fail')]],
    ['the same under --strict', 0, [old, aResult('new.a', 'fail')], true],
    ['a new one warned, under --strict', 0, [old, aResult('new.a', 'warning')], true],
    ['a new one was not run', 0, [old, aResult('new.a', 'not-run')]],
    ['a new one is blocked', 0, [old, aResult('new.a', 'blocked', { blockedBy: 'x.x' })]],
    ['a new one passed', 0, [old, aResult('new.a')]],
    ['an old one failed beside it', 1, [aResult('old.a', 'fail'), aResult('new.a')]],
    ['an old one warned under --strict', 1, [aResult('old.a', 'warning'), aResult('new.a')], true],
    ['an old one was not run', 3, [old, aResult('old.b', 'not-run'), aResult('new.a')]],
    [
      'an old documented one is blocked behind it',
      3,
      [old, aResult('new.a', 'fail'), aResult('old.b', 'blocked', { blockedBy: 'new.a' })],
    ],
    ['only new ones were evaluated', 3, [aResult('new.a')]],
  ];
  for (const [what, exit, requirements, strict] of rows)
    test(`${what}: exit ${exit}`, () => {
      expect(adopting(requirements, strict).exitCode).toBe(exit);
    });

  test('it proposes no known deviation for them', () => {
    expect(unlisted(adopting([aResult('new.a', 'fail', { signature: 'x' })], true))).toEqual([]);
  });

  test('every report says so, and JUnit shows none of them red', () => {
    const results = adopting([old, aResult('new.a', 'fail'), aResult('new.b', 'not-run')], true);
    const view = aCatalogueOf(results);
    const line = /[Nn]ew, decides nothing until adopted.*new\.a.*since 0\.3\.0; adopted is 0\.2.*warning/s;
    expect(renderConsole(results, view, { style: 'plain' })).toMatch(line);
    expect(renderMarkdownSummary(results, view)).toMatch(line);
    expect(renderHtml(results, view)).toMatch(line);
    const junit = renderReport(results, view).find(({ name }) => name === 'junit.xml')?.text ?? '';
    expect(junit).toMatch(line);
    expect(junit).not.toMatch(/<(?:failure|error)\b/);
    expect(renderAnnotations(results, 'c.json')).not.toContain('::error');
  });
});

test.describe('the configuration', () => {
  const requirements = [
    { id: 'a.a', since: '0.2.0' },
    { id: 'b.b', since: '0.3.0' },
  ] as unknown as Parameters<typeof adoptionOf>[0]['requirements'];
  const adopted = (version?: string) => adoptionOf({ requirements }, 'c.json', version, '0.2.0');

  test('names a version that the suite knows, and one that leaves something to decide', () => {
    expect(['a.a', 'b.b'].map(adopted('0.2').isNew)).toEqual([false, true]);
    expect(adopted('0.3').isNew('b.b')).toBe(false);
    expect(adopted('0.3.0').isNew('b.b')).toBe(false);
    expect(adopted().isNew('b.b')).toBe(false);
    expect(() => adopted('0.4')).toThrow(
      'c.json: adopted: expected a version of the suite, 0.3.0 at most; got 0.4',
    );
    expect(() => adopted('0.1')).toThrow('none would decide the verdict');
  });

  test('a target that breaks only what is not adopted: 0 with --strict, and 1 once it is adopted', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'adopted-'));
    const defects = ['exchange-redirect-uri-case-ignored'];
    const { emulator, file, ...live } = await startLiveEmulator(directory, defects, { adopted: '0.2' });
    const env = { ...process.env, ...live.env };
    const [exact, same] = ['exchange.redirect-uri-exact', 'exchange.redirect-uri-same'] as const;
    try {
      const only = [same, exact];
      const adopted = await check(file, { only, strict: true, env });
      expect([adopted.exitCode, adopted.adopted]).toEqual([1, '0.2']);
      expect(adopted.requirements).toMatchObject(only.map((id) => ({ id, since: '0.2.0' })));

      // The same results, by a catalogue in which one requirement came with the next version.
      const later = catalogue.requirements.map((one) =>
        one.id === exact ? { ...one, since: '0.3.0' } : one,
      );
      const { verdict: _, exitCode: __, totals: ___, schemaVersion: ____, ...run } = adopted;
      const ages = adoptionOf({ requirements: later }, file, '0.2', '0.3.0');
      const before = aRun(adopted.requirements, withAdoption(run, ages));
      const found = Object.fromEntries(before.requirements.map((one) => [one.id, one]));
      expect(found[exact]).toMatchObject({ result: 'warning', since: '0.3.0', notAdopted: true });
      expect(found[same]).toMatchObject({ result: 'pass', since: '0.2.0' });
      expect(before.exitCode).toBe(0);

      const configuration = JSON.parse(readFileSync(file, 'utf8'));
      for (const [wrong, message] of [
        [0.2, /adopted: expected .*"0\.2"/s],
        ['0.1', /none would decide the verdict/],
      ] as const) {
        writeFileSync(file, JSON.stringify({ ...configuration, adopted: wrong }));
        await expect(check(file, { only, env })).rejects.toThrow(message);
      }
    } finally {
      await emulator.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

test('every requirement says since when it is there: a version of the changelog', () => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const known = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version);
  expect(catalogue.requirements.filter(({ since }) => !known.includes(since))).toEqual([]);
});

test.describe('compare across catalogues', () => {
  const named = {
    ...catalogue,
    requirements: [...catalogue.requirements, { ...catalogue.requirement('list.safe'), id: 'list.harmless' }],
  } as unknown as typeof catalogue;
  const before = aRun([aResult('old.a'), aResult('list.harmless'), aResult('gone.a')]);
  const after = aRun(
    [aResult('old.a'), aResult('list.harmless'), aResult('new.a', 'warning', { since: '0.3.0' })],
    { catalogueDigest: 'another' },
  );

  test('says which requirements are new and gone, and takes none for a change of the target', () => {
    const comparison = compareResults(before, after, named);
    expect(comparison.catalogue).toEqual({
      new: [{ id: 'new.a', since: '0.3.0', result: 'warning' }],
      gone: [{ id: 'gone.a', result: 'passed' }],
    });
    expect(comparison.changes).toEqual([]);
    expect(comparison.same).toBe(2);
    for (const text of [
      listingText(comparisonListing(comparison), { style: 'plain' }),
      listingMarkdown(comparisonListing(comparison)),
    ]) {
      expect(text.replaceAll('\\', '')).toContain('new requirement: new.a (since 0.3.0): warning');
      expect(text).toContain('requirement gone: gone.a, which was: passed');
    }
  });

  test('a new requirement that failed is a change all the same', () => {
    const failed = aRun([aResult('old.a'), aResult('new.a', 'fail')], { catalogueDigest: 'another' });
    const { changes } = compareResults(aRun([aResult('old.a')]), failed, catalogue);
    expect(changes.map(({ kind, what }) => `${kind} ${what}`)).toEqual(['broke new.a']);
  });

  test('a partial run shows nothing of its catalogue, and one catalogue has no difference', () => {
    const part = aRun([aResult('old.a')], { selection: 'partial', catalogueDigest: 'another' });
    expect(catalogueDifference(before, part)).toMatchObject({ gone: [], new: [] });
    expect(catalogueDifference(before, before)).toBeUndefined();
  });
});
