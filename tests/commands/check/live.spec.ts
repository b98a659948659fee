import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { check } from '../../../src/index.ts';
import type { Results } from '../../../src/report/results.ts';
import { DEFAULTS } from '../../../src/service/configuration/configuration.ts';
import { checkLive, idsWith } from '../../support/check-live.ts';
import type { CommandEnd } from '../../support/command.ts';
import { runHere } from '../../support/command-here.ts';
import { settlingSoon, withIndependentService } from '../../support/live-config.ts';
import { PROVE } from '../../support/prove.ts';

/** The command as a process against a service that is not ours, reached only through a configuration file. */

test.setTimeout(300_000);

async function checkIndependentService(
  independentService: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<{ end: CommandEnd; results: Results | undefined; doctor: CommandEnd }> {
  const info = test.info();
  return withIndependentService(independentService, settlingSoon, async ({ file, env }) => {
    const report = info.outputPath('report');
    const doctor = await runHere(['doctor', '--walk', '--target', file], env);
    const end = await runHere(['check', '--target', file, '--report', report, ...args], env);
    return { end, doctor, results: readResults(`${report}/results.json`) };
  });
}

function readResults(file: string): Results | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Results;
  } catch {
    return undefined;
  }
}

test(
  'wrapped: it keeps the document, and what it cannot be asked is not applicable with its reason',
  PROVE,
  async () => {
    const { end, results, doctor } = await checkIndependentService({ INDEPENDENT_SERVICE_CONSENT: 'always' });
    expect(idsWith(results, 'fail')).toEqual([]);
    expect(idsWith(results, 'blocked')).toEqual([]);
    expect(idsWith(results, 'not-run')).toEqual([]);
    expect(idsWith(results, 'warning')).toEqual([]);
    // No clock to move, no account area to create an application in, and odd ids are sent only where that is asked for.
    expect(idsWith(results, 'not-applicable')).toEqual([
      'application.account-area',
      'resource.odd-ids-contained',
      'refresh.after-expiry',
      'lifetime.alive-until-7200',
      'lifetime.dead-after-7200',
      'lifetime.refreshed-full',
      'exchange.code-short-lived',
    ]);
    expect(end.stdout).toContain('conforms (exit 0)');
    expect(end.code).toBe(0);
    // The default budget is a full run and a quarter more.
    const { requests = 0, refusedAuthentications = 0 } = results?.used ?? {};
    expect(requests * 1.25).toBeLessThan(DEFAULTS.budget.requests);
    expect(requests).toBeGreaterThan(DEFAULTS.budget.requests / 2);
    expect(refusedAuthentications * 1.25).toBeLessThan(DEFAULTS.budget.refusedAuthentications);
    expect(refusedAuthentications).toBeGreaterThan(DEFAULTS.budget.refusedAuthentications / 2);
    const foretold = Number(/sends about (\d+) requests/.exec(doctor.stdout)?.[1]);
    expect(
      Math.abs(foretold / (requests - (results?.exploration?.requests ?? 0)) - 1),
      `${foretold} foretold, ${requests} sent`,
    ).toBeLessThan(0.2);
    // A list of staging holds people: of them only the configured ids may be shown.
    expect(JSON.stringify(results).includes('@staging.example.test')).toBe(false);
  },
);

test('as shipped: it says `Bearer`, overlooks unknown scopes, and nothing else', PROVE, async () => {
  const shipped = { INDEPENDENT_SERVICE_MODE: 'as-shipped', INDEPENDENT_SERVICE_CONSENT: 'always' };
  const results = await withIndependentService(shipped, {}, (written) => checkLive(written));
  expect(idsWith(results, 'fail')).toEqual([
    // The library writes `Bearer`; the document's value is `bearer` (clauses 2.1 and 5.4).
    'exchange.token-type-bearer',
    'refresh.token-type-bearer',
  ]);
  // It drops a scope that it does not know when another one is known.
  expect(idsWith(results, 'warning')).toEqual(['authorize.scope-unknown-refused']);
  expect(idsWith(results, 'not-run')).toEqual([]);
  expect(results.exitCode).toBe(1);
});

test(
  'a service that demands HTTP Basic: the owner of the step fails, both exchanges being its evidence',
  PROVE,
  async () => {
    const only = ['exchange.form-encoded', '4.4'] as const;
    const results = await withIndependentService(
      { INDEPENDENT_SERVICE_DEMANDS: 'basic' },
      {},
      ({ file, env }) => check(file, { only, env: { ...process.env, ...env } }),
    );
    expect(idsWith(results, 'fail')).toEqual(['exchange.form-encoded']);
    expect(idsWith(results, 'not-run')).toEqual([]);
    expect(idsWith(results, 'pass')).toContain('assign.adds-user');
    expect(results.requirements.find(({ result }) => result === 'fail')?.reason).toContain('HTTP Basic');
    expect(results.exitCode).toBe(1);
  },
);

test('a variable that is not set: refused before anything is sent, with its name', async () => {
  await withIndependentService({}, {}, async ({ running, file }) => {
    const env = { ...process.env, STAGING_PASSWORD: undefined };
    await expect(check(file, { env })).rejects.toThrow('STAGING_PASSWORD');
    expect(await running.received()).toEqual([]);
  });
});
