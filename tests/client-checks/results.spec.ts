import { expect, test } from '@playwright/test';
import type { ClientRequirementId } from '../../generated/ids.ts';
import type { NeededSuccess } from '../../src/client-checks/evaluate/evaluate-requirements.ts';
import type { Line } from '../../src/client-checks/evaluate/line.ts';
import type { Evaluation } from '../../src/client-checks/evaluate/rule.ts';
import { clientResults } from '../../src/client-checks/results.ts';
import { loadClientCatalogue } from '../../src/document/load-client-requirements.ts';
import type { JournalEntry } from '../../src/emulator/control/control-types.ts';
import { SecretRegistry } from '../../src/http/secrets/registry.ts';
import { listingText } from '../../src/report/listing.ts';
import { resultsListing } from '../../src/report/results-listing.ts';
import { assembleResults } from '../../src/report/verdict.ts';

/** The results of a client: dangers first, one finding for each mistake, alike lines as one. */

const CATALOGUE = loadClientCatalogue();

const NO_ENTRY = {
  arrival: 5,
  method: 'POST',
  target: '/oauth/token',
  headers: [] as JournalEntry['headers'],
  body: '',
  presented: {},
  issued: {},
} as JournalEntry;

/** Reads `flow: exchange (request 5) has …` as a line of that situation, with the answers to its request 5. */
function lineFrom(written: string, answered: readonly Partial<JournalEntry>[] = []): Line {
  const [situation = '', ...rest] = written.split(': ');
  const text = rest.join(': ');
  const cites = situation === 'flow' && text.includes('(request 5)');
  const requests = cites ? answered.map((answer) => ({ ...NO_ENTRY, ...answer })) : [];
  return { situation: situation as Line['situation'], text, requests };
}

function resultsOf(
  broken: Readonly<Partial<Record<ClientRequirementId, readonly string[]>>>,
  parts: {
    readonly strict?: boolean;
    readonly missing?: readonly NeededSuccess[];
    readonly stopped?: string;
    readonly unseen?: readonly string[];
    readonly situations?: readonly { readonly situation: string; readonly gap?: string }[];
    /** Texts that a user got, one for each situation. */
    readonly received?: readonly string[];
    readonly tookMs?: number;
    /** Answers to the request 5 of each situation, on a profile that the user named. */
    readonly answered?: readonly Partial<JournalEntry>[];
  } = {},
) {
  const { strict = false, missing = [], stopped, unseen = [], answered, situations = [] } = parts;
  const { received = [], tookMs } = parts;
  const waited = {
    act: 'time',
    as: '',
    session: 'first',
    outcome: 'ok',
    detail: '',
    after: 0,
    until: 0,
  } as const;
  const evaluated = CATALOGUE.requirements.map(({ id }) => {
    const lines = broken[id];
    const evaluation: Evaluation =
      lines === undefined
        ? { kind: unseen.includes(id) ? 'not-exercised' : 'kept', examples: 1 }
        : { kind: 'broken', lines: lines.map((line) => lineFrom(line, answered)) };
    return { id, evaluation };
  });
  const run = clientResults({
    evaluation: { evaluated, missing },
    episodes: [
      ...(answered ?? []).map((answer) => ({
        situation: 'flow' as const,
        steps: [],
        entries: [{ ...NO_ENTRY, ...answer }],
        owners: { first: '', second: '' },
      })),
      ...received.map((text) => ({
        situation: 'exchange-500' as const,
        steps: tookMs === undefined ? [] : [{ ...waited, tookMs }],
        entries: [],
        owners: { first: '', second: '' },
        received: [{ session: 'first' as const, type: 'text/html', text }],
      })),
    ],
    isProfileChosen: answered !== undefined,
    catalogue: CATALOGUE,
    client: {
      name: 'ours',
      driven: 'application',
      situations,
      requests: 9,
      ...(tookMs !== undefined && { clock: 'none' }),
    },
    target: {
      kind: 'emulator',
      name: 'emulator',
      authUrl: 'http://127.0.0.1:1',
      baseUrl: 'http://127.0.0.1:2',
      profile: 'doorkeeper-5',
      defects: [],
      abilities: [],
      grants: { page: 0, cookies: 0 },
    },
    suiteVersion: '0.0.0',
    startedAt: new Date(0),
    durationMs: 1,
    strict,
    partial: false,
    troubles: stopped === undefined ? [] : [{ kind: 'inconclusive', message: stopped }],
    stopped,
    secrets: new SecretRegistry(),
  });
  const results = assembleResults(run);
  const view = { clauses: CATALOGUE.clauses, openPoints: [] };
  const listed = (verbose: boolean) =>
    listingText(resultsListing(results, view, undefined, verbose ? 'whole' : 'brief'), {
      style: 'plain',
      verbose,
    });
  return { results, text: listed(false), verbose: listed(true) };
}

