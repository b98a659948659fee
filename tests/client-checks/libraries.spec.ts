import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { ClientRequirementId } from '../../generated/ids.ts';
import { validateResults } from '../../generated/validators.js';
import { runCommand } from '../support/command.ts';
import { firstInTest, PROVE } from '../support/prove.ts';

/** Libraries as documented: what each is seen to do wrong is recorded, and a difference fails. All in `npm run prove`. */

const APPS = fileURLToPath(new URL('../support/client-apps/', import.meta.url));
const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;

/** Duties that each library leaves to the application, and that the README's application does not do. */
const LEFT_TO_THE_APPLICATION: readonly ClientRequirementId[] = [
  'callback.at-once',
  'callback.reload',
  // It answers with the service's status, and reads no list.
  'errors.failed-call',
  'renewal.refused-not-repeated',
];

const MISTAKES: Readonly<Record<string, readonly ClientRequirementId[]>> = {
  oauth4webapi: ['errors.deadline', 'renewal.one-at-a-time', 'unauthorized.recovers'],
  'openid-client': [
    'errors.deadline',
    'renewal.one-at-a-time',
    'sign-in.values-encoded',
    'unauthorized.recovers',
  ],
  badgateway: ['errors.deadline', 'token-request.credentials-in-form', 'token-request.redirect-not-followed'],
  arctic: [
    'errors.deadline',
    'renewal.one-at-a-time',
    'token-request.credentials-in-form',
    'token-request.redirect-not-followed',
    'unauthorized.recovers',
  ],
  'google-auth-library': [
    'code.sent-once',
    'errors.deadline',
    'pair.newest-access-token',
    'renewal.lost-not-repeated',
    'token-request.redirect-not-followed',
    'unauthorized.recovers',
    'waiting.retry-after',
  ],
  'simple-oauth2': [
    'denial.no-token-request',
    'errors.deadline',
    'errors.still-answers',
    'pair.newest-access-token',
    'renewal.one-at-a-time',
    'state.bound',
    'state.checked',
    'state.unguessable',
    'token-request.credentials-in-form',
    'unauthorized.recovers',
  ],
};

/** Situations for `npm test`, and what they show of two libraries. */
const SOME = ['callback-reloaded', 'exchange-500', 'unauthorized-once'];
const SHOWN: Readonly<Record<string, readonly ClientRequirementId[]>> = {
  oauth4webapi: ['callback.reload', 'unauthorized.recovers'],
  'google-auth-library': ['callback.reload', 'code.sent-once', 'unauthorized.recovers'],
};

/** Ids of everything that a run showed broken, also by the mistake of another requirement. */
async function broken(app: string, only: readonly string[], env: Readonly<Record<string, string>>) {
  const folder = test.info().outputPath('report');
  const words = only.flatMap((situation) => ['--only', situation]);
  const end = await runCommand(['client', '--app', join(APPS, app), ...words, '--report', folder], {
    PATH,
    ...env,
  });
  expect([0, 1], end.stdout + end.stderr).toContain(end.code);
  const results: unknown = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
  if (!validateResults(results)) throw new Error(JSON.stringify(validateResults.errors));
  const ids = results.requirements
    .filter(({ result }) => ['fail', 'warning', 'blocked'].includes(result))
    .map(({ id }) => id);
  return ids.toSorted();
}

for (const [[library, mistakes], details] of firstInTest(Object.entries(SHOWN), 1))
  test(`${library}: the mistakes that some situations show`, details, async () => {
    test.setTimeout(240_000);
    const ids = await broken('libraries/app.mjs', SOME, { CLIENT_LIBRARY: library });
    expect(ids).toEqual(mistakes.toSorted());
  });

for (const [library, mistakes] of Object.entries(MISTAKES))
  test(`${library}: exactly the mistakes that are recorded`, PROVE, async () => {
    test.setTimeout(240_000);
    const ids = await broken('libraries/app.mjs', [], { CLIENT_LIBRARY: library });
    expect(ids).toEqual([...mistakes, ...LEFT_TO_THE_APPLICATION].toSorted());
  });

for (const [takes, code, word] of [
  [true, 0, 'ACCEPTED TODAY'],
  [false, 1, 'FAIL'],
] as const)
  test(
    `arctic, on the recording of a service that ${takes ? 'takes' : 'refuses'} HTTP Basic: ${code}`,
    PROVE,
    async () => {
      test.setTimeout(240_000);
      const file = test.info().outputPath('staging.yaml');
      const answers = { 'client-authentication.basic': takes };
      writeFileSync(
        file,
        JSON.stringify({ name: 'staging', title: 'Ours', summary: 'Ours.', warnings: [], answers }),
      );
      const report = ['--profile', file, '--report', test.info().outputPath('report')];
      const end = await runCommand(['client', '--app', join(APPS, 'libraries/app.mjs'), ...report], {
        PATH,
        CLIENT_LIBRARY: 'arctic',
      });
      expect(end.code, end.stdout + end.stderr).toBe(code);
      expect(end.stdout).toMatch(new RegExp(`${word} +token-request\\.credentials-in-form`));
    },
  );

/** A Python that has requests-oauthlib: distributions install it for their own, which need not be the first of PATH. */
function pythonWithOauthlib(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  const found = [...new Set(folders)]
    .map((folder) => join(folder, 'python3'))
    .filter((file) => existsSync(file));
  return found.find((file) => spawnSync(file, ['-c', 'import requests_oauthlib']).status === 0);
}

test('requests-oauthlib (Python): exactly the mistakes that are recorded', PROVE, async () => {
  const python = pythonWithOauthlib();
  test.skip(python === undefined, 'no python3 has requests-oauthlib (Debian: python3-requests-oauthlib)');
  test.setTimeout(240_000);
  // Nothing but the interpreter, under the name that the file calls it by.
  const folder = test.info().outputPath('python');
  mkdirSync(folder);
  symlinkSync(python ?? '', join(folder, 'python3'));
  const path = `${folder}${delimiter}${PATH}`;
  const mistakes: readonly ClientRequirementId[] = [
    'errors.deadline',
    'renewal.one-at-a-time',
    // As its documentation has it, a callback in a browser that began no sign-in is compared with nothing.
    'state.bound',
    'state.checked',
    'token-request.redirect-not-followed',
    'unauthorized.recovers',
  ];
  const ids = await broken('requests-oauthlib.json', [], { PATH: path });
  // It passes every body on, so that its user sees half a list.
  const left = LEFT_TO_THE_APPLICATION.filter((id) => id !== 'errors.failed-call');
  expect(ids).toEqual([...mistakes, ...left].toSorted());
});
