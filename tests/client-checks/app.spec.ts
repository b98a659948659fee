import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { validateResults } from '../../generated/validators.js';
import { singleQuoted } from '../../src/document/input/shell-quotes.ts';
import { startCommand } from '../support/command.ts';
import { runHere } from '../support/command-here.ts';
import { blocksOf, notPrinted } from '../support/documentation/blocks.ts';
import { onLoopback } from '../support/on-loopback.ts';
import { PROVE } from '../support/prove.ts';

/** `client --app FILE`: a running application, or a client of commands, is led through situations. */

const APPS = fileURLToPath(new URL('../support/client-apps/', import.meta.url));

const NODE = { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };

/** Some situations that need neither seconds nor many processes. */
const SOME = ['second-user', 'state-wrong', 'killed-after-refresh', 'exchange-500'].flatMap(onlyOne);

function onlyOne(situation: string): readonly string[] {
  return ['--only', situation];
}

const GOOD = JSON.parse(readFileSync(join(APPS, 'reference.json'), 'utf8'));

test(
  'the reference client as a web application: some situations, nothing broken, each with a fresh state',
  PROVE,
  async () => {
    const folder = test.info().outputPath('report');
    const end = await runHere(
      ['client', '--app', join(APPS, 'reference.json'), ...SOME, '--report', folder],
      NODE,
    );
    expect(end.code, end.stdout + end.stderr).toBe(0);
    const results: unknown = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
    if (!validateResults(results)) throw new Error(JSON.stringify(validateResults.errors));
    expect(results.client?.situations.filter(({ gap }) => gap !== undefined)).toEqual([]);
    expect(end.stdout.split('(exit 0)')[1]).toMatch(/not exercised: \d+ requirements; the report says more/);
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toMatch(/Habits: .*other-resources: /);
    const passed = results.requirements.filter(({ result }) => result === 'pass').map(({ id }) => id);
    expect(passed).toEqual(
      expect.arrayContaining(['pair.own-user', 'pair.stored-before-used', 'state.checked']),
    );
  },
);

test('a client of commands, written after simple-oauth2: its mistakes by name', PROVE, async () => {
  const folder = test.info().outputPath('report');
  const only = ['state-wrong', 'unauthorized-once', 'calls-at-expiry'].flatMap(onlyOne);
  const end = await runHere(
    ['client', '--app', join(APPS, 'simple-oauth2.json'), ...only, '--report', folder],
    NODE,
  );
  expect(end.code, end.stdout + end.stderr).toBe(1);
  for (const mistake of [
    'FAIL    token-request.credentials-in-form',
    'DANGER  state.checked',
    'WARNING unauthorized.recovers',
  ])
    expect(end.stdout).toContain(mistake);
  const evidence = readFileSync(join(folder, 'index.html'), 'utf8');
  expect(evidence).toContain('POST /oauth/token: refresh (request ');
  // The example in the documentation.
  const page = blocksOf(readFileSync(join(APPS, '../../../docs/check-your-client.md'), 'utf8'));
  const [shown] = page.filter(({ text }) => text.startsWith('  WARNING renewal.one-at-a-time'));
  expect(notPrinted(shown?.text ?? 'nothing is shown', end.stdout)).toEqual([]);
});

