import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@playwright/test';
import { validateResults } from '../../../generated/validators.js';
import { loadCatalogue } from '../../../src/document/load-catalogue.ts';
import { answersOf } from '../../../src/document/profiles/answers-of.ts';
import {
  type AspectId,
  aspectIds,
  namesOf,
  sameAnswer,
  type Unseen,
} from '../../../src/document/profiles/aspects.ts';
import { profileText } from '../../../src/document/profiles/yaml-text.ts';
import { loadProfile, profileIds } from '../../../src/emulator/policy/load-profile.ts';
import type { Profile } from '../../../src/emulator/policy/profile.ts';
import { frozenId } from '../../../src/report/catalogue-view.ts';
import { frozenResults, withFrozen } from '../../../src/report/compare/profiles.ts';
import { renderHtml } from '../../../src/report/html/render.ts';
import type { Results } from '../../../src/report/results.ts';
import { verdictOf } from '../../../src/report/verdict.ts';
import { runHere } from '../../support/command-here.ts';
import { frozenFrom, observeProfile } from '../../support/observing/observe-profile.ts';
import { PROVE } from '../../support/prove.ts';
import { aResult, aRun } from '../../support/results-builder.ts';

/** A drop-in gives the frozen answers: a difference shows exactly where the answers differ. */

const catalogue = loadCatalogue();
const idOf = (aspect: (typeof aspectIds)[number]) => {
  const { openPoint, aspect: name } = namesOf(aspect);
  return frozenId(openPoint, name);
};

test('an aspect and its requirement of level frozen are named apart from all others', () => {
  const ids = aspectIds.map(idOf);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id } of catalogue.requirements) expect(ids).not.toContain(id);
});

for (const id of profileIds()) {
  test(`the emulator on ${id}, held to each shipped profile, differs at what the two differ at and at nothing else`, async () => {
    const [own, observed] = [await loadProfile(id), await observeProfile(await loadProfile(id), true)];
    for (const other of profileIds()) {
      const frozen = await loadProfile(other);
      const rows = frozenResults(frozen, observed, [], catalogue);
      expect(
        rows.map(({ result }) => result).filter((result) => result !== 'pass' && result !== 'fail'),
      ).toEqual([]);
      const failing = rows.filter(({ result }) => result === 'fail').map((row) => row.id);
      const [a, b] = [answersOf(own), answersOf(frozen)];
      const differing = aspectIds.filter(
        (aspect) => !sameAnswer(a.get(aspect) ?? null, b.get(aspect) ?? null),
      );
      expect(failing, `${id} like ${other}`).toEqual(differing.map(idOf));
      if (id !== 'adversarial' || other !== 'doorkeeper-5') continue;
      // All open points but that of events.
      expect(new Set(failing.map((row) => row.split('.')[0])).size).toBe(20);
    }
  });
}

test('what was not observed then, cannot be seen now, or was not heard is said; what checks saw on their way stands in', async () => {
  const base = await loadProfile('doorkeeper-5');
  const observed = {
    target: 'staging',
    kind: 'live',
    at: '2026-10-01T06:00:00.000Z',
    suiteVersion: '0.2.0',
  } as const;
  const frozen: Profile = {
    ...base,
    observed: {
      ...observed,
      risks: ['none'],
      requests: 1,
      notObserved: { 'pkce.support': 'no time' },
      evidence: {},
    },
  };
  const unseen = new Map<AspectId, Unseen>([
    ['lifetimes.code', { why: 'not-observable', reason: 'it takes a clock' }],
    ['refresh-fate.reuse', { why: 'not-asked', reason: 'not asked for' }],
    ['token-failures.exchange.no-code', { why: 'not-asked', reason: 'not asked for' }],
    ['list-shape.format', { why: 'no-answer', reason: 'list: status 429' }],
  ]);
  const sight = { openPoint: 'token-failures', aspect: 'exchange.no-code', seenBy: 'exchange.requires-code' };
  const rows = frozenResults(
    frozen,
    { answers: new Map([['pkce.support', 'ignored']]), unseen, evidence: new Map() },
    [{ ...sight, answer: { status: 500 } }],
    catalogue,
  );
  const row = (id: string) => rows.find((each) => each.id === id);
  expect(row('pkce.support')).toMatchObject({
    result: 'not-applicable',
    reason: 'not observed when it was recorded: no time',
  });
  expect(row('lifetimes.code')).toMatchObject({
    result: 'not-applicable',
    reason: 'it takes a clock',
    frozen: 600,
  });
  expect(row('refresh-fate.reuse')?.result).toBe('not-applicable');
  expect(row('list-shape.format')).toMatchObject({ result: 'not-run', reason: 'list: status 429' });
  expect(row('token-failures.exchange-no-code')).toMatchObject({ result: 'fail', seen: { status: 500 } });
});

