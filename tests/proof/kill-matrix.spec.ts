import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { expect, test } from '@playwright/test';
import { WEAKENINGS } from '../../scripts/mutations/weakenings.ts';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import { DEFECT_FACTS } from './defects/index.ts';
import { incompleteness, oddFacts } from './kill-matrix/completeness.ts';
import { problemsOf, runMatrix } from './kill-matrix/matrix.ts';
import type { RowOutcome } from './kill-matrix/run-checks.ts';
import { findingOf, matrixText } from './kill-matrix/text.ts';
import { evaluateRow, evaluateRun } from './kill-matrix/verdict.ts';
import { SECOND_ORDER_FACTS } from './second-order/index.ts';

test('every requirement is broken by a defect, every documented one by a blunt and by a subtle one', () => {
  expect(incompleteness(loadCatalogue(), DEFECT_FACTS)).toEqual([]);
});

test('each class of second order has at least fifteen defects, and no id stands twice', () => {
  expect(oddFacts([...SECOND_ORDER_FACTS, ...DEFECT_FACTS])).toEqual([]);
  const sizes = Map.groupBy(SECOND_ORDER_FACTS, (defect) => defect.class);
  for (const [kind, own] of sizes) expect([kind, own.length >= 15]).toEqual([kind, true]);
});

test('every defect is killed by the checks of what it breaks, and by no other', async () => {
  // Two minutes of computing; more where other tests want the cores too.
  test.setTimeout(600_000);
  const workers = availableParallelism();
  const matrix = await runMatrix(DEFECT_FACTS, { profile: 'by-the-rfc', workers, inBrowser: [] });
  console.log(matrixText(matrix));
  expect(problemsOf(matrix)).toEqual([]);
  expect(matrix.rows).toHaveLength(DEFECT_FACTS.length);
});

test('a defect of second order is found exactly, in part, with others, or not, and what is blocked is told apart', () => {
  const [facts] = SECOND_ORDER_FACTS;
  if (facts === undefined) throw new Error('there are no defects of second order');
  const own = { ...facts, breaks: ['list.fresh', 'list.safe'] as const };
  const said = 'expected one; got two';
  const finding = (...results: readonly RowOutcome['result'][]) => {
    const ids = ['list.fresh', 'list.safe', 'version.prefix'] as const;
    const outcomes = ids.map((id, index) => ({ id, result: results[index] ?? 'pass', reason: said }));
    return findingOf(evaluateRun(own, { defect: facts.id, outcomes, alone: [], durationMs: 1 }));
  };
  expect(finding('fail', 'warning').finding).toBe('exact');
  expect(finding('fail', 'pass').finding).toBe('part');
  expect(finding('fail', 'fail', 'fail')).toMatchObject({ finding: 'others', others: ['version.prefix'] });
  expect(finding('pass', 'pass', 'warning').finding).toBe('others');
  expect(finding('pass', 'pass', 'pass').finding).toBe('none');
  expect(finding('pass', 'blocked', 'blocked')).toMatchObject({
    finding: 'blocked',
    unevaluated: ['version.prefix', 'list.safe'],
  });
});

test('every weakening that is to prove the matrix still fits the check that it weakens', () => {
  for (const { file, apply } of WEAKENINGS) {
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    expect(apply(source)).not.toBe(source);
  }
});

