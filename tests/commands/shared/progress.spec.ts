/** Long work prints its progress, the time, and with `--verbose` each request. */

import { expect, test } from '@playwright/test';
import { startProgress } from '../../../src/commands/shared/progress.ts';
import { type Transport, TransportFailure } from '../../../src/http/exchange.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { loggedSession } from '../../../src/service/flow/request-log.ts';
import { newRecorder } from '../../../src/service/flow/session.ts';
import { runHere } from '../../support/command-here.ts';

const GROUPS = new Map([
  ['clause 4.1', 4],
  ['clause 4.2', 2],
]);

/** Work of six parts, each of ten seconds; what was written after each. */
function worked(out: { readonly isTTY?: boolean; readonly columns?: number }, plain = false): string[] {
  const written: string[] = [];
  let seconds = 0;
  const write = (text: string) => {
    written.push(text);
    return true;
  };
  const progress = startProgress(
    { what: 'checking', groups: GROUPS, plain },
    { ...out, write } as Parameters<typeof startProgress>[1],
    () => seconds * 1_000,
  );
  for (const [name, group] of [
    ['a.one', 'clause 4.1'],
    ['b.one', 'clause 4.2'],
    ['a.two', 'clause 4.1'],
    ['a.three', 'clause 4.1'],
    ['b.two', 'clause 4.2'],
    ['a.four', 'clause 4.1'],
  ] as const) {
    seconds += 10;
    progress.done(name, group);
  }
  progress.end();
  return written;
}

test.describe('progress', () => {
  let ci: string | undefined;
  test.beforeEach(() => {
    ci = process.env.CI;
    delete process.env.CI;
  });
  test.afterEach(() => {
    if (ci !== undefined) process.env.CI = ci;
  });

  test('in a log: a line for each clause once all of it is done, with the time it took', () => {
    expect(worked({})).toEqual([
      'checking 5/6 after 50 s; done: clause 4.2\n',
      'checking 6/6 after 1 min 0 s; done: clause 4.1\n',
    ]);
  });

  test('on a terminal: one line that is written over and wiped away, and promises no end', () => {
    const written = worked({ isTTY: true, columns: 80 });
    expect(written).toHaveLength(7);
    expect(written.every((text) => text.startsWith('\r\u001b[K') && !text.includes('\n'))).toBe(true);
    expect(written[0]).toBe('\r\u001b[Kchecking 1/6 after 10 s  a.one');
    expect(written[3]).toBe('\r\u001b[Kchecking 4/6 after 40 s  a.three');
    expect(written.at(-1)).toBe('\r\u001b[K');
  });

  test('on a terminal with lines in between, none is written over', () => {
    expect(worked({ isTTY: true }, true)).toEqual(worked({}));
  });

  test('a narrow terminal gets what fits into a line', () => {
    const longest = Math.max(...worked({ isTTY: true, columns: 20 }).map((text) => text.length));
    expect(longest).toBeLessThanOrEqual('\r\u001b[K'.length + 19);
  });
});

test.describe('--verbose', () => {
  /** The log of one request. */
  async function toldOf(
    url: string,
    transport: Transport,
    secrets = new SecretRegistry(),
  ): Promise<string[]> {
    const target = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: true });
    try {
      const lines: string[] = [];
      const session = connectWithoutBrowser({ ...target, transport }, secrets);
      const logged = loggedSession(session, (line) => lines.push(line.replace(/\d+ ms$/, 'N ms')));
      const body = 'refresh_token=of-the-body';
      await newRecorder(logged).send('ask', { method: 'GET', url, headers: [], body });
      return lines;
    } finally {
      await target.close();
    }
  }
  const answers: Transport = async () => ({ status: 404, headers: [], body: 'of-the-answer', bytes: 13 });

  test('says method, path and status of a request, and nothing of its query, body or answer', async () => {
    expect(
      await toldOf('http://127.0.0.1/v2/projects/7/assigned_users?access_token=of-the-query', answers),
    ).toEqual(['GET /v2/projects/7/assigned_users 404 N ms']);
  });

  test('says that no answer came', async () => {
    const silent: Transport = async () => {
      throw new TransportFailure('timeout', 'too late');
    };
    expect(await toldOf('http://127.0.0.1/oauth/token', silent)).toEqual(['GET /oauth/token no answer N ms']);
  });

  test('hides a secret in a path, and whatever in a path is as long as one', async () => {
    const secrets = new SecretRegistry();
    secrets.register('code', 'kT93-short');
    const reported = await toldOf('http://127.0.0.1/oauth/kT93-short/q8XyZ0aBcD1eFgH2iJ', answers, secrets);
    expect(reported).toEqual(['GET /oauth/<code#1>/… 404 N ms']);
  });
});

test('with --json standard output is JSON and nothing else, and the rest goes to standard error', async () => {
  const observed = await runHere(['observe', '--probe', 'id-forms', '--verbose']);
  expect(observed.stdout).toMatch(/^name: doorkeeper-5$/m);
  expect(observed.stderr).toMatch(/^ {2}GET \/v2\/projects\/\S+ \d{3} \d+ ms$/m);
  const noise = ['--', process.execPath, '-e', 'console.log("of the tests")'];
  const folder = test.info().outputPath('report');
  const client = await runHere(['client', '--json', '--report', folder, ...noise]);
  expect(JSON.parse(client.stdout)).toMatchObject({ subject: 'client', exitCode: 3 });
  expect(client.stderr).toContain('of the tests');
});
