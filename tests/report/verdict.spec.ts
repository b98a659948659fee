import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { RequirementResult, ResultKind, RunFinding, RunTrouble } from '../../src/report/results.ts';
import {
  conclude,
  type EvaluatedRun,
  EXIT,
  missingRequiredAbilities,
  verdictOf,
} from '../../src/report/verdict.ts';
import { aResult, aRun } from '../support/results-builder.ts';

const broken: RunTrouble = { kind: 'broken', message: 'a user could not be unassigned' };
const down: RunTrouble = { kind: 'inconclusive', message: 'the target does not answer' };
const stale: RunFinding = {
  kind: 'stale-deviation',
  requirement: 'a.a',
  message: 'a.a is listed, and it passed',
};

const pass = aResult('p.p');
const fail = aResult('f.f', 'fail');
const warning = aResult('w.w', 'warning', { level: 'standard' });
const known = aResult('k.k', 'known-deviation');
const notApplicable = aResult('n.n', 'not-applicable', { missing: ['clock'] });
const notRun = aResult('r.r', 'not-run');
const blockedBy = (blockedBy: string, id = 'b.b') => aResult(id, 'blocked', { blockedBy });

type Row = readonly [cause: string, exit: number, readonly RequirementResult[], Partial<EvaluatedRun>?];

function exits(rows: readonly Row[]): void {
  for (const [cause, exit, requirements, parts] of rows)
    test(`${cause}: exit ${exit}`, () => {
      const run = { requirements, troubles: [], findings: [], strict: false, ...parts };
      expect(verdictOf(run).exitCode).toBe(exit);
    });
}

test.describe('one cause alone', () => {
  exits([
    ['everything passed', 0, [pass]],
    ['a known deviation conforms', 0, [known]],
    ['a warning conforms', 0, [pass, warning]],
    ['what is not applicable is neutral', 0, [pass, notApplicable]],
    ['a documented requirement failed', 1, [pass, fail]],
    ['a warning under strict', 1, [pass, warning], { strict: true }],
    ['a known deviation under strict still conforms', 0, [pass, known], { strict: true }],
    ['a known deviation is stale', 1, [pass], { findings: [stale] }],
    ['nothing was selected', 3, []],
    ['everything is not applicable', 3, [notApplicable]],
    ['something did not run', 3, [pass, notRun]],
    ['the target is down', 3, [pass], { troubles: [down] }],
    ['a required ability is missing', 3, [pass], { troubles: missingRequiredAbilities(['clock'], []) }],
    ['the suite broke', 4, [pass], { troubles: [broken] }],
  ]);
});

test.describe('several causes: 4, 2, 1, 3, 0', () => {
  exits([
    ['broken over a target that went down', 4, [], { troubles: [down, broken] }],
    ['broken over a failure', 4, [fail], { troubles: [broken] }],
    ['a failure over what did not run', 1, [fail, notRun]],
    ['a failure over a target that went down', 1, [fail], { troubles: [down] }],
    ['a stale deviation over what did not run', 1, [pass, notRun], { findings: [stale] }],
    ['a stale deviation where nothing was evaluated', 1, [notApplicable], { findings: [stale] }],
    ['what did not run over passes', 3, [pass, pass, notRun]],
  ]);
});

test.describe('blocked', () => {
  exits([
    ['behind a failure leaves 1', 1, [fail, blockedBy('f.f')]],
    ['documented, behind a warning: nobody has evaluated it', 3, [pass, warning, blockedBy('w.w')]],
    [
      'standard, behind a warning: it would warn itself',
      0,
      [pass, warning, aResult('b.b', 'blocked', { blockedBy: 'w.w', level: 'standard' })],
    ],
    ['behind a known deviation has no effect', 0, [pass, known, blockedBy('k.k')]],
    ['behind what did not run', 3, [pass, notRun, blockedBy('r.r')]],
    ['behind what passed', 3, [pass, blockedBy('p.p')]],
    ['behind what is not applicable', 3, [pass, notApplicable, blockedBy('n.n')]],
    ['behind a requirement that was not selected', 3, [pass, blockedBy('x.x')]],
    ['behind nobody', 3, [pass, aResult('b.b', 'blocked')]],
    ['behind a blocked one behind a known deviation', 0, [known, blockedBy('k.k'), blockedBy('b.b', 'c.c')]],
    [
      'behind a blocked one behind what did not run',
      3,
      [pass, notRun, blockedBy('r.r'), blockedBy('b.b', 'c.c')],
    ],
    ['in a circle', 3, [pass, blockedBy('c.c', 'b.b'), blockedBy('b.b', 'c.c')]],
    ['by itself', 3, [pass, blockedBy('b.b', 'b.b')]],
  ]);
});

