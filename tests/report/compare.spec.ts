import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import { loadProfile } from '../../src/emulator/policy/load-profile.ts';
import type { Profile } from '../../src/emulator/policy/profile.ts';
import { type Change, comparisonListing } from '../../src/report/compare/changes.ts';
import { compareProfiles } from '../../src/report/compare/profiles.ts';
import { catalogueDifference, compareResults } from '../../src/report/compare/results.ts';
import { resultsJson } from '../../src/report/files.ts';
import { listingMarkdown, listingText } from '../../src/report/listing.ts';
import { runHere } from '../support/command-here.ts';
import { aResult, aRun } from '../support/results-builder.ts';

const catalogue = loadCatalogue();
const said = (changes: readonly Change[]) => changes.map(({ kind, what }) => `${kind} ${what}`);

const OBSERVED: NonNullable<Profile['observed']> = {
  target: 'staging',
  kind: 'live',
  at: '2026-10-01T06:00:00.000Z',
  suiteVersion: '0.2.0',
  risks: ['none', 'refusals'],
  requests: 200,
  notObserved: {},
  evidence: {},
};

test.describe('profiles', () => {
  test('what changed, what is no longer observed, what is now: likeliest to break a client first', async () => {
    const base = await loadProfile('doorkeeper-5');
    const before: Profile = {
      ...base,
      observed: { ...OBSERVED, notObserved: { 'pkce.support': 'no time' } },
    };
    const answers = structuredClone(base.answers);
    answers['list-shape.container'] = 'envelope';
    answers['list-shape.container-pointer'] = '/users';
    answers['token-response-fields.content-type'] = 'application/json';
    const notObserved = { 'lifetimes.code': 'it takes a clock' };
    const after: Profile = {
      ...base,
      answers,
      observed: { ...OBSERVED, at: '2026-11-01T06:00:00.000Z', notObserved },
    };
    const { changes, notes, same } = compareProfiles(before, after, catalogue);
    expect(said(changes)).toEqual([
      'changed list-shape.container',
      'changed list-shape.container-pointer',
      'stopped lifetimes.code',
      'changed token-response-fields.content-type',
      'started pkce.support',
    ]);
    expect(changes.find(({ kind }) => kind === 'stopped')).toMatchObject({
      before: '600',
      after: 'not observed: it takes a clock',
    });
    expect([notes, same]).toEqual([[], 122]);
    expect(compareProfiles(before, before, catalogue).changes).toEqual([]);
  });

  test('a departure from the document that comes has broken something, one that goes has healed', async () => {
    const bent = await loadProfile('doorkeeper-5');
    const shipped = { ...bent, departures: { tokenType: 'Bearer' } };
    const worse = said(compareProfiles(bent, shipped, catalogue).changes);
    expect(worse).toContain('broke departures.tokenType');
    expect(worse.at(0)).toContain('broke departures');
    expect(said(compareProfiles(shipped, bent, catalogue).changes)).toContain('healed departures.tokenType');
  });

  test('what was seen counts, also where the emulator cannot do it', async () => {
    const base = await loadProfile('doorkeeper-5');
    const answers = { ...base.answers, 'list-shape.order': 'other' as const };
    const seen = { ...base, answers, observed: { ...OBSERVED, notExpressed: ['list-shape.order'] } };
    expect(said(compareProfiles(base, seen, catalogue).changes)).toEqual(['changed list-shape.order']);
  });
});