test('dangers to users are in the verdict and stand first; with --strict they fail', () => {
  const broken = {
    'callback.reload': ['callback-reloaded: sent again'],
    'state.unguessable': ['flow: a state holds 13 random bits'],
    'unauthorized.no-storm': ['unauthorized-always: one call sent 548 refreshes'],
  };
  const { results, text } = resultsOf(broken);
  expect(results.exitCode).toBe(0);
  expect(text).toContain('conforms to the document, with 2 dangers to users (exit 0)');
  const at = (words: string) => text.replaceAll(/ +/g, ' ').indexOf(words);
  expect(at('DANGER state.unguessable')).toBeGreaterThan(0);
  expect(at('DANGER unauthorized.no-storm')).toBeLessThan(at('WARNING callback.reload'));
  expect(resultsOf(broken, { strict: true }).results).toMatchObject({ exitCode: 1, verdict: 'violates' });
  expect(resultsOf({ 'callback.reload': ['flow: a'] }).text).toContain('conforms (exit 0)');
});

const TRACES = [
  'Traceback (most recent call last):\n  File "/srv/app.py", line 7, in list',
  '<pre>Error: no pair<br> &nbsp; &nbsp;at list (/srv/app.js:7:11)<br>',
  'TypeError: x\n    at async respond (file:///srv/app.mjs:7:11)',
  'java.lang.IllegalStateException\n\tat shop.Pairs.read(Pairs.java:7)',
  'System.NullReferenceException\n   at Shop.Pairs.Read() in /srv/Pairs.cs:line 7',
  'Fatal error: Uncaught Exception\nStack trace:\n#0 /srv/app.php(7): load()',
  "/srv/app.rb:7:in `list': no pair (RuntimeError)",
  'panic: no pair\n\ngoroutine 7 [running]:\nmain.list()',
  'You’re seeing this error because you have <code>DEBUG = True</code> in your settings',
  '<title>RuntimeError // Werkzeug Debugger</title>',
  '<p>You have enabled the <code>show_exceptions</code> setting.</p>',
];

test('a stack trace that reaches a user is a notice with its situation, and does not count with --strict', () => {
  for (const trace of TRACES) {
    const { results, text } = resultsOf({}, { received: [trace], strict: true });
    expect(results.exitCode).toBe(0);
    expect(text, trace).toMatch(/NOTICE +a stack trace, .* reached a user in exchange-500: /);
  }
  const sound = [
    'Please meet us at /home at 10:30',
    '<p>Sign in again at our shop (10:30:00)',
    '{"at":"2026-01-01T10:30:00"}',
  ];
  expect(resultsOf({}, { received: sound }).results).not.toHaveProperty('notices');
});

test('a run in real time says what its waits cost, and what shortens them', () => {
  const notices = [
    expect.stringMatching(/^the situations waited 90 s in all for tokens to expire, .*libfaketime/),
  ];
  expect(resultsOf({}, { received: [''], tookMs: 90_000 }).results).toMatchObject({ notices });
  expect(resultsOf({}, { received: [''], tookMs: 9_000 }).results).not.toHaveProperty('notices');
});

test('what the service accepts today stands below the dangers, explains no other finding, and fails with --strict', () => {
  const broken = {
    'token-request.form-post': ['flow: exchange (request 5) has the Content-Type application/json'],
    'renewal.after-expiry': ['expiry: no refresh'],
    'callback.reload': ['callback-reloaded: sent again'],
    'state.unguessable': ['flow: a state holds 13 random bits'],
  };
  const of = (...answered: readonly Partial<JournalEntry>[]) => resultsOf(broken, { answered });
  const { text } = of({ status: 200 });
  const at = (words: string) => text.replaceAll(/ +/g, ' ').indexOf(words);
  expect(text).toContain('because 1 requirement failed: renewal.after-expiry');
  expect(at('FAIL renewal.after-expiry')).toBeLessThan(at('DANGER state.unguessable'));
  expect(at('DANGER state.unguessable')).toBeLessThan(at('ACCEPTED TODAY token-request.form-post'));
  expect(at('ACCEPTED TODAY token-request.form-post')).toBeLessThan(at('WARNING callback.reload'));
  const form = { 'token-request.form-post': broken['token-request.form-post'] };
  const codes = [false, true].map((strict) => resultsOf(form, { strict, answered: [{ status: 200 }] }));
  expect(codes.map(({ results: { exitCode } }) => exitCode)).toEqual([0, 1]);
  const refused = { status: 401, refusal: { refused: 'media-type-unsupported', detail: '' } };
  const dead = { status: 400, refusal: { refused: 'code-used', detail: '' } };
  const lost = { status: 503, fault: 'status' } as const;
  for (const [answers, exitCode] of [
    [[{ status: 200 }, refused], 1],
    [[{ status: 200 }, dead, lost], 0],
    [[dead, lost], 1],
    [[], 1],
  ] as const)
    expect(resultsOf(form, { answered: answers }).results.exitCode).toBe(exitCode);
});

