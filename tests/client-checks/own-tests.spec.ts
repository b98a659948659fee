import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { validateResults } from '../../generated/validators.js';
import { type CommandEnd, runCommand, startCommand } from '../support/command.ts';
import { runHere } from '../support/command-here.ts';
import { firstInTest, PROVE } from '../support/prove.ts';

/** `client -- COMMAND`: an integrator's own tests run against the emulator, and what their client sent is evaluated. */

const OWN_TESTS = fileURLToPath(new URL('../support/own-tests/simple-oauth2.mjs', import.meta.url));

const NEGATIVE = fileURLToPath(new URL('../support/own-tests/negative.mjs', import.meta.url));

function clientCommand(folder: string, ...words: readonly string[]): Promise<CommandEnd> {
  return runHere(['client', '--report', folder, '--', process.execPath, OWN_TESTS, ...words]);
}

/** The results that were written, once they are what their schema says. */
function resultsIn(folder: string) {
  const written: unknown = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
  if (!validateResults(written)) throw new Error(JSON.stringify(validateResults.errors));
  return written;
}

test('tests that pass, of a sound client: 0, what was not exercised is told, no secret is written', async () => {
  const folder = test.info().outputPath('report');
  // As a process: the tests write to its own standard output.
  const end = await runCommand(['client', '--report', folder, '--', process.execPath, OWN_TESTS]);
  expect(end.code, end.stdout + end.stderr).toBe(0);
  expect(end.stdout).toContain('list: 200');
  // Tests bring a part about.
  expect(end.stdout).toMatch(/conforms \(partial: 15 of \d\d shown\) \(exit 0\)/);
  const first = [...end.stdout.matchAll(/worth adding first: (\S+): /g)].map(([, id]) => id);
  expect(first).toEqual(['pair.newest-refresh-token', 'state.checked', 'renewal.one-at-a-time']);
  expect(end.stdout).toMatch(/not exercised: \d+ requirements; the report says more of each\n/);
  expect(end.stdout.match(/not exercised: /g)).toHaveLength(1);
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toMatch(
    /callback\.at-once<\/a><\/td><td>Set the mark/s,
  );
  const results = resultsIn(folder);
  expect([results.subject, results.client?.driven]).toEqual(['client', 'own-tests']);
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('name="code.five-parameters"');
});

test('HTTP Basic alone: 1, with the request, what a user suffers and how to fix it', async () => {
  const end = await clientCommand(test.info().outputPath('report'), '--basic');
  expect(end.code, end.stdout).toBe(1);
  expect(end.stdout).toContain('FAIL token-request.credentials-in-form');
  expect(end.stdout).toContain('presents code#1 with HTTP Basic and never with the form');
  expect(end.stdout).toContain('fix: Switch your library from HTTP Basic');
});

/** A recording of a service that takes JSON and HTTP Basic, or of one that takes neither. */
function recording(takes: boolean): string {
  const file = test.info().outputPath('staging.yaml');
  const answers = { 'client-authentication.json-body': takes, 'client-authentication.basic': takes };
  const profile = { name: 'staging', title: 'Ours', summary: 'Ours.', warnings: [], answers };
  writeFileSync(file, JSON.stringify(profile));
  return file;
}

const ACCEPTED = [
  ['--json', 'token-request.form-post', 'takes the form alone'],
  ['--basic', 'token-request.credentials-in-form', 'takes credentials in the form alone'],
] as const;

for (const [[word, id, when], details] of firstInTest(ACCEPTED, 1))
  test(
    `${word}, which the recorded service accepts: 0, and 1 with --strict; 1 where it does not accept it`,
    details,
    async () => {
      const folder = test.info().outputPath('report');
      const client = (profile: string, ...words: readonly string[]) => {
        const command = ['--', process.execPath, OWN_TESTS, word];
        return runHere(['client', '--report', folder, '--profile', profile, ...words, ...command]);
      };
      const end = await client(recording(true));
      expect(end.code, end.stdout).toBe(0);
      expect(end.stdout).toContain('conforms to your service, with 1 breach of the document');
      expect(end.stdout).toContain(`ACCEPTED TODAY ${id} (clause 4.2, documented)`);
      expect(end.stdout).toMatch(new RegExp(`effect on the user: Nothing today\\. Once .* ${when}`));
      const found = resultsIn(folder).requirements.find((one) => one.id === id);
      expect(found).toMatchObject({ level: 'documented', result: 'warning', acceptedToday: true });
      expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('Accepted by the service today');
      expect((await client(recording(true), '--strict')).code).toBe(1);
      const refused = await client(recording(false));
      expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining(`FAIL ${id}`)]);
    },
  );

test('an access token that was replaced: 1, by its ordinal', PROVE, async () => {
  const end = await clientCommand(test.info().outputPath('report'), '--old-token');
  expect(end.code, end.stdout).toBe(1);
  expect(end.stdout).toContain('presents access_token#1; the newest was access_token#2');
});

for (const [mistake, said] of [
  ['--old-refresh-token', 'presents refresh_token#1; the newest was refresh_token#2'],
  ['--get-user', 'is not documented'],
  ['--expired', 'refused as expired, and no refresh was sent'],
] as const)
  test(`${mistake}: 1, by what was sent`, async () => {
    const end = await clientCommand(test.info().outputPath('report'), mistake);
    expect(end.code, end.stdout).toBe(1);
    expect(end.stdout).toContain(said);
  });

test('tests that fail are never a pass: 3, with their exit code', async () => {
  const folder = test.info().outputPath('report');
  const end = await clientCommand(folder, '--fail');
  expect(end.code, end.stdout).toBe(3);
  expect(end.stdout).toContain('node" ended with exit code 7: its tests failed');
  expect(resultsIn(folder).client?.commandExit).toBe('exit code 7');
});