test.describe('what a row proves', () => {
  const outcome = (
    id: RowOutcome['id'],
    result: RowOutcome['result'],
    more: Partial<RowOutcome> = {},
  ): RowOutcome => ({
    id,
    result,
    reason: '',
    ...more,
  });
  const REASON = 'expected a refusal; got status 200';
  const FAILED = outcome('exchange.code-single-use', 'fail', { reason: REASON });

  test('a check that fails as it should is a kill', () => {
    const verdict = evaluateRow([FAILED, outcome('version.prefix', 'pass')], ['exchange.code-single-use']);
    expect(verdict.killed).toEqual([{ id: FAILED.id, result: 'fail', reason: FAILED.reason }]);
    expect([...verdict.misses, ...verdict.extras, ...verdict.errors]).toEqual([]);
  });

  test('a check that passes, or is blocked, although its requirement is broken is a miss', () => {
    for (const result of ['pass', 'blocked', 'not-applicable'] as const) {
      const verdict = evaluateRow([outcome('version.prefix', result)], ['version.prefix']);
      expect(verdict.misses).toEqual([{ id: 'version.prefix', actual: result }]);
      expect(verdict.killed).toEqual([]);
    }
    expect(evaluateRow([], ['version.prefix']).misses).toHaveLength(1);
  });

  test('a check that fails without its requirement being broken is an extra', () => {
    const verdict = evaluateRow(
      [FAILED, outcome('list.safe', 'warning', { reason: REASON })],
      ['exchange.code-single-use'],
    );
    expect(verdict.extras).toEqual([{ id: 'list.safe', actual: `warning: ${REASON}` }]);
  });

  test('a blocked check must lead to a broken requirement, through others if need be', () => {
    const blocked = (id: RowOutcome['id'], blockedBy: RowOutcome['id']) =>
      outcome(id, 'blocked', { blockedBy });
    const verdict = evaluateRow(
      [
        FAILED,
        blocked('refresh.chain', 'refresh.token-response'),
        blocked('refresh.token-response', 'exchange.code-single-use'),
        blocked('list.safe', 'list.fresh'),
        outcome('list.fresh', 'pass'),
        blocked('assign.idempotent', 'unassign.idempotent'),
        blocked('unassign.idempotent', 'assign.idempotent'),
      ],
      ['exchange.code-single-use'],
    );
    expect(verdict.blocked.map(({ id }) => id)).toEqual(['refresh.chain', 'refresh.token-response']);
    expect(verdict.extras.map(({ id }) => id)).toEqual([
      'list.safe',
      'assign.idempotent',
      'unassign.idempotent',
    ]);
  });

  test('a check that did not run, or did not work, is an error, never a kill', () => {
    const late = outcome('version.prefix', 'not-run', { reason: 'late' });
    const faulty = outcome('list.safe', 'fail', { broken: 'TypeError: x\n  at y' });
    const verdict = evaluateRow([late, faulty], ['version.prefix', 'list.safe']);
    expect(verdict.errors).toEqual([
      { id: 'version.prefix', actual: 'not-run: late' },
      { id: 'list.safe', actual: 'fail: TypeError: x' },
    ]);
    expect(verdict.killed).toEqual([]);
  });

  test('a failure that no matcher has worded is an error', () => {
    const timedOut = outcome('version.prefix', 'fail', { reason: 'timeout of 10000 ms' });
    const verdict = evaluateRow([timedOut], ['version.prefix']);
    expect([verdict.killed, verdict.errors.map(({ id }) => id)]).toEqual([[], ['version.prefix']]);
  });

  test('what does not pass on the base profile proves nothing, unless the defect breaks it', () => {
    const warned = outcome('list.safe', 'warning', { reason: REASON });
    expect(evaluateRow([warned], [], new Set(['list.safe'])).extras).toEqual([]);
    expect(evaluateRow([warned], ['list.safe'], new Set(['list.safe'])).killed).toHaveLength(1);
  });

  test('a check that finds it only among others, or only without a browser, is a problem', () => {
    const [facts] = DEFECT_FACTS;
    if (facts === undefined) throw new Error('there are no defects');
    const own = { ...facts, breaks: [FAILED.id] };
    const run = { defect: facts.id, outcomes: [FAILED], alone: [FAILED], durationMs: 1 };
    expect(evaluateRun(own, { ...run, inBrowser: [FAILED] }).problems).toEqual([]);
    expect(evaluateRun(own, { ...run, inBrowser: [{ ...FAILED, result: 'pass' }] }).problems).toEqual([
      expect.stringContaining('in the browser exchange.code-single-use came out as pass'),
    ]);
    expect(evaluateRun(own, { ...run, alone: [{ ...FAILED, result: 'not-run' }] }).problems).toEqual([
      expect.stringContaining('by itself exchange.code-single-use came out as not-run'),
    ]);
    expect(evaluateRun(own, { ...run, outcomes: [], failure: 'the worker ended\nat x' }).problems).toEqual([
      'it could not be run: the worker ended',
    ]);
  });
});
