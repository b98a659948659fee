import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import type { Results } from '../../../src/report/results.ts';
import { idsWith } from '../../support/check-live.ts';
import type { CommandEnd } from '../../support/command.ts';
import { runHere } from '../../support/command-here.ts';
import type { RunningIndependentService } from '../../support/independent-service/start.ts';
import { Walk } from '../../support/independent-service/walk.ts';
import {
  type Change,
  type WrittenConfiguration,
  withIndependentService,
  writeLiveConfiguration,
} from '../../support/live-config.ts';
import { PROVE } from '../../support/prove.ts';

/** Whole default runs of a verb on services as small vendors run them: grace windows, limits, brownouts, an announced end. */

test.setTimeout(600_000);

const OWN_TESTS = fileURLToPath(new URL('../../support/own-tests/simple-oauth2.mjs', import.meta.url));

interface Ran {
  readonly end: CommandEnd;
  readonly results: Results;
  readonly running: RunningIndependentService;
}

/** Runs `check` on the service, and requires that it leaves no user assigned. */
async function checked(
  independentService: Readonly<Record<string, string>>,
  change: Partial<ConfigurationFile> = {},
): Promise<Ran> {
  const env = { INDEPENDENT_SERVICE_CONSENT: 'always', ...independentService };
  const changed: Change = ({ consent }) => ({ consent: { ...consent, settleMs: 150 }, ...change });
  return withIndependentService(env, changed, async ({ running, ...written }) => {
    const report = test.info().outputPath('report');
    const end = await runHere(['check', '--target', written.file, '--report', report], written.env);
    const results = JSON.parse(readFileSync(`${report}/results.json`, 'utf8')) as Results;
    return { end, results, running };
  });
}

function expectHealthy({ end, results }: Ran): void {
  for (const kind of ['fail', 'warning', 'blocked', 'not-run'] as const)
    expect([kind, idsWith(results, kind)], end.stdout).toEqual([kind, []]);
  expect([end.code, results.verdict], end.stdout).toEqual([0, 'conforms']);
}

for (const kind of ['same-pair', 'another-pair', 'refused'])
  test(`a grace window, ${kind}: a healthy service conforms`, PROVE, async () => {
    expectHealthy(await checked({ INDEPENDENT_SERVICE_GRACE: kind }));
  });

/** With the independent service's clock. */
const clocked: Change = ({ baseUrl }) => ({ clock: { advanceUrl: `${baseUrl}/clock/advance` } });

for (const kind of ['same-pair', 'another-pair', 'refused'])
  test(
    `a grace window, ${kind}: replays and old tokens are no failure of a healthy service`,
    PROVE,
    async () => {
      const grace = { INDEPENDENT_SERVICE_GRACE: kind, INDEPENDENT_SERVICE_CLOCK: '1' };
      await withIndependentService(grace, clocked, async ({ file, env }) => {
        const report = test.info().outputPath('report');
        for (const words of [
          ['check', '--explore', '0', '--only', '4.3', '--only', '2.1', '--only', '8'],
          ['explore', '--requests', '300', '--seed', '1', '--risk', 'revokes'],
          ['explore', '--requests', '300', '--seed', '2', '--risk', 'revokes'],
        ]) {
          const { code, stdout } = await runHere([...words, '--target', file, '--report', report], env);
          expect(code, stdout).toBe(0);
        }
      });
    },
  );

/** Returns the answers of `observe` about old refresh tokens, by the aspects that a window has. */
async function refreshFate({ file, env }: WrittenConfiguration, out: string) {
  const words = ['observe', '--target', file, '--probe', 'refresh-fate', '--out', out];
  const { code, stderr } = await runHere(words, env);
  expect(code, stderr).toBe(0);
  const { answers, observed } = await loadProfile(out);
  const of = (aspect: 'old-refresh-token' | 'grace-seconds' | 'successor' | 'reuse') =>
    observed?.notObserved[`refresh-fate.${aspect}`] ?? answers[`refresh-fate.${aspect}`];
  return {
    fate: [of('old-refresh-token'), of('successor')],
    window: [of('grace-seconds'), of('reuse')],
  };
}

