import { expect, test } from '@playwright/test';
import { linesListing, styleFor } from '../../src/report/listing.ts';
import type { Results } from '../../src/report/results.ts';
import { factsOf } from '../../src/report/results-listing.ts';
import { renderConsole, renderMarkdownSummary } from '../support/render-results.ts';
import { aCatalogueOf, anExchange, aResult, aRun, aTarget } from '../support/results-builder.ts';

const ESCAPE = '\u001b';

function plain(results: Results, reportPath?: string): string {
  const options = { style: 'plain', verbose: true, ...(reportPath && { reportPath }) } as const;
  return renderConsole(results, aCatalogueOf(results), options);
}

test('what decides nothing is for a verbose run, and folded in the summary', () => {
  const results = aRun([aResult('a.pass')], { leftBehind: ['the grant of the application'] });
  const brief = renderConsole(results, aCatalogueOf(results), { style: 'plain' });
  expect(brief).not.toContain('left at the target');
  expect(brief).toContain('the service behaves as documented, as far as this run evaluated it');
  const summary = renderMarkdownSummary(results);
  expect(summary).toMatch(/<details><summary>About this run<\/summary>[\s\S]*left at the target/);
});

function mixed(): Results {
  return aRun([
    aResult('a.pass', 'pass', { clause: '4.1' }),
    aResult('a.clock', 'not-applicable', { clause: '4.1', missing: ['clock'] }),
    aResult('a.fail', 'fail', {
      reason: 'expected a refusal, got 200',
      evidence: [
        anExchange({ purpose: 'exchange the code' }),
        anExchange({ order: 2, purpose: 'exchange it again' }),
      ],
    }),
    aResult('a.behind', 'blocked', { blockedBy: 'a.fail' }),
    aResult('a.far-behind', 'blocked', { blockedBy: 'a.behind' }),
    aResult('a.warning', 'warning', { level: 'standard', reason: 'no Cache-Control' }),
  ]);
}

test('the table gives each clause its own honest totals', () => {
  const lines = plain(mixed()).split('\n');
  expect(lines.find((line) => line.startsWith('4.1'))).toMatch(
    /title of 4\.1 +1 of 1 passed, 1 not applicable \(needs clock\)$/,
  );
  expect(lines.find((line) => line.startsWith('4.2'))).toMatch(
    /0 of 2 passed, 1 failed, 1 warning, 2 blocked$/,
  );
});

test('a failure comes with its reason and its decisive exchange', () => {
  const text = plain(mixed());
  expect(text).toContain('FAIL a.fail (clause 4.2, documented)\n  | expected a refusal, got 200');
  expect(text).toContain('# exchange it again');
  expect(text).not.toContain('# exchange the code');
  expect(text).toContain('> POST http://127.0.0.1:4010/oauth/token');
  expect(text).toContain('< 200');
});

test('a failure that a sequence shows again each time has the shortest of those; another one has its rate', () => {
  const found = (story: readonly string[], shown: number) => ({
    requirement: 'a.fail',
    counts: false,
    expected: 'a refusal',
    got: 'status 200',
    story,
    steps: [],
    rate: { broken: 1, examples: 2 },
    afterRequests: 9,
    again: { shown, of: 3 },
  });
  const findings = [
    found(['authorize → code 1', 'wait 5 s', 'exchange code 1 → pair 1'], 3),
    found(['authorize → code 1', 'exchange code 1 → pair 1'], 3),
    found(['exchange code 1 → pair 1'], 1),
  ];
  const { requirements } = mixed();
  const results = aRun(requirements, { exploration: { seed: 1, requests: 20, steps: 3, findings } });
  expect(plain(results)).toContain('shown again by authorize → code 1; exchange code 1 → pair 1\n');
  expect(plain(results)).not.toContain('wait 5 s');
  const rare = { seed: 1, requests: 20, steps: 3, findings: [found(['exchange code 1 → pair 1'], 1)] };
  expect(plain(aRun(requirements, { exploration: rare }))).toContain(
    'exploring saw it in 1 of 2 examples of the run\n',
  );
});

test('the verdict and what to do stand above the findings, and the verdict once more at the end', () => {
  const text = plain(mixed(), 'report/index.html');
  const places = [
    '\nviolates (exit 1): ',
    'FAIL a.fail',
    'explain a.fail',
    '\nviolates (exit 1)\nreport: report/index.html\n',
  ];
  const found = places.map((place) => text.indexOf(place));
  expect(found.toSorted((a, b) => a - b)).toEqual(found);
  expect(found).not.toContain(-1);
  expect(text.endsWith(places.at(-1) ?? '')).toBe(true);
});

