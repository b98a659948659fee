/** Denial on live targets, checked wherever the service asks the owner; the verdict says which part was not evaluated. */
import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../../generated/ids.ts';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import { CollectedRun } from '../../../src/evaluation/run/collected-run.ts';
import { openWorker } from '../../../src/evaluation/run/worker.ts';
import type { Transport } from '../../../src/http/exchange.ts';
import type { Configuration } from '../../../src/service/configuration/configuration.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import type { Target } from '../../../src/service/target.ts';
import { CHECKS_IN_ORDER } from '../../proof/kill-matrix/run-checks.ts';
import { anyDefectsById } from '../../proof/second-order/index.ts';
import { checkBehind, checkLive, checkOpened, idsWith } from '../../support/check-live.ts';
import { emulatorAsLiveTarget, OPENED_ELSEWHERE } from '../../support/emulator-as-live.ts';
import { withIndependentService } from '../../support/live-config.ts';

const DENIALS: readonly RequirementId[] = [
  'authorize.grant-needed',
  'authorize.state-echoed-on-denial',
  'authorize.denial-redirects',
];

type Consent = Partial<Configuration['consent']>;

async function onIndependentService(env: Readonly<Record<string, string>>, change: Consent = {}) {
  return withIndependentService(
    { INDEPENDENT_SERVICE_CONSENT: 'once', ...env },
    ({ consent }) => ({ consent: { ...consent, shown: 'once', settleMs: 150, ...change } }),
    (written) => checkLive(written, { only: DENIALS }),
  );
}

test('an independent service that remembers consent: denial is checked before anything is granted', async () => {
  const results = await onIndependentService({});
  expect(idsWith(results, 'pass').toSorted()).toEqual(DENIALS.toSorted());
  expect(results.exitCode).toBe(0);
});

test('an independent service whose Deny button grants fails, although it remembers consent', async () => {
  const results = await onIndependentService({ INDEPENDENT_SERVICE_DEFECT: 'denial-grants' });
  expect(idsWith(results, 'fail')).toContain('authorize.grant-needed');
  expect(results.exitCode).toBe(1);
});

test('where the service asks nowhere the reason lists what was tried', async () => {
  const results = await onIndependentService({ INDEPENDENT_SERVICE_CONSENT: 'never' });
  expect(idsWith(results, 'not-applicable').toSorted()).toEqual(DENIALS.toSorted());
  const [first] = results.requirements;
  expect(first?.reason).toContain('the application with read write destroy');
  expect(first?.reason).toContain('the second application with read write destroy');
  expect(first?.reason).toContain('`create-application`');
});

test('what `consent.deny` names is not on the page: 3, naming the key', async () => {
  for (const shown of ['once', 'always'] as const) {
    const results = await onIndependentService(
      { INDEPENDENT_SERVICE_CONSENT: shown },
      { deny: '#no-such-button', shown },
    );
    expect(idsWith(results, 'pass')).toEqual([]);
    expect(results.requirements.find(({ id }) => id === 'authorize.grant-needed')?.reason).toContain(
      '`consent.deny`',
    );
    expect(results.exitCode).toBe(3);
  }
});

async function emulator(defect?: string): Promise<Target> {
  const profile = await loadProfile('by-the-rfc');
  const defects = anyDefectsById(defect === undefined ? [] : [defect]);
  return emulatorAsLiveTarget(profile, defects, (written) => ({
    ...written,
    consent: { ...written.consent, shown: 'once' },
  }));
}

async function resultsOn(target: Target) {
  const run = new CollectedRun();
  const checks = CHECKS_IN_ORDER.filter(({ id }) => DENIALS.includes(id));
  const plan = { target: OPENED_ELSEWHERE, profile: '', defects: [] };
  const worker = await openWorker(plan, checks, run, {
    open: async () => ({ ...target, close: async () => undefined }),
    connectTo: async (opened, secrets) => ({
      session: connectWithoutBrowser(opened, secrets),
      close: async () => undefined,
    }),
  });
  for (const check of checks) await worker.run(check);
  await worker.close();
  expect(run.troubles).toEqual([]);
  const all = run.outcomes.map(({ result }) => result);
  const ids = (...kinds: string[]) =>
    all
      .filter(({ result }) => kinds.includes(result))
      .map(({ id }) => id)
      .toSorted();
  return { broken: ids('fail', 'warning'), passed: ids('pass'), all };
}

test('the emulator as a live target that remembers consent: denied by other applications once the first is granted', async () => {
  const target = await emulator();
  for (const { clientId } of [target.application, target.secondApplication ?? target.application]) {
    const { passed, all } = await resultsOn(target);
    expect(passed).toEqual(DENIALS.toSorted());
    expect(JSON.stringify(all)).toContain(`client_id=${clientId}`);
  }
  expect((await resultsOn(target)).passed).toEqual(DENIALS.toSorted());
  await target.close();
});

for (const [defect, broken] of [
  ['authorize-denial-grants', ['authorize.denial-redirects', 'authorize.grant-needed']],
  ['authorize-denial-remembered-as-consent', ['authorize.grant-needed']],
  ['authorize-denial-carries-code', ['authorize.grant-needed']],
  ['authorize-consent-skipped-for-new-scopes', ['authorize.grant-needed']],
  ['authorize-state-dropped-on-denial', ['authorize.state-echoed-on-denial']],
  ['authorize-denial-other-error', ['authorize.denial-redirects']],
  ['authorize-denial-ends-on-page', ['authorize.denial-redirects', 'authorize.state-echoed-on-denial']],
] as const) {
  test(`the emulator as a live target that remembers consent: ${defect} is found`, async () => {
    const target = await emulator(defect);
    expect((await resultsOn(target)).broken).toEqual(broken);
    await target.close();
  });
}

test('a passing trouble behind a first grant: not repeated, because the service remembers the grant', async () => {
  const target = await emulator();
  let exchanged = false;
  let isBusy = true;
  const transport: Transport = async (request, signal) => {
    if (exchanged && isBusy && request.url.includes('/oauth/authorize')) {
      isBusy = false;
      return { status: 503, headers: [], body: '', bytes: 0 };
    }
    exchanged ||= request.url.endsWith('/oauth/token');
    return target.transport(request, signal);
  };
  const opened = { ...target, transport, pause: async () => undefined };
  const { requirements } = await checkOpened(async () => opened, { only: DENIALS });
  const needed = requirements.find(({ id }) => id === 'authorize.grant-needed');
  expect([needed?.result, needed?.reason]).toEqual([
    'not-run',
    expect.stringContaining('now remembers what the first attempt granted'),
  ]);
});

test('scopes that a service grants only a minute after the denials fail authorize.scope-combined, and the run goes on', async () => {
  let isForgotten = false;
  const results = await checkBehind(
    (inner) => async (request, signal) =>
      isForgotten || !request.url.includes('/projects/')
        ? inner(request, signal)
        : { status: 403, headers: [], body: '', bytes: 0 },
    [],
    [],
    ({ clock, ...target }) => ({
      ...target,
      ...(clock && {
        clock: {
          ...clock,
          advance: (seconds) => {
            isForgotten ||= seconds > 60;
            return clock.advance(seconds);
          },
        },
      }),
    }),
  );
  expect([results.exitCode, idsWith(results, 'fail'), results.troubles]).toEqual([
    1,
    ['authorize.scope-combined'],
    [],
  ]);
});
