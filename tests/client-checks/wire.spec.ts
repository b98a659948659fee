import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { validateResults } from '../../generated/validators.js';
import { SITUATION_IDS } from '../../src/client-checks/situations/situations.ts';
import type { Results } from '../../src/report/results.ts';
import { runHere } from '../support/command-here.ts';
import { startWire, type WireClient } from '../support/own-tests/wire.ts';

/** `GET /client-report`: the verdict on a client over the wire, asked of `emulate --control`. */

let wire: WireClient;

test.beforeAll(async () => {
  wire = await startWire();
});

test.beforeEach(async () => {
  await wire.control('POST', '/reset');
  await wire.control('DELETE', '/client-report');
});

test.afterAll(async () => {
  wire.command.stop('SIGTERM');
  await wire.command.end;
});

async function soundClient(): Promise<void> {
  const pair = await wire.signIn();
  await wire.list(await wire.refresh(pair));
}

/** Two refreshes with one token: each may store a pair that the other one has replaced. */
async function race(): Promise<void> {
  const pair = await wire.signIn();
  await wire.control('POST', '/holds', { route: 'token', until: 2, limitMs: 2_000 });
  await Promise.all([wire.refresh(pair), wire.refresh(pair)]);
  await wire.list(pair);
}

async function reported(query = ''): Promise<Results> {
  const answer = await wire.control('GET', `/client-report${query}`);
  const results: unknown = await answer.json();
  if (!validateResults(results)) throw new Error(JSON.stringify([results, validateResults.errors]));
  return results as Results;
}

async function exit(query = ''): Promise<readonly [number, string]> {
  const answer = await wire.control('GET', `/client-report?format=exit${query}`);
  return [answer.status, await answer.text()];
}

test('before a request 425; a sound client 200, with its results, and what it has not exercised', async () => {
  expect(await exit()).toEqual([425, 'inconclusive (partial: 0 of 67 shown): exit code 3\n']);
  await soundClient();
  expect(await exit()).toEqual([
    200,
    expect.stringMatching(/^conforms \(partial: \d\d of 67 shown\): exit code 0\n$/),
  ]);
  const results = await reported();
  expect([results.subject, results.exitCode, results.client?.driven]).toEqual(['client', 0, 'own-tests']);
  const unseen = results.requirements.find(({ id }) => id === 'callback.at-once');
  expect([unseen?.result, unseen?.reason]).toEqual([
    'not-exercised',
    expect.stringContaining('set the mark callback-twice'),
  ]);
});

test('JUnit and text have the same results; no answer is stored, and none holds a secret', async () => {
  await race();
  const plain = 'text/plain';
  const types = { json: 'application/json', junit: 'application/xml', text: plain, exit: plain };
  for (const [format, type] of Object.entries(types)) {
    const answer = await wire.control('GET', `/client-report?format=${format}`);
    expect(answer.headers.get('content-type')).toContain(type);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const text = await answer.text();
    const secrets = wire.applications.map(({ clientSecret }) => clientSecret);
    for (const secret of [...secrets, wire.controlToken, wire.ownerPassword])
      expect(text).not.toContain(secret);
    if (format === 'exit') continue;
    expect([answer.status, text]).toEqual([200, expect.stringContaining('renewal.one-at-a-time')]);
  }
});

test('a race is a finding that names its test; with strict=true the status is 409', async () => {
  await wire.control('PUT', '/mark', { mark: 'test_two_workers_refresh' });
  await race();
  await wire.control('PUT', '/mark', { mark: null });
  const found = (await reported()).requirements.find(({ id }) => id === 'renewal.one-at-a-time');
  expect([found?.result, found?.reason]).toEqual([
    'warning',
    expect.stringContaining('in the tests: test_two_workers_refresh'),
  ]);
  expect((await exit('&strict=true'))[0]).toBe(409);
});

test('a brownout that a test brings about is recorded as a habit, and fails nothing', async () => {
  const pair = await wire.signIn();
  await wire.control('POST', '/faults', {
    route: 'any',
    kind: 'status',
    status: 410,
    body: '{}',
    count: 'unlimited',
  });
  await wire.control('PUT', '/mark', { mark: 'brownout' });
  for (let tries = 0; tries < 2; tries += 1) await wire.refresh(pair);
  await wire.control('DELETE', '/faults');
  await wire.list(await wire.refresh(pair));
  await wire.control('PUT', '/mark', { mark: null });
  const { requirements } = await reported();
  const reason = requirements.find(({ id }) => id === 'habits.brownout')?.reason;
  expect(reason).toBe('410: 2 of 2 refused requests are refreshes, keeps its pair');
  expect(requirements.filter(({ result }) => result === 'fail' || result === 'warning')).toEqual([]);
});