test('no difference conforms; a difference violates; a target that was never looked at leaves the run inconclusive', async () => {
  const frozen = await loadProfile('doorkeeper-5');
  const run = aRun([aResult('version.prefix')]);
  const unseen = withFrozen(run, frozen, undefined, catalogue);
  expect(verdictOf(unseen).verdict).toBe('inconclusive');
  const seen = await observeProfile(await loadProfile('by-the-rfc'));
  const held = withFrozen(run, frozen, seen, catalogue);
  expect(verdictOf(held).verdict).toBe('violates');
  const alike = await observeProfile(frozen);
  expect(verdictOf(withFrozen(run, frozen, alike, catalogue)).verdict).toBe('conforms');
  expect(held.observations).toHaveLength(aspectIds.length);
});

test('the report has the frozen answer beside the seen one', async ({ page }) => {
  const frozen = await loadProfile('doorkeeper-5');
  const seen = await observeProfile(await loadProfile('by-the-rfc'));
  const held = withFrozen(aRun([aResult('version.prefix')]), frozen, seen, catalogue);
  await page.setContent(renderHtml(aRun(held.requirements, held), catalogue));
  const row = page.locator('details.r', { has: page.locator('[id="operation-answers.assign-status"]') });
  await row.locator('summary').click();
  await expect(row).toContainText('Recorded200');
  await expect(row).toContainText('Seen204');
});

test(
  'on the command line, on a frozen file: exit 1, and each difference in results.json',
  PROVE,
  async () => {
    const [report, frozen] = [test.info().outputPath('report'), test.info().outputPath('adversarial.yaml')];
    const observed = await observeProfile(await loadProfile('adversarial'), true);
    writeFileSync(frozen, profileText(await frozenFrom(observed, 'adversarial')));
    const check = (like: string) =>
      runHere(['check', '--profile', frozen, '--like', like, '--only', 'version.prefix', '--report', report]);
    const differing = await check('doorkeeper-5');
    expect(differing.stdout).toContain('FAIL lifetimes.code (clause 8, frozen)');
    expect(differing.code).toBe(1);
    const results = JSON.parse(readFileSync(`${report}/results.json`, 'utf8')) as Results;
    expect(validateResults(results), JSON.stringify(validateResults.errors?.slice(0, 3))).toBe(true);
    expect(results.like).toEqual({ name: 'doorkeeper-5' });
    expect(results.requirements.find(({ id }) => id === 'lifetimes.code')).toMatchObject({
      level: 'frozen',
      result: 'fail',
      frozen: 600,
      seen: 30,
    });
    const [recorded, shown] = await Promise.all(
      ['doorkeeper-5', 'adversarial'].map(async (id) => answersOf(await loadProfile(id))),
    );
    const differences = aspectIds.filter((id) => !isDeepStrictEqual(recorded?.get(id), shown?.get(id)));
    expect(results.totals).toMatchObject({ fail: differences.length, notRun: 0, notApplicable: 0 });
    const nobody = await check('nobody.yaml');
    expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('--like: there is no file')]);
  },
);
