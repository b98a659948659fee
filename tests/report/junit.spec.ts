import { expect, test } from '@playwright/test';
import { type HTMLElement, parse } from 'node-html-parser';
import { renderJUnit } from '../../src/report/junit.ts';
import type { RequirementResult, Results } from '../../src/report/results.ts';
import { junitProblems } from '../support/package/junit-schema.ts';
import { aCatalogueOf, anExchange, aResult, aRun } from '../support/results-builder.ts';

function junit(results: Results): { text: string; root: HTMLElement } {
  const text = renderJUnit(results, aCatalogueOf(results));
  const root = parse(text, { lowerCaseTagName: false }).querySelector('testsuites');
  if (root === null) throw new Error(`expected <testsuites>, came: ${text.slice(0, 200)}`);
  return { text, root };
}

/** The outcome that a build server reads off the test case of a requirement. */
function outcomeOf(results: Results, id: string): string {
  const found = junit(results)
    .root.querySelectorAll('testcase')
    .find((testcase) => testcase.getAttribute('name') === id);
  if (found === undefined) throw new Error(`expected a test case ${id}`);
  const marks = ['failure', 'error', 'skipped'].filter((mark) => found.querySelector(mark) !== null);
  return marks.length === 0 ? 'passed' : marks.join('+');
}

const outcomes: readonly [RequirementResult['result'], string, string][] = [
  ['pass', 'passed', 'passed'],
  ['fail', 'failure', 'failure'],
  ['warning', 'skipped', 'failure'],
  ['known-deviation', 'skipped', 'skipped'],
  ['not-applicable', 'skipped', 'skipped'],
  ['blocked', 'error', 'error'],
  ['not-run', 'error', 'error'],
];

for (const [kind, plain, strict] of outcomes)
  test(`${kind} is ${plain}, under strict ${strict}`, () => {
    const results = [aResult('a.a', kind)];
    expect(outcomeOf(aRun(results), 'a.a')).toBe(plain);
    expect(outcomeOf(aRun(results, { strict: true }), 'a.a')).toBe(strict);
  });

test('one suite per clause, and counts that fit its test cases', () => {
  const { root } = junit(
    aRun([
      aResult('a.a', 'pass', { clause: '4.1' }),
      aResult('a.b', 'fail', { clause: '4.1' }),
      aResult('a.c', 'not-run', { clause: '4.2' }),
      aResult('a.d', 'not-applicable', { clause: '4.2', missing: ['clock'] }),
    ]),
  );
  const counts = (suite: HTMLElement) =>
    ['tests', 'failures', 'errors', 'skipped'].map((name) => Number(suite.getAttribute(name)));
  expect(['tests', 'failures', 'errors'].map((name) => Number(root.getAttribute(name)))).toEqual([4, 1, 1]);
  const suites = root.querySelectorAll('testsuite');
  expect(suites.map((suite) => suite.getAttribute('name'))).toEqual([
    'clause 4.1: title of 4.1',
    'clause 4.2: title of 4.2',
  ]);
  expect(suites.map(counts)).toEqual([
    [2, 1, 0, 0],
    [2, 0, 1, 1],
  ]);
});

test('a test case says id, level, result and clause, and a failure shows its decisive exchange', () => {
  const { root } = junit(
    aRun([
      aResult('a.a', 'fail', {
        reason: 'expected a refusal, got 200',
        evidence: [anExchange({ purpose: 'first' }), anExchange({ order: 2, purpose: 'second' })],
      }),
    ]),
  );
  const testcase = root.querySelector('testcase');
  expect(['name', 'group', 'classname'].map((name) => testcase?.getAttribute(name))).toEqual([
    'a.a',
    'documented',
    'clause 4.2',
  ]);
  expect(testcase?.querySelector('system-out')?.text).toContain('result: fail');
  const failure = root.querySelector('failure');
  expect(failure?.getAttribute('message')).toBe('expected a refusal, got 200');
  expect(failure?.text).toContain('second');
  expect(failure?.text).not.toContain('first');
  expect(failure?.text).toContain('> POST http://127.0.0.1:4010/oauth/token');
});

test('a warning that does not break the build still says what it is', () => {
  const { root } = junit(aRun([aResult('a.a', 'warning', { reason: 'no Cache-Control' })]));
  expect(root.querySelector('skipped')?.getAttribute('message')).toBe('warning: no Cache-Control');
  expect(root.querySelector('system-out')?.text).toContain('no Cache-Control');
});

const troubled: readonly [string, Results][] = [
  ['a run that evaluated nothing', aRun([aResult('a.a', 'not-applicable', { missing: ['clock'] })])],
  ['a run of nothing', aRun([])],
  ['a target that is down', aRun([], { troubles: [{ kind: 'inconclusive', message: 'no answer' }] })],
  ['a suite that broke', aRun([aResult('a.a')], { troubles: [{ kind: 'broken', message: 'a bug' }] })],
  [
    'a stale known deviation',
    aRun([aResult('a.a')], {
      findings: [{ kind: 'stale-deviation', requirement: 'a.a', message: 'it passed' }],
    }),
  ],
  ['a block that nothing explains', aRun([aResult('a.a'), aResult('a.b', 'blocked', { blockedBy: 'a.a' })])],
];