test("a situation stands on top of a test's mark, and its finding names the test; null takes both", async () => {
  const [application] = wire.applications;
  const marked = async () => (await (await wire.control('GET', '/mark')).json()) as { mark: string | null };
  await wire.control('PUT', '/mark', { mark: 'test_forged_callback' });
  expect((await wire.control('PUT', '/mark', { mark: 'state-wrong' })).status).toBe(200);
  await wire.signIn(application);
  expect((await wire.control('PUT', '/mark', { mark: 'test_other' })).status).toBe(400);
  expect((await wire.control('PUT', '/mark', { mark: 'test_forged_callback' })).status).toBe(200);
  expect(await marked()).toEqual({ mark: 'test_forged_callback' });
  await wire.control('PUT', '/mark', { mark: 'state-missing' });
  await wire.control('PUT', '/mark', { mark: null });
  expect(await marked()).toEqual({ mark: null });
  const found = (await reported()).requirements.find(({ id }) => id === 'state.checked');
  expect([found?.result, found?.reason]).toEqual([
    'warning',
    expect.stringMatching(/^state-wrong: [\s\S]*in the tests: test_forged_callback/),
  ]);
});

test('format=text&verbose=true has each finding whole, and what was not exercised', async () => {
  await race();
  const text = async (more: string) =>
    (await wire.control('GET', `/client-report?format=text${more}`)).text();
  expect(await text('')).not.toContain('not exercised: pair.survives-restart: run with --app');
  expect(await text('&verbose=true')).toContain('not exercised: pair.survives-restart: run with --app');
  const wrong = await wire.control('GET', '/client-report?format=text&verbose=yes');
  expect([wrong.status, await wrong.text()]).toEqual([
    400,
    expect.stringContaining('expected one of false, true'),
  ]);
});

test('DELETE begins a new report, of one application alone; the journal stays', async () => {
  const [first, second] = wire.applications;
  if (first === undefined || second === undefined) throw new Error('expected two applications');
  await race();
  await wire.signIn(second);
  const requests = async (application: string) =>
    (await reported(`?application=${application}`)).client?.requests ?? 0;
  expect([await requests(first.clientId), await requests(second.clientId)]).toEqual([5, 2]);
  const begun = await wire.control('DELETE', `/client-report?application=${first.clientId}`);
  expect(await begun.json()).toMatchObject({ application: first.clientId });
  expect([await requests(first.clientId), await requests(second.clientId)]).toEqual([0, 2]);
  const journal = (await (await wire.control('GET', '/journal')).json()) as { entries: readonly unknown[] };
  expect(journal.entries).toHaveLength(7);
});

test('workers that share an application get 400; with an application of its own each has its marks', async () => {
  const [first, second] = wire.applications;
  const mark = async (name: string | null, application?: string) => {
    const answer = await wire.control('PUT', '/mark', {
      mark: name,
      ...(application === undefined ? {} : { application }),
    });
    return [answer.status, await answer.text()];
  };
  expect((await mark('test_a', first?.clientId))[0]).toBe(200);
  expect(await mark('test_b', first?.clientId)).toEqual([
    400,
    expect.stringMatching(/expected null before .*test_b.*test_a.*is still set.*application of its own/),
  ]);
  expect((await mark('test_b', second?.clientId))[0]).toBe(200);
  const begun = await wire.control('DELETE', '/client-report');
  expect([begun.status, await begun.text()]).toEqual([400, expect.stringContaining('test_a')]);
  await Promise.all([wire.signIn(first), wire.signIn(second)]);
  const journal = (await (await wire.control('GET', '/journal')).json()) as {
    entries: readonly { application: string; mark: string }[];
  };
  const marks = new Set(journal.entries.map((one) => `${one.application} ${one.mark}`));
  expect(marks).toEqual(new Set([`${first?.clientId} test_a`, `${second?.clientId} test_b`]));
});