for (const [kind, fate, window] of [
  ['another-pair', ['never', 'another-pair'], [30, 'revokes-the-grant']],
  ['same-pair', ['on-first-use-of-the-new', 'same-pair'], [null, 'revokes-the-grant']],
  ['refused', ['at-once', 'refused'], [null, 'refused']],
] as const)
  test(`observe says which grace it is: ${kind}`, PROVE, async () => {
    await withIndependentService(
      { INDEPENDENT_SERVICE_GRACE: kind, INDEPENDENT_SERVICE_CLOCK: '1' },
      clocked,
      async (written) => {
        const seen = await refreshFate(written, test.info().outputPath('staging.yaml'));
        expect([seen.fate, seen.window]).toEqual([fate, window]);
      },
    );
  });

test(
  'old refresh tokens that live for ever do not hide behind grace: observe says so, and check --like fails',
  PROVE,
  async () => {
    const out = test.info().outputPath('recorded.yaml');
    const grace = { INDEPENDENT_SERVICE_GRACE: 'another-pair', INDEPENDENT_SERVICE_CLOCK: '1' };
    await withIndependentService(grace, clocked, (healthy) => refreshFate(healthy, out));
    const endless = { ...grace, INDEPENDENT_SERVICE_GRACE_SECONDS: 'Infinity' };
    await withIndependentService(endless, clocked, async ({ running, file, env }) => {
      const seen = await refreshFate({ file, env }, test.info().outputPath('now.yaml'));
      expect(seen.window).toEqual(['unlimited', null]);
      const words = ['check', '--target', file, '--like', out, '--risk', 'refusals,revokes'];
      const report = ['--report', test.info().outputPath('report')];
      const { code, stdout } = await runHere([...words, ...report], env);
      expect(code, stdout).toBe(1);
      expect(stdout).toMatch(/FAIL\s+refresh-fate\.grace-seconds/);
      expect(stdout).toMatch(/30[\s\S]*unlimited/);
      // Without a clock it looks like a window, and observe says what is missing.
      const clockless = writeLiveConfiguration(running.ready, test.info().outputPath('.'));
      const blind = await refreshFate(clockless, test.info().outputPath('blind.yaml'));
      expect(blind.fate).toEqual(['never', 'another-pair']);
      expect(blind.window[0]).toContain('it takes a clock that can be moved');
    });
  },
);

test('limits by method: a whole run slows down before a 429, and is a verdict', PROVE, async () => {
  const ran = await checked({
    INDEPENDENT_SERVICE_LIMITS: 'GET=30,POST=30,PUT=30,DELETE=30',
    INDEPENDENT_SERVICE_LIMIT_SECONDS: '2',
  });
  expectHealthy(ran);
  expect(ran.running.throttled()).toBe(0);
});

test('limits by method: pacing.perMinute stays below what the vendor allows', PROVE, async () => {
  const perMinute = { GET: 400, POST: 300, PUT: 200, DELETE: 200 };
  const limits = 'GET=400,POST=300,PUT=200,DELETE=200';
  const ran = await checked(
    { INDEPENDENT_SERVICE_LIMITS: limits },
    { pacing: { requestsPerSecond: 1_000, perMinute } },
  );
  expectHealthy(ran);
  expect(ran.running.throttled()).toBe(0);
});

test(
  'an announced end stands in the first lines under the verdict, and changes no result',
  PROVE,
  async () => {
    const ran = await checked({ INDEPENDENT_SERVICE_SUNSET: '2027-01-31' });
    expectHealthy(ran);
    const [, under = ''] = ran.end.stdout.split('(exit 0)');
    const first = under.split('\n').slice(0, 5).join('\n');
    for (const said of ['sunset on 2027-01-31', 'deprecated since 2026-01-01']) expect(first).toContain(said);
  },
);

for (const [brownout, codes] of [
  ['8/60/410', [3]],
  ['14/6/410', [0, 3]],
  ['24/20/410', [0, 3]],
] as const)
  test(`a brownout of ${brownout} in the middle of a run is no verdict on the service`, PROVE, async () => {
    const { end, results } = await checked({ INDEPENDENT_SERVICE_BROWNOUT: brownout });
    expect(idsWith(results, 'fail'), end.stdout).toEqual([]);
    expect(codes, end.stdout).toContain(end.code);
  });

