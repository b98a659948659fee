import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { ClientRequirementId, SituationId } from '../../generated/ids.ts';
import { validateResults } from '../../generated/validators.js';
import { lineText } from '../../src/client-checks/evaluate/line.ts';
import { singleQuoted } from '../../src/document/input/shell-quotes.ts';
import { runHere } from '../support/command-here.ts';
import { evaluateVariation } from '../support/faulty-client/evaluate-variation.ts';
import type { VariationId } from '../support/faulty-client/faults.ts';
import { firstInTest } from '../support/prove.ts';

/** Races whose order the suite fixes, and the evidence that they met, with small applications in three languages. */

const FOLDER = fileURLToPath(new URL('../support/client-apps/races/', import.meta.url));

/** Writes the file that drives one of the applications. */
function appFile(command: string, mode: string): string {
  const at = 'http://127.0.0.1:{port}';
  const file = test.info().outputPath('app.config.json');
  const app = {
    name: `${command}, ${mode}`,
    start: { command: `cd ${singleQuoted(FOLDER)}; exec ${command}`, ready: `${at}/` },
    redirectUri: `${at}/callback`,
    connect: { visit: `${at}/connect?user={session}` },
    calls: { list: { request: `GET ${at}/projects/{project}/users` } },
    variables: { PORT: '{port}', CLIENT_MODE: mode },
    clock: 'none',
  };
  writeFileSync(file, JSON.stringify(app));
  return file;
}

const RACES = ['calls-at-expiry', 'refresh-overtaken', 'browser-gone'] as const;
const LOSSES = ['killed-during-refresh', 'refresh-lost'] as const;

const ONE_WORKER: readonly VariationId[] = ['one-worker', 'one-worker-without-a-lock'];

for (const variation of ONE_WORKER)
  test(`${variation}: a race that cannot meet is not exercised, for the reason that is named`, async () => {
    const situations = [
      'flow',
      'expiry',
      'calls-at-expiry',
      'callback-twice',
      'second-user-meanwhile',
    ] as const;
    const { broken, gaps, of } = await evaluateVariation(variation, { situations });
    expect(broken).toEqual([]);
    expect(gaps).toEqual(
      situations
        .slice(2)
        .map((id) => expect.stringMatching(`${id}: .* one request at a time, .*PHP_CLI_SERVER_WORKERS=6`)),
    );
    for (const id of ['renewal.one-at-a-time', 'callback.at-once'] as const)
      expect(of(id)).toMatchObject({ kind: 'not-exercised' });
  });

const SOUND: readonly VariationId[] = [
  'calls-one-by-one',
  'session-locked',
  'lock-file-taken-over',
  'busy-while-it-refreshes',
];

for (const variation of SOUND)
  test(`${variation}: a lock is no single worker, and harms nobody`, async () => {
    const { broken, gaps, of } = await evaluateVariation(variation, {
      situations: ['flow', 'expiry', ...RACES, ...LOSSES],
    });
    expect({ broken, gaps }).toEqual({ broken: [], gaps: [] });
    for (const id of ['renewal.one-at-a-time', 'renewal.keeps-user', 'renewal.keeps-calls'] as const)
      expect(of(id)).toMatchObject({ kind: 'kept' });
  });

const FAULTY: readonly (readonly [VariationId, situation: SituationId, line: RegExp])[] = [
  ['session-locked-alone', 'calls-at-expiry', /sent 2 times .* by 2 connections/],
  ['refresh-for-each-browser', 'calls-at-expiry', /sent 2 times .* by 2 connections/],
  ['refresh-for-each-call', 'refresh-overtaken', /the user is signed out: .* the next one answered 401/],
  [
    'taken-out-before-the-refresh',
    'killed-during-refresh',
    /must sign in again: .* no refresh was sent, although/,
  ],
  ['lock-file-for-ever', 'killed-during-refresh', /signed out for ever: .* the next expiry answered 500/],
  ['pair-dropped-when-lost', 'refresh-lost', /signed out: .* the next call answered 401/],
  ['refresh-bound-to-the-browser', 'browser-gone', /1 of 1 calls at the time of the refresh were lost/],
];

