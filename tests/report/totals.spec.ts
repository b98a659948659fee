import { expect, test } from '@playwright/test';
import { renderHtml } from '../../src/report/html/render.ts';
import { renderJUnit } from '../../src/report/junit.ts';
import type { RequirementResult } from '../../src/report/results.ts';
import { describeTotals, totalsOf } from '../../src/report/verdict.ts';
import { renderConsole, renderMarkdownSummary } from '../support/render-results.ts';
import { aCatalogueOf, aResult, aRun } from '../support/results-builder.ts';

function many(count: number, result: RequirementResult['result'], missing?: readonly string[]) {
  return Array.from({ length: count }, (_, i) =>
    aResult(`${result}.${i}`, result, missing ? { missing } : {}),
  );
}

const sentences: readonly [string, readonly RequirementResult[]][] = [
  ['none selected', []],
  ['none evaluated, 9 not applicable (needs clock)', many(9, 'not-applicable', ['clock'])],
  ['none evaluated, 112 not run', many(112, 'not-run')],
  ['3 of 3 passed', many(3, 'pass')],
  [
    '41 of 41 passed, 9 not applicable (needs clock), 2 not run',
    [...many(41, 'pass'), ...many(9, 'not-applicable', ['clock']), ...many(2, 'not-run')],
  ],
  [
    '1 of 5 passed, 1 failed, 2 warnings, 1 known deviation, 3 blocked',
    [
      ...many(1, 'pass'),
      ...many(1, 'fail'),
      ...many(2, 'warning'),
      ...many(1, 'known-deviation'),
      ...many(3, 'blocked'),
    ],
  ],
  [
    '1 of 2 passed, 1 warning, 3 not applicable (needs clock, second-project)',
    [
      ...many(1, 'pass'),
      ...many(1, 'warning'),
      ...many(2, 'not-applicable', ['second-project', 'clock']),
      ...many(1, 'not-applicable', ['clock']),
    ],
  ],
];

for (const [sentence, results] of sentences)
  test(sentence, () => {
    expect(describeTotals(results)).toBe(sentence);
  });

test('the counts add up to what was selected', () => {
  const results = sentences.flatMap(([, results]) => results);
  const { selected, ...counts } = totalsOf(results);
  expect(selected).toBe(results.length);
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(selected);
  expect(Object.values(counts)).not.toContain(0);
});

test('what was not evaluated stands with the verdict in every report, one line for each reason', () => {
  const reason = 'needs clock: configure `clock` or --wait-expiry';
  const results = aRun([
    aResult('authorize.redirects-with-code', 'pass', { clause: '4.1' }),
    aResult('lifetime.dead-after-7200', 'not-applicable', { clause: '8', reason }),
    aResult('lifetime.alive-until-7200', 'not-applicable', { clause: '8', reason }),
  ]);
  const line =
    /not evaluated: 2 requirements \(lifetime\.dead-after-7200, lifetime\.alive-until-7200\): needs clock/i;
  const view = aCatalogueOf(results);
  expect(renderConsole(results, view, { style: 'plain', verbose: true })).toMatch(line);
  const brief = renderConsole(results, view, { style: 'plain' });
  expect(brief).toContain('not evaluated: 2 requirements; the report and --verbose say why');
  expect(brief).not.toMatch(line);
  expect(renderHtml(results, view)).toMatch(line);
  expect(renderMarkdownSummary(results).replaceAll('\\', '')).toMatch(line);
  expect(renderJUnit(results, view)).toMatch(
    /<property name="not evaluated" value="2 requirements \(lifetime\.dead-after-7200, .*needs clock/,
  );
});