test.describe('what the verdict says for itself', () => {
  test('names what failed, and how many more than it names', () => {
    const seven = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((slug) => aResult(`x.${slug}`, 'fail'));
    const { verdict, because } = verdictOf(aRun(seven));
    expect(verdict).toBe('violates');
    expect(because).toEqual(['7 requirements failed: x.a, x.b, x.c, x.d, x.e and 2 more']);
  });

  test('speaks of the causes of its own exit code alone', () => {
    expect(verdictOf(aRun([fail], { troubles: [down] })).because).toEqual(['1 requirement failed: f.f']);
  });

  test('a missing ability is named beside those that are there', () => {
    expect(missingRequiredAbilities(['clock', 'second-project'], ['second-project'])).toEqual([
      { kind: 'inconclusive', message: expect.stringMatching(/clock is required.*second-project/) },
    ]);
  });
});

test('other verbs come to the same codes by their own findings', () => {
  const quiet = { troubles: [], violations: [], gaps: [], evaluatedCount: 3 };
  expect(conclude(quiet).exitCode).toBe(EXIT.conforms);
  expect(conclude({ ...quiet, violations: ['a contract does not verify'] }).exitCode).toBe(EXIT.violates);
  expect(conclude({ ...quiet, gaps: ['a contract was not verified'] }).exitCode).toBe(EXIT.inconclusive);
  expect(conclude({ ...quiet, evaluatedCount: 0 }).exitCode).toBe(EXIT.inconclusive);
});

test.describe('every run', () => {
  const kinds: readonly ResultKind[] = [
    'pass',
    'fail',
    'warning',
    'known-deviation',
    'not-applicable',
    'blocked',
    'not-run',
  ];
  const runs = fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(9)), { maxLength: 10 }),
      fc.subarray([broken, down]),
      fc.subarray([stale]),
      fc.boolean(),
    )
    .map(([results, troubles, findings, strict]) => ({
      requirements: results.map(([result, behind], index) =>
        aResult(`x.${index}`, result, result === 'blocked' ? { blockedBy: `x.${behind}` } : {}),
      ),
      troubles,
      findings,
      strict,
    }));

  test('a run that conforms has evaluated something and left nothing that should have run', () => {
    fc.assert(
      fc.property(runs, (run) => {
        if (verdictOf(run).exitCode !== 0) return;
        const results = run.requirements.map(({ result }) => result);
        expect(results.some((r) => r === 'pass' || r === 'warning' || r === 'known-deviation')).toBe(true);
        expect(results).not.toContain('fail');
        expect(results).not.toContain('not-run');
        if (run.strict) expect(results).not.toContain('warning');
        expect([...run.troubles, ...run.findings]).toEqual([]);
      }),
    );
  });

  test('one more failure never makes a run look better', () => {
    fc.assert(
      fc.property(runs, (run) => {
        const worse = verdictOf({ ...run, requirements: [...run.requirements, fail] }).exitCode;
        expect([EXIT.violates, EXIT.broken]).toContain(worse);
      }),
    );
  });

  test('every verdict but "conforms" gives a reason', () => {
    fc.assert(
      fc.property(runs, (run) => {
        const { verdict, because } = verdictOf(run);
        expect(because.length > 0).toBe(verdict !== 'conforms');
      }),
    );
  });
});