test(
  'a brownout of 503 is waited for, or leaves the run inconclusive, and is no failure',
  PROVE,
  async () => {
    const { end, results } = await checked({ INDEPENDENT_SERVICE_BROWNOUT: '8/20/503' });
    expect([...idsWith(results, 'fail'), ...idsWith(results, 'warning')], end.stdout).toEqual([]);
    expect([0, 3], end.stdout).toContain(end.code);
  },
);

test(
  'a configured brownout that begins during the run stops it before, by name, and no user stays assigned',
  PROVE,
  async () => {
    let [from, to] = ['', ''];
    const configured: Change = () => {
      [from = '', to = ''] = [70, 670].map((seconds) => new Date(Date.now() + seconds * 1_000).toISOString());
      const retired = { expectedFrom: '2027-02-01', brownouts: [{ from, to }] };
      return { retired, pacing: { requestsPerSecond: 10 } };
    };
    await withIndependentService(
      { INDEPENDENT_SERVICE_BROWNOUT: '70/600/410' },
      configured,
      async ({ running, file, env }) => {
        const words = ['check', '--target', file, '--report', test.info().outputPath('report')];
        const { code, stdout } = await runHere(words, env);
        expect(code, stdout).toBe(3);
        expect(stdout).toContain(
          `the service rests from ${from} to ${to} (\`retired.brownouts\`): the run was stopped`,
        );
        const changes = (await running.received()).filter((line) => /^(?:PUT|DELETE) /.test(line));
        expect(changes.filter((line) => line.startsWith('PUT'))).not.toEqual([]);
        expect(changes.at(-1)).toMatch(/^DELETE /);
      },
    );
  },
);

test('care: careful: a whole run explores nothing, replays nothing and is partial', PROVE, async () => {
  const { end, results } = await checked({}, { care: 'careful' });
  expect([end.code, results.verdict, results.selection], end.stdout).toEqual([0, 'conforms', 'careful']);
  expect(end.stdout).toContain('care: careful leaves out replays, odd ids and exploring');
  expect(results.exploration).toBeUndefined();
  const ids = results.requirements.map(({ id }) => id);
  expect(ids.filter((id) => /single-use|replay|bound-to-client/.test(id))).toEqual([]);
});

test('a drill: a whole run is red, stamped, and leaves no user assigned', PROVE, async () => {
  await withIndependentService({}, {}, async ({ running, file, env }) => {
    const words = ['check', '--target', file, '--report', test.info().outputPath('report')];
    const end = await runHere(words, { ...env, LEGACY_CONFORMANCE_DRILL: '1' });
    expect(end.code, end.stdout).toBe(1);
    expect(end.stdout).toContain('DRILL: independent-service');
    expect(end.stdout).toMatch(/FAIL\s+exchange\.expires-in-7200/);
    expect(await new Walk(running.ready).everyone()).toEqual(running.ready.assigned);
  });
});

test(
  'a recording of the service tells a client what it accepts today, and check --like says when it is old',
  PROVE,
  async () => {
    const out = test.info().outputPath('staging.yaml');
    await withIndependentService({}, {}, async ({ file, env }) => {
      const risks = ['--risk', 'refusals'];
      expect((await runHere(['observe', '--target', file, '--out', out, ...risks], env)).code).toBe(0);
      const client = ['--report', test.info().outputPath('client'), '--profile', out, '--', process.execPath];
      const basic = await runHere(['client', ...client, OWN_TESTS, '--basic']);
      expect(basic.code, basic.stdout).toBe(0);
      expect(basic.stdout).toContain('ACCEPTED TODAY token-request.credentials-in-form');
      const json = await runHere(['client', ...client, OWN_TESTS, '--json']);
      expect([json.code, json.stdout]).toEqual([1, expect.stringContaining('FAIL token-request.form-post')]);
      const old = readFileSync(out, 'utf8').replace(/(at: ["']?)\d{4}/, '$12020');
      writeFileSync(out, old);
      const words = ['check', '--target', file, '--like', out, '--report', test.info().outputPath('report')];
      const { code, stdout, stderr } = await runHere(words, env);
      expect(code, stdout).toBe(0);
      expect(stderr).toContain('records independent-service on 2020-');
      expect(stdout).toMatch(/the recorded profile is \d+ days old, more than 30 \(`maxAgeDays`\)/);
    });
  },
);