test("the emulator's warnings are said to be its profile's, and no others", () => {
  const line =
    /the warnings are expected: the emulator's profile doorkeeper-5 imitates Doorkeeper 5, which departs/;
  const warned = [aResult('a.warning', 'warning', { level: 'standard', reason: 'no Cache-Control' })];
  const expectedWarnings = ['a.warning', 'another.one'];
  const on = (target: Partial<Results['target']>) =>
    plain(aRun(warned, { target: aTarget({ expectedWarnings, ...target }) }));
  expect(on({ profile: 'doorkeeper-5', expectedWarnings: ['another.one'] })).not.toMatch(line);
  expect(on({ profile: 'doorkeeper-5' })).toMatch(line);
  expect(on({ profile: 'doorkeeper-5', defects: ['a-defect'] })).not.toMatch(line);
  expect(on({ kind: 'live', profile: 'doorkeeper-5' })).not.toMatch(line);
  const strict = aRun(warned, {
    target: aTarget({ profile: 'doorkeeper-5', expectedWarnings }),
    strict: true,
  });
  expect(plain(strict)).not.toMatch(line);
  expect(
    plain(aRun([aResult('a.pass', 'pass')], { target: aTarget({ profile: 'doorkeeper-5' }) })),
  ).not.toMatch(line);
});

test('says how many requests stand behind the passes', () => {
  const passes = ['a.a', 'a.b', 'a.c'].map((id, index) =>
    aResult(id, 'pass', index === 0 ? {} : { examples: { seen: 5_062, broken: 0 } }),
  );
  expect(plain(aRun(passes))).toContain(
    '2 of 3 passed requirements also held in the requests of other checks, 10,124 times',
  );
});

test('what is blocked is told once, behind what really broke', () => {
  expect(plain(mixed())).toContain('BLOCKED 2 not evaluated because of a.fail\n  a.behind, a.far-behind');
});

test('a long list of what is blocked names the first, and where the others are', () => {
  const behind = Array.from({ length: 20 }, (_, index) =>
    aResult(`a.behind-${index}`, 'blocked', { blockedBy: 'a.fail' }),
  );
  const text = plain(aRun([aResult('a.fail', 'fail'), ...behind]));
  expect(text).toContain('BLOCKED 20 not evaluated because of a.fail\n  a.behind-0, a.behind-1, ');
  expect(text).toContain(', a.behind-11 and 8 more, listed in results.json\n');
});

const verdicts: readonly [string, Results][] = [
  ['conforms (exit 0): 1 of 1 passed', aRun([aResult('a.a')])],
  ['conforms (partial) (exit 0): 1 of 1 passed', aRun([aResult('a.a')], { selection: 'partial' })],
  ['violates (exit 1): 0 of 1 passed, 1 failed', aRun([aResult('a.a', 'fail')])],
  ['inconclusive (exit 3): none evaluated, 1 not run', aRun([aResult('a.a', 'not-run')])],
  ['inconclusive (exit 3): none selected', aRun([])],
  [
    'broken (exit 4): 1 of 1 passed',
    aRun([aResult('a.a')], { troubles: [{ kind: 'broken', message: 'a user could not be put back' }] }),
  ],
];

for (const [line, results] of verdicts)
  test(line, () => {
    expect(plain(results)).toContain(`\n${line}, in 8.4 s\n`);
    expect(renderMarkdownSummary(results).replaceAll('\\', '')).toContain(line.split(' (exit')[0] ?? '?');
  });

test('the end says where the report lies and what was left at the target', () => {
  const text = plain(
    aRun([aResult('a.a')], { leftBehind: ['the grant of the application'] }),
    'out/index.html',
  );
  expect(text).toMatch(/left at the target: the grant of the application\nreport: out\/index\.html\n$/);
});

test('an emulator’s defects are named before anything fails because of them', () => {
  const results = aRun([aResult('a.a', 'fail')], { target: aTarget({ defects: ['code-reusable'] }) });
  for (const text of [plain(results), renderMarkdownSummary(results)]) {
    expect(text).toContain('code-reusable');
    expect(text.indexOf('code-reusable')).toBeLessThan(text.indexOf('a.a'));
  }
});

test('troubles show even where the verdict has another cause', () => {
  const results = aRun([aResult('a.a', 'fail')], {
    troubles: [{ kind: 'inconclusive', message: 'the target stopped answering' }],
    findings: [{ kind: 'expired-deviation', requirement: 'a.b', message: 'past its date since 2026-01-31' }],
  });
  for (const text of [plain(results), renderMarkdownSummary(results)]) {
    expect(text).toContain('the target stopped answering');
    expect(text).toMatch(/expired known deviation/i);
  }
});

