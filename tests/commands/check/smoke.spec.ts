/** `check --smoke`: one walk of at most twenty requests, and a verdict that says how much it speaks of. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Results } from '../../../src/report/results.ts';
import { readAssigned } from '../../../src/service/flow/assigned-by-run.ts';
import { checkLive, idsWith } from '../../support/check-live.ts';
import { runHere } from '../../support/command-here.ts';
import { type Change, withIndependentService } from '../../support/live-config.ts';

/** Returns the results of a smoke run in this process without a browser, and the number of its requests. */
async function smoke(
  independentService: Readonly<Record<string, string>>,
): Promise<{ results: Results; sent: number }> {
  return withIndependentService(independentService, {}, async ({ running, ...written }) => {
    const results = await checkLive(written, { smoke: true });
    return { results, sent: (await running.received()).length };
  });
}

const CHECKED = [
  'authorize.redirects-with-code',
  'exchange.token-type-bearer',
  'exchange.expires-in-7200',
  'refresh.token-type-bearer',
  'refresh.expires-in-7200',
  'token.json-content-type',
  'token.not-cacheable',
  'exchange.form-encoded',
  'exchange.token-acts',
  'assign.adds-user',
  'unassign.removes-user',
  'refresh.token-response',
  'version.prefix',
].sort();

test('in a browser: at most 20 requests, the verdict is partial, and a notice and consent are in it', async () => {
  const pages = { INDEPENDENT_SERVICE_INTERSTITIAL: '1', INDEPENDENT_SERVICE_CONSENT: 'always' };
  await withIndependentService(pages, {}, async ({ running, file, env }) => {
    const report = test.info().outputPath('report');
    const { code, stdout } = await runHere(['check', '--smoke', '--target', file, '--report', report], env);
    expect(stdout).toContain('conforms (partial)');
    expect(stdout).toMatch(
      /NOTICE smoke used only `lock` \(user \S+, project \S+\); `projects`, `users` and/,
    );
    expect(code).toBe(0);
    const received = await running.received();
    expect(received.length, received.join('\n')).toBeLessThanOrEqual(20);
    const results = JSON.parse(readFileSync(join(report, 'results.json'), 'utf8')) as Results;
    expect(results.selection).toBe('partial');
    expect([...idsWith(results, 'pass')].sort()).toEqual(CHECKED);
    for (const { id, evidence } of results.requirements) expect(evidence, id).not.toEqual([]);
    expect(readAssigned(report)).toEqual([]);
  });
});

const FAILS: readonly (readonly [
  independentService: Readonly<Record<string, string>>,
  failed: readonly string[],
])[] = [
  [
    { INDEPENDENT_SERVICE_DEFECT: 'expires-in-3600' },
    ['exchange.expires-in-7200', 'refresh.expires-in-7200'],
  ],
  [{ INDEPENDENT_SERVICE_MODE: 'as-shipped' }, ['exchange.token-type-bearer', 'refresh.token-type-bearer']],
  [{ INDEPENDENT_SERVICE_DEMANDS: 'no-v2' }, ['version.prefix']],
  [{ INDEPENDENT_SERVICE_DEMANDS: 'basic' }, ['exchange.form-encoded']],
];

for (const [independentService, failed] of FAILS) {
  test(`with ${JSON.stringify(independentService)}: 1, ${failed.join(' and ')} failed, in at most 20 requests`, async () => {
    const { results, sent } = await smoke(independentService);
    expect([...idsWith(results, 'fail')].sort()).toEqual([...failed].sort());
    expect(sent).toBeLessThanOrEqual(20);
    expect(results.exitCode, JSON.stringify(results.troubles)).toBe(1);
  });
}

test('a lock user who does not exist is named by its key', async () => {
  const unknown: Change = (_, { projects }) => ({ lock: { project: projects[0], user: '9009' } });
  await withIndependentService({}, unknown, async (written) => {
    const { troubles, requirements } = await checkLive(written, { smoke: true });
    expect(troubles.map(({ message }) => message)).toEqual([
      expect.stringContaining('check that there is a user `lock.user` (9009)'),
    ]);
    expect(requirements.every(({ result }) => result === 'not-run')).toBe(true);
  });
});

test('a drill turns it red, too', async () => {
  await withIndependentService({}, {}, async ({ file, env }) => {
    const words = ['check', '--smoke', '--target', file, '--report', test.info().outputPath('report')];
    const { code, stdout } = await runHere(words, { ...env, LEGACY_CONFORMANCE_DRILL: '1' });
    expect([code, stdout]).toEqual([1, expect.stringContaining('exchange.expires-in-7200')]);
  });
});

test('with the emulator, or beside a selection, it makes no sense: 2', async () => {
  const emulator = await runHere(['check', '--smoke']);
  expect(emulator.stderr).toContain('--smoke: expected a live target');
  expect(emulator.code).toBe(2);
  const selected = await runHere(['check', '--smoke', '--target', 'x.json', '--only', '4.4']);
  expect(selected.stderr).toContain('--smoke: chooses its own checks');
  expect(selected.code).toBe(2);
  for (const more of [['--like', 'typical'], ['--explore', '50'], ['--wait-expiry']]) {
    const { code, stderr } = await runHere(['check', '--smoke', '--target', 'x.json', ...more]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`so it excludes ${more[0]}`)]);
  }
});

test('--workers: a live target has one', async () => {
  const { file, env } = await withIndependentService(
    {},
    {},
    async (independentService) => independentService,
  );
  const { code, stderr } = await runHere(['check', '--target', file, '--workers', '4'], env);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('--workers: expected 1 on a live target, got 4'),
  ]);
});
