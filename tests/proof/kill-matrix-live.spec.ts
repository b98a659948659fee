/** The kill matrix where the emulator is a live target: what a gate hides is listed with a reason, and nothing else. */
import { expect, test } from '@playwright/test';
import { DEFECT_FACTS } from './defects/index.ts';
import { problemsOf, runMatrix } from './kill-matrix/matrix.ts';
import type { RowOutcome } from './kill-matrix/run-checks.ts';
import { evaluateLiveRun, strangersListed } from './kill-matrix/verdict.ts';

/** Of the listed ones, each way in which a gate hides; all: `npm run kill-matrix -- --live`. */
const IN_TEST = [
  'version-next-only',
  'list-removed-user-returns',
  'assign-creates-user',
  'exchange-code-reusable',
];

test('a defect comes out on a live target as listed', async () => {
  test.setTimeout(600_000);
  const facts = DEFECT_FACTS.filter(({ id }) => IN_TEST.includes(id));
  expect(facts).toHaveLength(IN_TEST.length);
  const matrix = await runMatrix(facts, { profile: 'by-the-rfc', workers: 1, inBrowser: [], live: true });
  expect(problemsOf(matrix)).toEqual([]);
  expect(matrix.rows).toHaveLength(IN_TEST.length);
});

test('the list of what is hidden names defects that there are', () => {
  expect(strangersListed(DEFECT_FACTS.map(({ id }) => id))).toEqual([]);
});

test.describe('a row on a live target', () => {
  const [facts] = DEFECT_FACTS;
  if (facts === undefined) throw new Error('there are no defects');
  const own = { ...facts, breaks: ['list.safe', 'list.fresh'] as const };
  const outcome = (id: RowOutcome['id'], result: RowOutcome['result']): RowOutcome => ({
    id,
    result,
    reason: result === 'pass' ? '' : 'expected this; got that',
  });
  const run = (...outcomes: RowOutcome[]) => ({ defect: facts.id, outcomes, alone: [], durationMs: 1 });
  const problems = (listed: Parameters<typeof evaluateLiveRun>[3], row: ReturnType<typeof run>) =>
    evaluateLiveRun(own, row, new Set(), listed).problems;
  const both = run(outcome('list.safe', 'fail'), outcome('list.fresh', 'fail'));
  const one = run(outcome('list.safe', 'fail'), outcome('list.fresh', 'pass'));

  test('that is not listed must be as elsewhere', () => {
    expect(problems({}, both)).toEqual([]);
    expect(problems({}, one)).toEqual([expect.stringContaining('missed: list.fresh')]);
  });

  test('may hide what is listed, and must then hide it', () => {
    const list = { [facts.id]: { reason: 'x', hidden: ['list.fresh'], instead: [] } } as const;
    expect(problems(list, one)).toEqual([]);
    expect(problems(list, both)).toEqual([expect.stringContaining('extra: list.fresh')]);
  });

  test('that is listed to stop the run must stop it, and say why', () => {
    const list = { [facts.id]: { reason: 'x', stopsTheRun: true } } as const;
    const nothing = run(outcome('list.safe', 'not-run'));
    const troubles = [{ kind: 'inconclusive', message: 'the walk is refused' }] as const;
    expect(problems(list, { ...nothing, troubles } as typeof nothing)).toEqual([]);
    expect(problems(list, nothing)).toEqual(['hidden, and the run says nothing of it']);
    expect(problems(list, { ...both, troubles } as typeof both)[0]).toContain('no longer hidden: list.safe');
  });
});