test('a trouble of several lines keeps them: told once as the reason, else below it', () => {
  const reason = 'a lock is held\nfree: remove it';
  const cause = 'not-ready';
  const troubles = [{ kind: 'inconclusive' as const, cause, message: reason } as const];
  const stopped = plain(aRun([aResult('a.a', 'not-run', { reason, cause })], { troubles }));
  expect(stopped).toContain('because a lock is held; 1 requirement not run\n  free: remove it\n');
  expect(stopped.split('a lock is held')).toHaveLength(2);
  const violated = plain(aRun([aResult('a.a', 'fail')], { troubles }));
  expect(violated).toContain('INCONCLUSIVE a lock is held\n  free: remove it\n');
  expect(linesListing('sweep', { exitCode: 3, because: [reason] }).remarks).toEqual(reason.split('\n'));
});

test('colour for a terminal, none for anybody else', () => {
  const results = mixed();
  const view = aCatalogueOf(results);
  expect(renderConsole(results, view, { style: 'colour' })).toContain(ESCAPE);
  expect(renderConsole(results, view, { style: 'plain' })).not.toContain(ESCAPE);
  expect(styleFor({}, true)).toBe('colour');
  expect(styleFor({}, false)).toBe('plain');
  expect(styleFor({ NO_COLOR: '1' }, true)).toBe('plain');
  expect(styleFor({ CI: 'true' }, true)).toBe('plain');
  expect(styleFor({ NO_COLOR: '', CI: '' }, true)).toBe('colour');
});

test('an answer stays text in the summary', () => {
  const nasty = 'a | b <img src=x> [link](http://x) `code` @somebody\nnext';
  const results = aRun([aResult('a.a', 'fail', { reason: nasty })]);
  expect(renderMarkdownSummary(results)).toContain(
    '- **fail** `a.a` (clause 4.2, documented)\n  - a \\| b &lt;img src=x&gt; \\[link\\]\\(http://x\\) \\`code\\` &#64;somebody next\n',
  );
});

test('the summary has a table of clauses and stays small however much failed', () => {
  const results = aRun(
    Array.from({ length: 500 }, (_, i) => aResult(`a.r${i}`, 'fail', { reason: 'x'.repeat(9_000) })),
  );
  const text = renderMarkdownSummary(results, aCatalogueOf(results));
  expect(text).toContain('| 4.2 | title of 4.2 | 0 of 500 passed, 500 failed |');
  expect(text).toContain('440 more are in the report');
  expect(Buffer.byteLength(text)).toBeLessThan(100_000);
});

test('what a service says about its end is told, with its dates, and what the run used', () => {
  const origin = 'https://auth.example';
  const results = aRun([aResult('a.pass')], {
    retirement: {
      retired: false,
      notices: [
        { kind: 'deprecation', origin, value: '@1767225600', date: '2026-01-01' },
        { kind: 'sunset', origin, value: `soon${ESCAPE}[2J` },
      ],
    },
    used: { requests: 120, browserRequests: 20, refusedAuthentications: 4 },
  });
  const said = `deprecated since 2026-01-01 (${origin}), sunset "soon\\u001b[2J" (${origin})`;
  expect(plain(results)).toContain(`  retirement: ${said}\n`);
  expect(plain(results)).toContain(
    'used 120 requests, 20 of them by the browser; 4 refusals of client credentials',
  );
  expect(renderMarkdownSummary(results)).toContain('- retirement: deprecated since 2026-01-01');
  expect(results.verdict).toBe('conforms');
});

test('in brief: the verdict with its reasons, and nothing of what stands behind', () => {
  const results = mixed();
  const text = renderConsole(results, aCatalogueOf(results), { style: 'plain', brief: true });
  expect(text).toMatch(/^violates \(exit 1\): .*\n[\s\S]* because 1 requirement failed: a\.fail\n/);
  expect(text).not.toContain('FAIL');
  expect(text).not.toContain('clause');
});

test('facts that a run does not have are no rows; a situation that did not come about is a term alone', () => {
  const bare = aRun([], { target: aTarget({ profile: undefined }) });
  expect(factsOf(bare).map(([term]) => term)).toEqual(['authorization server', 'resource API']);
  const client = {
    name: 'shop',
    driven: 'commands',
    requests: 3,
    situations: [{ situation: 'flow' }, { situation: 'denial', gap: 'it did not start' }],
  } as const;
  expect(factsOf({ ...bare, client })).toEqual([
    ['driven by', 'commands; 3 requests'],
    ['situations', '1 of 2 produced'],
    ['denial: it did not start', ''],
  ]);
});