test.describe('results', () => {
  const before = aRun(
    [
      aResult('exchange.code-single-use'),
      aResult('exchange.requires-code', 'fail', { signature: 'status 200' }),
      aResult('token.not-cacheable', 'warning', { level: 'standard', signature: 'no Cache-Control' }),
      aResult('refresh.chain', 'fail', { signature: 'one' }),
      aResult('list.safe'),
      aResult('version.prefix'),
    ],
    { observations: [{ openPoint: 'lifetimes', aspect: 'code', answer: 60, seenBy: 'list.safe' }] },
  );
  const after = aRun(
    [
      aResult('exchange.code-single-use', 'fail', { signature: 'status 200' }),
      aResult('exchange.requires-code'),
      aResult('token.not-cacheable', 'warning', { level: 'standard', signature: 'no Cache-Control' }),
      aResult('refresh.chain', 'fail', { signature: 'another' }),
      aResult('list.safe', 'not-run', { level: 'standard' }),
    ],
    { observations: [{ openPoint: 'lifetimes', aspect: 'refresh-token', answer: 1, seenBy: 'list.safe' }] },
  );

  test('what broke, changed, healed, and what is no longer looked at, never silently', () => {
    const { changes, same } = compareResults(before, after, catalogue);
    expect(said(changes)).toEqual([
      'broke exchange.code-single-use',
      'changed refresh.chain',
      'stopped version.prefix',
      'stopped lifetimes.code',
      'stopped list.safe',
      'started lifetimes.refresh-token',
      'healed exchange.requires-code',
    ]);
    expect(same).toBe(1);
    expect(changes.find(({ what }) => what === 'version.prefix')?.after).toBe('not selected');
  });

  test('a change that only two catalogues explain is noted', () => {
    const other = { ...after, catalogueDigest: 'another', suiteVersion: '9.9.9' };
    const { notes } = compareResults(after, other, catalogue);
    expect(notes.join()).toContain('evaluated by two catalogues');
    expect(notes.join()).toContain('two versions of the suite: 0.2.0 and 9.9.9');
  });

  test('Markdown has an item for each change, and what a target wrote is no markup there', () => {
    const hostile = aRun([aResult('list.safe', 'fail', { signature: '`|<img src=x>@everyone' })]);
    const comparison = compareResults(aRun([aResult('list.safe')]), hostile, catalogue);
    const listing = comparisonListing(comparison);
    const markdown = listingMarkdown(listing);
    expect(markdown).toMatch(/^## doorkeeper-5, checked 2026-03-02/);
    expect(markdown.split('\n').filter((line) => line.startsWith('- **Broke**'))).toHaveLength(1);
    expect(markdown).toContain("`failed: '|<img src=x>@everyone`");
    expect(listingText(listing, { style: 'plain' })).toContain('BROKE list.safe (a client breaks: likely)');
  });

  test('on the command line: 0 for no difference, 1 for one, Markdown where it is asked for', async () => {
    const info = test.info();
    const [old, now] = ['old.json', 'new.json'].map((name) => info.outputPath(name));
    writeFileSync(old ?? '', resultsJson(before));
    writeFileSync(now ?? '', resultsJson(after));
    expect((await runHere(['compare', old ?? '', old ?? ''])).code).toBe(0);
    const { code, stdout } = await runHere(['compare', old ?? '', now ?? '', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).changes).toHaveLength(7);
    const mixed = await runHere(['compare', 'doorkeeper-5', now ?? '']);
    expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringContaining('a profile and a results.json')]);
    writeFileSync(old ?? '', '{"some": "other document"}');
    expect((await runHere(['compare', old ?? '', now ?? ''])).code).toBe(2);
  });
});

test.describe('compare across catalogues', () => {
  const named = {
    ...catalogue,
    requirements: [...catalogue.requirements, { ...catalogue.requirement('list.safe'), id: 'list.harmless' }],
  } as unknown as typeof catalogue;
  const before = aRun([aResult('old.a'), aResult('list.harmless'), aResult('gone.a')]);
  const after = aRun([aResult('old.a'), aResult('list.harmless'), aResult('new.a', 'warning')], {
    catalogueDigest: 'another',
  });

  test('says which requirements are new and gone, and takes none for a change of the target', () => {
    const comparison = compareResults(before, after, named);
    expect(comparison.catalogue).toEqual({
      new: [{ id: 'new.a', result: 'warning' }],
      gone: [{ id: 'gone.a', result: 'passed' }],
    });
    expect(comparison.changes).toEqual([]);
    expect(comparison.same).toBe(2);
    for (const text of [
      listingText(comparisonListing(comparison), { style: 'plain' }),
      listingMarkdown(comparisonListing(comparison)),
    ]) {
      expect(text.replaceAll('\\', '')).toContain('new requirement: new.a: warning');
      expect(text).toContain('requirement gone: gone.a, which was: passed');
    }
  });

  test('a new requirement that failed counts as a change', () => {
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