for (const [what, results] of troubled)
  test(`${what} is red`, () => {
    const { root } = junit(results);
    expect(root.querySelectorAll('failure, error').length).toBeGreaterThan(0);
    expect(Number(root.getAttribute('failures')) + Number(root.getAttribute('errors'))).toBeGreaterThan(0);
  });

test('a run that conforms has no suite beside its clauses', () => {
  expect(junit(aRun([aResult('a.a')])).root.querySelectorAll('failure, error, [name=run]')).toEqual([]);
});

test('whatever a target answers, the file stays well-formed XML', async ({ page }) => {
  const nasty = 'a]]>b<c d="e" \'f\' &amp;\u0000\u001b[31m\ud800 \uffff\r\nnext\tend';
  const { text } = junit(
    aRun([
      aResult('a.a', 'fail', { reason: nasty, signature: nasty, evidence: [anExchange({ purpose: nasty })] }),
    ]),
  );
  const read = await page.evaluate((xml) => {
    const document = new DOMParser().parseFromString(xml, 'application/xml');
    return {
      error: document.querySelector('parsererror')?.textContent ?? '',
      message: document.querySelector('failure')?.getAttribute('message'),
    };
  }, text);
  expect(read.error).toBe('');
  expect(read.message).toBe('a]]>b<c d="e" \'f\' &amp;\\u0000\\u001b[31m\\ud800 \\uffff\r\nnext\tend');
});

/** The part of the schema of Jenkins' xUnit plugin (JUnit 10) that a report of the suite uses. */
const ALLOWED: Readonly<Record<string, { attributes: readonly string[]; children: readonly string[] }>> = {
  testsuites: { attributes: ['name', 'time', 'tests', 'failures', 'errors'], children: ['testsuite'] },
  testsuite: {
    attributes: ['name', 'tests', 'failures', 'errors', 'time', 'skipped', 'timestamp'],
    children: ['testcase', 'properties'],
  },
  testcase: {
    attributes: ['name', 'time', 'classname', 'group'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  properties: { attributes: [], children: ['property'] },
  property: { attributes: ['name', 'value'], children: [] },
  failure: { attributes: ['type', 'message'], children: [] },
  error: { attributes: ['type', 'message'], children: [] },
  skipped: { attributes: ['type', 'message'], children: [] },
  'system-out': { attributes: [], children: [] },
};

test('elements and attributes are those of the schema that Jenkins publishes', () => {
  const { root } = junit(
    aRun(
      [
        ...outcomes.map(([kind], index) =>
          aResult(`a.${index}`, kind, {
            evidence: [anExchange({ purpose: 'sent' })],
            signature: 'status 200',
          }),
        ),
        aResult('b.a', 'blocked', { blockedBy: 'a.1' }),
      ],
      { troubles: [{ kind: 'broken', message: 'a bug' }] },
    ),
  );
  for (const found of [root, ...root.querySelectorAll('*')]) {
    const allowed = ALLOWED[found.rawTagName];
    expect(allowed, found.rawTagName).toBeDefined();
    for (const name of Object.keys(found.attributes)) expect(allowed?.attributes).toContain(name);
    for (const child of found.children) expect(allowed?.children).toContain(child.rawTagName);
  }
});

test('strict readers take it, whatever is in it', () => {
  const kinds = outcomes.map(([kind], index) => aResult(`a.${index}`, kind, { evidence: [anExchange({})] }));
  for (const results of [aRun(kinds), aRun(kinds, { strict: true })])
    expect(junitProblems(renderJUnit(results, aCatalogueOf(results)))).toEqual([]);
  const wrong =
    '<testsuites skipped="1"><testsuite name="a"><testcase><properties/></testcase></testsuite></testsuites>';
  expect(junitProblems(wrong)).toEqual([
    'testsuites with skipped',
    'testsuite without tests',
    'testsuite without failures',
    'testsuite without errors',
    'testcase without name',
    'properties in testcase',
  ]);
});

test('four troubles of one kind are four cases, each with a name of its own', () => {
  const troubles = ['a', 'b', 'c', 'd'].map((message) => ({ kind: 'inconclusive', message }) as const);
  const { text, root } = junit(aRun([aResult('a.a', 'not-run')], { troubles }));
  const names = root.querySelectorAll('testcase').map((one) => one.getAttribute('name'));
  expect(names.slice(0, 4)).toEqual([
    'inconclusive',
    'inconclusive (2)',
    'inconclusive (3)',
    'inconclusive (4)',
  ]);
  expect(new Set(names).size).toBe(names.length);
  expect(junitProblems(text)).toEqual([]);
});