test('a mistake that the suite accepts after the first flow explains no other finding; one that is refused throughout does', () => {
  const broken = {
    'token-request.form-post': ['flow: exchange (request 5) has the Content-Type application/json'],
    'renewal.after-expiry': ['expiry: no refresh'],
  };
  const refused = { status: 400, refusal: { refused: 'media-type-unsupported', detail: '' } };
  const renewalOf = (answered: readonly Partial<JournalEntry>[]) =>
    resultsOf(broken, { answered }).results.requirements.find(({ id }) => id === 'renewal.after-expiry');
  expect(renewalOf([refused])).toMatchObject({ result: 'blocked', blockedBy: 'token-request.form-post' });
  expect(renewalOf([refused, { status: 200 }])).toMatchObject({ result: 'fail' });
});

test('more findings than two are printed in brief: two lines each, and no table', () => {
  const ids = [
    'code.sent-once',
    'pair.own-user',
    'calls.ids-as-given',
    'errors.deadline',
    'errors.failed-call',
    'callback.reload',
    'waiting.few-tries',
  ];
  const broken = Object.fromEntries(ids.map((id) => [id, ['flow: it did so', 'expiry: and so']]));
  const { text, results } = resultsOf(broken);
  expect(text.trimEnd().split('\n').length).toBeLessThan(40);
  expect(text.match(/fix: /g)).toHaveLength(7);
  for (const few of [text, resultsOf(Object.fromEntries(Object.entries(broken).slice(0, 3))).text])
    expect(few).not.toMatch(/effect on the user|^clause/m);
  expect(results.requirements.find(({ id }) => id === 'code.sent-once')).toMatchObject({
    reason: expect.not.stringMatching(/effect|fix/),
    effect: expect.stringContaining('refused'),
    fix: expect.arrayContaining([expect.stringContaining('sign-in')]),
  });
  expect(resultsOf(broken, { unseen: ['renewal.when-needed'] }).text).toContain(
    'not exercised: 1 requirement (renewal.when-needed); the report says more of each',
  );
  expect(resultsOf(Object.fromEntries(Object.entries(broken).slice(0, 2))).text).toMatch(
    /effect on the user/,
  );
});

test('many findings, with all that may stand beside them, fit into forty lines; with --verbose all is printed', () => {
  const ids = CATALOGUE.requirements
    .filter(({ level, explains }) => level !== 'observed' && explains === undefined)
    .map(({ id }) => id);
  const broken = Object.fromEntries(
    [...ids.slice(0, 20), 'state.present' as const].map((id) => [id, ['flow: it did', 'expiry: it did']]),
  );
  const situations = [
    { situation: 'flow' },
    { situation: 'denial', gap: 'no page' },
    { situation: 'expiry', gap: 'no list' },
  ];
  const parts = { missing: ['refresh' as const], unseen: ['waiting.few-tries'], situations };
  const { text, verbose } = resultsOf(broken, parts);
  const lines = text.trimEnd().split('\n');
  // The report's path and two lines of progress stand beside them.
  expect(lines.length).toBeLessThanOrEqual(37);
  expect(text.match(/fix: /g)).toHaveLength(8);
  expect(text).toMatch(/MORE +\d+, in the report: /);
  expect(text).toMatch(
    /findings in brief; situations 1 of 3 produced \(denial: no page; 1 more in the report\)\n.*\n +\| flow: it did \(and 1 more, in expiry\)\n +\| fix: /,
  );
  expect(verbose.match(/fix: /g)?.length).toBeGreaterThan(15);
  expect(verbose).toContain('effect on the user');
  expect(verbose).toContain('driven by');
});

test('one mistake is one finding: what may follow from it is named below it, without a fix of its own', () => {
  const { results, text } = resultsOf({
    'state.present': ['flow: authorize (request 1) has no state'],
    'state.checked': ['state-wrong: exchanged'],
    'state.bound': ['foreign-code: exchanged'],
    'callback.reload': ['callback-reloaded: sent again'],
    'callback.at-once': ['callback-twice: sent twice'],
  });
  expect(results.totals).toMatchObject({ warning: 1, blocked: 4 });
  expect(text).toContain('BLOCKED 4 that may be seen after the fix of state.present');
  expect(text.match(/fix:/g)).toHaveLength(1);
  expect(text).not.toContain('the warnings are expected');
});