for (const [negative, details] of firstInTest(
  ['bearer Bearer', 'bearer negative', 'code code', 'refresh refresh_token', 'secret client_secret'],
  2,
))
  test(`one negative test with a word in place of a secret: ${negative}`, details, async () => {
    const folder = test.info().outputPath('report');
    const words = ['client', '--report', folder, '--', process.execPath, NEGATIVE];
    const end = await runHere(words, { NEGATIVE: negative });
    expect(end.code, end.stdout + end.stderr).toBe(0);
    expect(resultsIn(folder).verdict).toBe('conforms');
  });

test('--require: what is required and not shown is 3; what is shown counts as ever; an unknown id is 2', async () => {
  const report = ['--report', test.info().outputPath('report')];
  const client = (required: string, ...words: readonly string[]) =>
    runHere(['client', ...report, '--require', required, '--', process.execPath, OWN_TESTS, ...words]);
  expect((await client('code.five-parameters,code.sent-once')).code).toBe(3);
  const gone = await client('code.five-parameters,pair.newest-refresh-token');
  expect([gone.code, gone.stdout]).toEqual([
    3,
    expect.stringContaining('because --require: not shown: pair.newest-refresh-token'),
  ]);
  expect((await client('code.five-parameters')).code).toBe(0);
  expect((await client('token-request.credentials-in-form', '--basic')).code).toBe(1);
  const unknown = await client('code.fife-parameters');
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining(
      'expected a requirement on clients, got "code.fife-parameters". Did you mean "code.five-parameters"?',
    ),
  ]);
});

test('a command that sends nothing: 3; one that does not exist, or none: 2', async () => {
  const report = ['--report', test.info().outputPath('report')];
  const idle = await runHere(['client', ...report, '--', process.execPath, '-e', '0']);
  expect([idle.code, idle.stdout]).toEqual([3, expect.stringContaining('no successful exchange of a code')]);
  const nowhere = await runHere(['client', ...report, '--', 'no-such-command-anywhere']);
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('there is no such command')]);
  const none = await runHere(['client']);
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringContaining('expected a command after --, --app FILE or --attach URL'),
  ]);
});

test(
  'a redirect address of a scheme of its own is fine with a command; what is no address, and one of a server, is exit 2',
  PROVE,
  async () => {
    const report = ['--report', test.info().outputPath('report')];
    const words = (address: string) => ['client', ...report, '--redirect-uri', address, '--'];
    const own = await runHere([...words('surveyapp://auth'), process.execPath, OWN_TESTS]);
    expect(own.code, own.stdout + own.stderr).toBe(0);
    const none = await runHere([...words('here'), process.execPath, '-e', '0']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('got "here"')]);
    const file = test.info().outputPath('app.config.json');
    const app = {
      name: 'ours',
      start: { command: 'node server.js', ready: 'http://127.0.0.1:{port}/' },
      redirectUri: 'surveyapp://auth',
      connect: { visit: 'http://127.0.0.1:{port}/connect' },
      calls: { list: { request: 'GET http://127.0.0.1:{port}/{project}' } },
    };
    writeFileSync(file, JSON.stringify(app));
    const served = await runHere(['client', '--app', file, ...report]);
    expect([served.code, served.stderr]).toEqual([2, expect.stringContaining('redirectUri: expected')]);
  },
);

test('a signal is passed on to the command, whose end is told', async () => {
  const report = ['--report', test.info().outputPath('report')];
  const running = startCommand(['client', ...report, '--', process.execPath, OWN_TESTS, '--wait']);
  await running.printed('waiting');
  running.stop('SIGTERM');
  const end = await running.end;
  expect(end.stdout).toContain('told SIGTERM');
  expect([end.code, end.stdout]).toEqual([3, expect.stringContaining('exit code 5')]);
});

test('--json: standard output is the results, and what the tests print goes to standard error', async () => {
  const words = ['--json', '--report', test.info().outputPath('report'), '--', process.execPath, OWN_TESTS];
  const end = await runCommand(['client', ...words]);
  expect(end.code, end.stderr).toBe(0);
  expect(JSON.parse(end.stdout)).toMatchObject({ subject: 'client', exitCode: 0 });
  expect(end.stderr).toContain('list: 200');
  expect(end.stderr).toContain('not exercised: ');
});

test(
  '--known-deviations: what is listed by its signature is accepted until its date; what is not seen any more is told',
  PROVE,
  async () => {
    const first = test.info().outputPath('first');
    expect((await clientCommand(first, '--old-token')).code).toBe(1);
    const id = 'pair.newest-access-token';
    const signature = resultsIn(first).requirements.find((one) => one.id === id)?.signature ?? '';
    const again = async (requirement: string, until: string) => {
      const file = test.info().outputPath('known-deviations.json');
      const why = 'the library is replaced';
      const deviations = [{ requirement, signature, why, ticket: 'A-1', until }];
      writeFileSync(file, JSON.stringify({ deviations }));
      const report = ['--report', test.info().outputPath('report'), '--known-deviations', file];
      const end = await runHere(['client', ...report, '--', process.execPath, OWN_TESTS, '--old-token']);
      return [end.code, end.stdout];
    };
    expect(await again(id, '2999-12-31')).toEqual([0, expect.stringContaining('accepted until 2999-12-31')]);
    expect(await again(id, '2020-01-31')).toEqual([1, expect.stringContaining('2020-01-31')]);
    const fixed = 'code.five-parameters';
    expect(await again(fixed, '2999-12-31')).toEqual([1, expect.stringContaining(fixed)]);
  },
);