test('a file that says nothing useful: 2, with the key; one whose application does not start: 2, with what it printed', async () => {
  const file = test.info().outputPath('app.config.json');
  writeFileSync(
    file,
    JSON.stringify({ name: 'ours', redirectUri: 'here', connect: {}, calls: { lists: {} } }),
  );
  const wrong = await runHere(['client', '--app', file]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('redirectUri')]);
  expect(wrong.stderr).toContain('calls');
  const list = { request: 'GET http://127.0.0.1:{port}/projects/{projct}' };
  const visit = 'http://127.0.0.1:{port}/connect?as={user}';
  const braces = { variables: { TEMPLATE: '/{kind}/{id}' }, fresh: "awk '{print}' </dev/null" };
  writeFileSync(file, JSON.stringify({ ...GOOD, connect: { visit }, calls: { list }, ...braces }));
  const mistyped = await runHere(['client', '--app', file]);
  expect([mistyped.code, mistyped.stderr]).toEqual([
    2,
    expect.stringMatching(
      /connect\.visit: .*got \{user\}[\s\S]*calls\.list\.request: .*got \{projct\}; did you mean \{project\}/,
    ),
  ]);
  // The folder of the file may have any name.
  expect(mistyped.stderr.replaceAll(file, '')).not.toMatch(/variables|fresh/);
  const start = { ...GOOD.start, command: 'echo no luck today; exit 3' };
  writeFileSync(file, JSON.stringify({ ...GOOD, start }));
  const report = ['--report', test.info().outputPath('report')];
  const dead = await runHere(['client', '--app', file, ...report]);
  expect([dead.code, dead.stderr]).toEqual([
    2,
    expect.stringMatching(/start\.command: .* before it was ready: no luck/),
  ]);
  const other = await onLoopback(createServer((_, response) => response.end('another program')));
  writeFileSync(file, JSON.stringify({ ...GOOD, redirectUri: `${other.origin}/callback` }));
  const taken = await runHere(['client', '--app', file, ...report]);
  const why = `redirectUri: something answers at ${other.origin}/ before node reference-app.ts is started: stop it, or`;
  expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining(why)]);
  await other.close();
});

test(
  'a situation that should have come about and did not: 3, with its name and what the application printed',
  PROVE,
  async () => {
    const file = test.info().outputPath('app.config.json');
    const command = `case {state} in *forbidden*) echo no room; exit 3;; esac; cd ${singleQuoted(APPS)}; ${GOOD.start.command}`;
    writeFileSync(file, JSON.stringify({ ...GOOD, start: { ...GOOD.start, command } }));
    const only = ['--only', 'forbidden', '--report', test.info().outputPath('report')];
    const end = await runHere(['client', '--app', file, ...only], NODE);
    expect(end.code, end.stdout + end.stderr).toBe(3);
    expect(end.stdout).toContain('one situation could not be produced: forbidden (');
    expect(end.stdout).toContain('no room');
  },
);

test(
  'a program in Python that checks no certificate is seen where the environment names a file of authorities',
  PROVE,
  async () => {
    const file = test.info().outputPath('app.config.json');
    const seen = test.info().outputPath('seen');
    const command = `echo {state} "$REQUESTS_CA_BUNDLE" >> ${singleQuoted(seen)}; cd ${singleQuoted(APPS)}; ${GOOD.start.command}`;
    writeFileSync(file, JSON.stringify({ ...GOOD, start: { ...GOOD.start, command } }));
    const only = ['--only', 'untrusted-certificate', '--report', test.info().outputPath('report')];
    const env = { ...NODE, REQUESTS_CA_BUNDLE: 'own-authorities.pem' };
    await runHere(['client', '--app', file, ...only], env);
    const named = readFileSync(seen, 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('own-authorities.pem'));
    expect(named.filter((line) => line.includes('flow')).length).toBeGreaterThan(0);
    expect(named.filter((line) => line.includes('untrusted'))).toEqual([]);
  },
);

test('init --client writes a starter that can be read, and overwrites nothing', async () => {
  const file = test.info().outputPath('app.config.json');
  const first = await runHere(['init', '--client', '--out', file]);
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('client --app')]);
  expect(JSON.parse(readFileSync(file, 'utf8')).calls.list.request).toContain('{project}');
  const second = await runHere(['init', '--client', '--out', file]);
  expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('is there already')]);
});

test(
  '--expires-in with a clock that can be moved waits for nothing; without, the wait is shown and ends at a signal',
  PROVE,
  async () => {
    const words = ['--only', 'flow', '--expires-in', '600', '--report', test.info().outputPath('report')];
    const moved = await runHere(['client', '--app', join(APPS, 'reference.json'), ...words], NODE);
    expect(moved.code, moved.stdout + moved.stderr).toBe(0);
    const file = test.info().outputPath('app.config.json');
    const start = { ...GOOD.start, command: `cd ${singleQuoted(APPS)}; ${GOOD.start.command}` };
    writeFileSync(file, JSON.stringify({ ...GOOD, start, clock: 'none' }));
    const running = startCommand(['client', '--app', file, ...words], NODE);
    await running.printed('waiting for tokens to expire: 10 min');
    running.stop('SIGTERM');
    const end = await running.end;
    expect([end.code, end.stdout]).toEqual([3, expect.stringContaining('because the run was interrupted; ')]);
  },
);