test('a client that never refreshes has one finding: what it cannot show is blocked, and nothing is missing', () => {
  const situations = CATALOGUE.requirements.flatMap((one) =>
    one.situations.map((situation) => ({ situation })),
  );
  const unseen = ['pair.stored-before-used', 'renewal.keeps-calls'];
  const broken = { 'renewal.after-expiry': ['expiry: the call answered 401, and no refresh was sent'] };
  const parts = { missing: ['refresh' as const], unseen, situations };
  const { results, text } = resultsOf(broken, parts);
  expect(text).toContain('BLOCKED 2 that may be seen after the fix of renewal.after-expiry');
  expect(text).not.toContain('not exercised');
  expect(results.troubles).toEqual([]);
  const refused = { ...broken, 'token-request.form-post': ['flow: refresh (request 5) is JSON'] };
  expect(resultsOf(refused, parts).text).toContain(
    'BLOCKED 3 that may be seen after the fix of token-request.form-post',
  );
  const unasked = resultsOf(broken, { ...parts, situations: [{ situation: 'flow' }] }).text;
  expect(unasked).toContain('not exercised: 2 requirements (');
  expect(unasked).not.toContain('BLOCKED');
});

test('a mistake that was seen after another one alone explains no other finding', () => {
  const { results } = resultsOf({
    'pair.newest-refresh-token': ['unknown-code: refresh (request 3) presents what was never issued as one'],
    'pair.survives-restart': ['expiry-after-restart: the call answered 401'],
  });
  expect(results.totals).toMatchObject({ fail: 2, blocked: 0 });
});

test('a state that is not compared explains what a reloaded callback sends; one that may be missing does not', () => {
  const reloaded = { 'callback.reload': ['callback-reloaded: exchange (request 3) sent code#1 again'] };
  const why = 'exchange (request 3) exchanged code#1 of the hostile callback';
  const optional = resultsOf({ 'state.checked': [`state-missing: ${why}`], ...reloaded });
  expect(optional.results.totals).toMatchObject({ warning: 2, blocked: 0 });
  const uncompared = resultsOf({ 'state.checked': [`state-wrong: ${why}`], ...reloaded });
  expect(uncompared.results.totals).toMatchObject({ warning: 1, blocked: 1 });
});

test('a consequence explains no other finding', () => {
  const { results } = resultsOf({
    'pair.newest-refresh-token': ['second-expiry: refresh (request 5) presents refresh_token#1'],
    'renewal.after-expiry': ['expiry: the call answered 401'],
    'unauthorized.recovers': ['unauthorized-once: 1 answered 401, 0 refreshes, and the call answered 401'],
  });
  expect(results.totals).toMatchObject({ fail: 1, warning: 1, blocked: 1 });
});

test('lines that differ by situation and number alone are one line', () => {
  const of = (situation: string, request: number) =>
    `${situation}: authorize (request ${request}) has no state`;
  const { text } = resultsOf({
    'state.present': [
      of('flow', 1),
      of('flow', 9),
      of('denial', 1),
      of('expiry', 2),
      of('retired', 1),
      of('forbidden', 1),
    ],
  });
  expect(text).toContain(
    '| flow: authorize (request 1) has no state (and 5 more, in 4 other situations)\n  | effect',
  );
});

test('every requirement that another one explains exists, and is of no higher level', () => {
  const weight = { documented: 2, standard: 1, observed: 0 };
  for (const { level, explains = [], explainsIn = [], situations } of CATALOGUE.requirements) {
    expect(situations).toEqual(expect.arrayContaining([...explainsIn]));
    for (const id of explains)
      expect(weight[CATALOGUE.requirement(id as ClientRequirementId).level], id).toBeLessThanOrEqual(
        weight[level],
      );
  }
});

test('a flow that stopped is said once; without one, everything that is missing is one sentence', () => {
  const missing = ['exchange of a code', 'refresh'] as const;
  const stopped = resultsOf({}, { missing, stopped: 'the flow failed: it answered 500' });
  expect(stopped.results.troubles).toHaveLength(1);
  expect(resultsOf({}, { missing }).results.troubles).toEqual([
    {
      kind: 'inconclusive',
      message: expect.stringContaining(
        'there was no successful exchange of a code, no successful refresh: a verdict',
      ),
    },
  ]);
});
