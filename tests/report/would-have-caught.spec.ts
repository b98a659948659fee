import { expect, test } from '@playwright/test';
import { requirementIds } from '../../generated/ids.ts';
import { renderHtml } from '../../src/report/html/render.ts';
import type { RequirementResult } from '../../src/report/results.ts';
import { wouldHaveCaught } from '../../src/report/would-have-caught.ts';
import { DEFECT_FACTS } from '../proof/defects/index.ts';
import { renderConsole, renderMarkdownSummary } from '../support/render-results.ts';
import { aCatalogueOf, aResult, aRun, aTarget } from '../support/results-builder.ts';

const ALL = DEFECT_FACTS.length;

function everyRequirement(change: (id: string) => RequirementResult | undefined = () => undefined) {
  return requirementIds.map((id) => change(id) ?? aResult(id, 'pass', { level: 'documented' }));
}

function breakingOnly(...ids: readonly string[]): number {
  return DEFECT_FACTS.filter(({ breaks }) => breaks.every((id) => ids.includes(id))).length;
}

test('where every requirement passed, every known fault would have been caught', () => {
  expect(wouldHaveCaught(aRun(everyRequirement()))).toContain(`would have caught ${ALL} of ${ALL}`);
});

test('on a live target, a fault that shows on the emulator alone is not counted', () => {
  const live = aRun(everyRequirement(), { target: aTarget({ kind: 'live' }) });
  expect(wouldHaveCaught(live)).toContain(`would have caught ${ALL - 6} of ${ALL}`);
  expect(wouldHaveCaught(live)).toContain('show on the emulator alone (6)');
});

test('a fault behind requirements that were not evaluated is counted by the reason', () => {
  const clock = ['lifetime.dead-after-7200', 'lifetime.alive-until-7200'];
  const run = aRun(
    everyRequirement((id) =>
      clock.includes(id)
        ? aResult(id, 'not-applicable', { missing: ['clock'], reason: 'needs clock' })
        : undefined,
    ),
  );
  const lost = breakingOnly(...clock);
  expect(lost).toBeGreaterThan(0);
  expect(wouldHaveCaught(run)).toContain(`would have caught ${ALL - lost} of ${ALL}`);
  expect(wouldHaveCaught(run)).toContain(`need clock (${lost})`);
});

test('a warning that is there already hides the faults that show by it alone', () => {
  const id = 'exchange.code-replay-revokes';
  const run = aRun(everyRequirement((one) => (one === id ? aResult(id, 'warning') : undefined)));
  expect(wouldHaveCaught(run)).toContain(`hidden by present warnings (${breakingOnly(id)})`);
});

test('a selection has caught little, and says so in every report', () => {
  const id = 'exchange.expires-in-7200';
  const run = aRun([aResult(id, 'pass', { level: 'documented' })], { selection: 'partial' });
  const caught = DEFECT_FACTS.filter(({ breaks }) => breaks.some((one) => one === id)).length;
  const said = new RegExp(
    `ould have caught ${caught} of ${ALL} known faults, 0 of them as a warning.*not selected \\(${ALL - caught}\\)`,
  );
  expect(renderConsole(run, aCatalogueOf(run), { style: 'plain', verbose: true })).toMatch(said);
  expect(renderMarkdownSummary(run).replaceAll('\\', '')).toMatch(said);
  expect(renderHtml(run, aCatalogueOf(run))).toMatch(said);
});

test('a run that is not green, and a run of a client, claim nothing', () => {
  expect(wouldHaveCaught(aRun(everyRequirement((id) => aResult(id, 'fail'))))).toBeUndefined();
  expect(wouldHaveCaught(aRun([aResult('list.fresh', 'not-run')]))).toBeUndefined();
});