for (const [variation, situation, line] of FAULTY)
  test(`${variation}: ${situation} shows it`, async () => {
    const { evaluated } = await evaluateVariation(variation, { situations: ['flow', 'expiry', situation] });
    const lines = evaluated.flatMap(({ evaluation }) =>
      evaluation.kind === 'broken' ? evaluation.lines.map(lineText) : [],
    );
    expect(lines).toContainEqual(expect.stringMatching(line));
  });

test('a race that costs nothing under the profile says what it costs under the other one', async () => {
  const situations = ['flow', 'expiry', 'calls-at-expiry', 'race-refused'] as const;
  const { of } = await evaluateVariation('refresh-for-each-call', { situations });
  expect(of('renewal.one-at-a-time')).toMatchObject({
    lines: [
      expect.stringMatching(
        /; lost: 0 of 5 calls; lost on a service like the profile by-the-rfc: 5 of 5 calls, and the user, who must sign in again$/,
      ),
      expect.anything(),
    ],
  });
});

const KEEPS = ['renewal.keeps-calls', 'renewal.keeps-user'] as const;
const RACING: readonly ClientRequirementId[] = [...KEEPS, 'renewal.one-at-a-time'];

const APPS: readonly (readonly [command: string, mode: string, broken: readonly ClientRequirementId[]])[] = [
  ['python3 app.py', 'one-worker', []],
  ['python3 app.py', 'sound', []],
  ['ruby app.rb', 'sound', []],
  ['node app.mjs', 'sound', []],
  ['python3 app.py', 'no-lock', RACING],
  ['python3 app.py', 'session-locked', RACING],
  ['python3 app.py', 'taken-out', KEEPS],
  ['python3 app.py', 'lock-file', KEEPS],
  ['ruby app.rb', 'no-lock', RACING],
  ['ruby app.rb', 'one-worker', []],
  ['node app.mjs', 'no-lock', RACING],
  ['node app.mjs', 'lock-of-the-browser', RACING],
  ['node app.mjs', 'bound-to-the-browser', ['renewal.finished', 'renewal.keeps-calls']],
];

/** Of applications that are kept small: they have no deadline of their own, and pass a 401 on. */
const BESIDE: readonly string[] = ['unauthorized.recovers', 'errors.deadline'];

for (const [[command, mode, broken], details] of firstInTest(APPS, 1))
  test(`${command}, ${mode}: ${broken.join(', ') || 'nothing'}`, details, async () => {
    test.setTimeout(120_000);
    const report = test.info().outputPath('report');
    const only = [...RACES, ...LOSSES, 'race-refused'].flatMap((id) => ['--only', id]);
    const words = ['client', '--app', appFile(command, mode), ...only, '--report', report];
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
    const end = await runHere(words, { PATH });
    const results: unknown = JSON.parse(readFileSync(`${report}/results.json`, 'utf8'));
    if (!validateResults(results)) throw new Error(JSON.stringify(validateResults.errors));
    const found = results.requirements.filter(({ result }) =>
      ['fail', 'warning', 'blocked'].includes(result),
    );
    const ids = found.map(({ id }) => id).filter((id) => !BESIDE.includes(id));
    expect(ids.toSorted(), end.stdout + end.stderr).toEqual(broken.toSorted());
    const why = results.requirements.find(({ id }) => id === 'renewal.one-at-a-time');
    const raced = results.requirements.some(
      ({ id, result }) => id === 'habits.races' && result === 'observed',
    );
    expect(raced).toBe(mode !== 'one-worker');
    const reason = expect.stringMatching(/calls-at-expiry was not produced: .* one request at a time/);
    if (mode === 'one-worker') expect(why).toMatchObject({ result: 'not-exercised', reason });
  });