test('a journal that has lost requests gives no verdict until a report begins; HTTP Basic counts unless the profile was named', async () => {
  const small = await startWire('--journal-limit', '5', '--profile', 'doorkeeper-5');
  const text = async () => (await small.control('GET', '/client-report?format=text')).text();
  try {
    await small.list(await small.refresh(await small.signIn()));
    expect(await text()).toContain('conforms');
    await small.signIn();
    expect(await text()).toContain('the journal keeps 5 requests, and 1 more were sent: none was evaluated');
    await small.control('DELETE', '/client-report');
    await small.list(await small.refresh(await small.signIn()));
    expect(await text()).toContain('conforms');
    await small.control('DELETE', '/client-report');
    await small.refresh(await small.signIn(undefined, 'basic'));
    const { requirements } = (await (await small.control('GET', '/client-report')).json()) as Results;
    expect(requirements.filter(({ result }) => result === 'fail')).toEqual([]);
  } finally {
    small.command.stop('SIGTERM');
    await small.command.end;
  }
  await wire.refresh(await wire.signIn(undefined, 'basic'));
  expect(await exit()).toEqual([409, 'violates (partial: 13 of 67 shown): exit code 1\n']);
});

test('without the token 401; a wrong format, parameter or application 400', async () => {
  expect((await wire.control('GET', '/client-report', undefined, 'wrong-token')).status).toBe(401);
  for (const [query, said] of [
    ['?format=xml', 'format: expected one of json, junit, text, exit, got \\"xml\\"'],
    ['?strict=yes', 'strict: expected one of false, true'],
    ['?client=1', 'Expected the parameters application, format, strict, verbose, got client'],
    ['?format=exit&format=json', 'Expected format once'],
    ['?application=nobody', 'expected the client id of an application of the seed'],
  ] as const) {
    const answer = await wire.control('GET', `/client-report${query}`);
    expect([query, answer.status, await answer.text()]).toEqual([query, 400, expect.stringContaining(said)]);
  }
});

test('client --attach: prints, writes and exits as client does', async () => {
  const folder = test.info().outputPath('report');
  const words = ['client', '--attach', wire.controlUrl, '--report', folder];
  const env = { LEGACY_CONTROL_TOKEN: wire.controlToken };
  const early = await runHere(words, env);
  expect([early.code, early.stdout]).toEqual([3, expect.stringContaining('no successful refresh')]);
  await soundClient();
  const sound = await runHere(words, env);
  expect(sound.code, sound.stdout + sound.stderr).toBe(0);
  await race();
  const strict = await runHere([...words, '--strict'], env);
  expect([strict.code, strict.stdout]).toEqual([1, expect.stringContaining('renewal.one-at-a-time')]);
  expect(JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'))).toMatchObject({ exitCode: 1 });
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('renewal.one-at-a-time');
});

test('client --attach: a wrong token, address or option is exit 2; nobody there is exit 3', async () => {
  const attach = async (url: string, more: readonly string[] = [], token = wire.controlToken) => {
    const report = ['--report', test.info().outputPath('report')];
    const end = await runHere(['client', '--attach', url, ...report, ...more], {
      LEGACY_CONTROL_TOKEN: token,
    });
    return [end.code, end.stdout + end.stderr];
  };
  const { controlUrl } = wire;
  expect(await attach(controlUrl, [], 'another-token')).toEqual([2, expect.stringContaining('401')]);
  expect(await attach('here')).toEqual([2, expect.stringContaining('--attach: expected the address')]);
  expect(await attach(controlUrl, ['--', 'npm', 'test'])).toEqual([
    2,
    expect.stringContaining('expected no command, got npm'),
  ]);
  expect(await attach(controlUrl, ['--forms'])).toEqual([
    2,
    expect.stringContaining("cannot be used with option '--forms'"),
  ]);
  // Port 9 (discard) is closed on every machine of a build.
  expect(await attach('http://127.0.0.1:9')).toEqual([3, expect.stringContaining('no answer from')]);
});

test('GET /situations: each situation of client --app, whose requests the port accepts', async () => {
  const { situations } = (await (await wire.control('GET', '/situations')).json()) as {
    situations: readonly {
      situation: string;
      act: string;
      before: readonly ControlRequest[];
      after: readonly ControlRequest[];
    }[];
  };
  expect(situations.map(({ situation }) => situation).toSorted()).toEqual(SITUATION_IDS.toSorted());
  for (const { situation, act, before, after } of situations) {
    expect([situation, act]).toEqual([situation, expect.stringMatching(/\.$/)]);
    for (const { method, path, body } of [...before, ...after]) {
      const answer = await wire.control(method, path, body);
      expect([situation, path, answer.status, answer.ok ? '' : await answer.text()]).toEqual([
        situation,
        path,
        200,
        '',
      ]);
    }
    const { faults, holds } = (await (await wire.control('GET', '/state')).json()) as Armed;
    expect([situation, faults, holds]).toEqual([situation, [], []]);
  }
});

interface ControlRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

interface Armed {
  readonly faults: readonly unknown[];
  readonly holds: readonly unknown[];
}
