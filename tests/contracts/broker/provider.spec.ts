import { statSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { samplePact } from '../../support/broker-double/sample-pacts.ts';
import {
  type BrokerDouble,
  type BrokerOptions,
  runContracts,
  startBrokerDouble,
  withBroker,
} from '../../support/broker-double/start.ts';
import { startCommand } from '../../support/command.ts';
import { startLiveEmulator } from '../../support/emulator-live.ts';
import { PROVE } from '../../support/prove.ts';

/** `contracts provider`: the job of a service in one command. */

const PROVIDERS = ['legacy-authorization-server', 'legacy-resource-api'] as const;
const ON_EMULATOR = ['--target', 'emulator'] as const;

/** Runs the job on a broker that knows both providers, and one pact, of web-shop, if a status is given that it expects without a token. */
function job(
  { expects, prepare = () => undefined, env, providers = PROVIDERS, ...options }: JobOptions,
  ...args: readonly string[]
) {
  return withBroker(async (broker) => {
    for (const provider of providers) broker.store.ensurePacticipant(provider);
    if (expects !== undefined) publish(broker, expects);
    prepare(broker);
    const report = test.info().outputPath('report');
    const end = await runContracts(broker, ['provider', '--report', report, ...args], env);
    return { ...end, broker };
  }, options);
}

interface JobOptions extends BrokerOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly expects?: number;
  readonly providers?: readonly string[];
  readonly prepare?: (broker: BrokerDouble) => unknown;
}

function publish({ store }: BrokerDouble, status: number, provider: string = PROVIDERS[1]) {
  const [interaction] = samplePact().interactions;
  const interactions = [{ ...interaction, response: { status } }];
  return store.publish(
    'web-shop',
    '1',
    provider,
    samplePact({ provider: { name: provider }, interactions }),
    'main',
  );
}

/** Results of a check of a live target that was made before, as far as a version is derived from them. */
function writeResults(target: Readonly<Record<string, unknown>>): string {
  const file = test.info().outputPath('results.json');
  const requirements = [{ id: 'list.token-required', result: 'fail' }];
  writeFileSync(
    file,
    JSON.stringify({ selection: 'complete', verdict: 'violates', requirements, observations: [], target }),
  );
  return file;
}

test(
  'a failed check: the job goes to its end, the broker learns what came of the pacts, the worst exit code is that of the job',
  PROVE,
  async () => {
    const deviations = test.info().outputPath('known-deviations.yaml');
    writeFileSync(
      deviations,
      JSON.stringify({
        deviations: [
          { requirement: 'list.token-required', signature: 's', why: 'w', ticket: 't', until: '2999-01-01' },
        ],
      }),
    );
    const { code, stdout, stderr, broker } = await job(
      { expects: 200 },
      ...[...ON_EMULATOR, '--environment', 'test', '--known-deviations', deviations],
    );
    expect(code, stdout + stderr).toBe(1);
    // A page of a full run that any mail and any artifact store takes.
    expect(statSync(test.info().outputPath('report', 'index.html')).size).toBeLessThan(1_000_000);
    // Check, verify, publish, record: in that order.
    const [checked, verified, recorded] = ['violates (exit 1)', 'web-shop: published', 'recorded: '].map(
      (text) => stdout.indexOf(text),
    );
    expect(checked).toBeGreaterThan(0);
    expect(verified).toBeGreaterThan(checked ?? 0);
    expect(recorded).toBeGreaterThan(verified ?? 0);
    const line = 'target: the emulator (profile doorkeeper-5)';
    expect([stdout.split('\n').at(0), stdout.trim().split('\n').at(-1)]).toEqual([line, line]);
    const [version] = broker.store.deployedIn('test', 'legacy-resource-api');
    expect(version).toMatch(/^observed-/);
    expect(broker.store.deployedIn('test', 'legacy-authorization-server')).toEqual([version]);
    expect(broker.store.version('legacy-resource-api', version ?? '')?.branches).toEqual(['observed-test']);
    // Never seen to be kept, so it fails no job; the broker knows all the same.
    expect(stdout).toContain('pending: 0 of 1 interactions verified, 1 failed');
    expect(stdout).toContain('no failure that counts (exit 0)');
    expect(broker.store.verifications).toMatchObject([{ success: false, providerVersion: version }]);
  },
);

test('a live service that breaks what it has kept before: published and recorded as of the target that is named, exit 1', async () => {
  const live = await startLiveEmulator(test.info().outputPath('.'), ['list-token-optional']);
  const { authUrl, baseUrl } = live.emulator;
  const results = writeResults({ kind: 'live', name: 'emulated staging', authUrl, baseUrl });
  const { code, stdout, stderr, broker } = await job(
    {
      env: live.env,
      expects: 401,
      prepare: ({ store }) => {
        const [pact] = store.publications;
        if (pact === undefined) throw new Error('it was published');
        store.ensureVersion(pact.provider, 'observed-before', 'observed-test');
        store.verify(pact, { providerVersion: 'observed-before', success: true });
      },
    },
    ...['--target', live.file, '--environment', 'test', '--results', results],
  );
  await live.emulator.close();
  expect(code, stdout + stderr).toBe(1);
  expect(stdout.split('\n').at(0)).toBe(`target: emulated staging, ${authUrl} and ${baseUrl}`);
  const [version] = broker.store.deployedIn('test', 'legacy-resource-api');
  expect(broker.store.verifications.at(-1)).toMatchObject({ success: false, providerVersion: version });
});

test('without a target, or with defects: 2, and the broker hears nothing', async () => {
  for (const args of [[], [...ON_EMULATOR, '--defect', 'list-token-optional']]) {
    const { code, broker } = await job({}, '--environment', 'test', ...args);
    expect(code).toBe(2);
    expect(broker.requests).toEqual([]);
  }
});

for (const [what, options, args, says] of [
  ['an environment that the broker does not know', {}, ['--environment', 'moon'], 'has no environment moon'],
  [
    'credentials that may only read',
    {
      auth: {
        kind: 'basic',
        writer: { username: 'writer', password: 'writes' },
        reader: { username: 'reader', password: 'reads' },
      },
      env: { PACT_BROKER_USERNAME: 'reader', PACT_BROKER_PASSWORD: 'reads' },
    },
    ['--environment', 'test'],
    'and that they may write',
  ],
  [
    'a provider whose name is mistyped',
    { expects: 401 },
    ['--environment', 'test', '--api-provider', 'legacy-resource'],
    'does not know the provider legacy-resource (404); providers with pacts there: legacy-resource-api. Give',
  ],
  [
    'the default names, where the pacts have another',
    { providers: [], prepare: (broker) => publish(broker, 401, 'legacy-service') },
    ['--environment', 'test'],
    'does not know the provider legacy-authorization-server (404); providers with pacts there: legacy-service. Give',
  ],
  [
    'selectors that select nothing',
    { expects: 401 },
    ['--environment', 'test', '--consumer-version-selector', 'branch=gone'],
    'no pact with legacy-resource-api is selected: web-shop: ',
  ],
] as const satisfies readonly (readonly [string, JobOptions, readonly string[], string])[]) {
  test(`${what}: 3 before anything is sent to the service, and nothing is recorded`, async () => {
    const { code, stdout, stderr, broker } = await job(options, ...ON_EMULATOR, ...args);
    expect([code, stderr]).toEqual([3, expect.stringContaining(says)]);
    expect(stderr).toContain('Nothing was sent to the service');
    expect(stdout).not.toContain('==');
    expect(broker.store.deployments).toEqual([]);
  });
}

/** Results of a check of the emulator that was made before. */
function emulatorResults(): string {
  return writeResults({ kind: 'emulator', name: 'doorkeeper-5', defects: [] });
}

test(
  'a pending pact that is deployed and not kept: said in the summary; with --no-pending it counts',
  PROVE,
  async () => {
    const args = [...ON_EMULATOR, '--environment', 'test', '--results', emulatorResults()];
    const prepare = ({ store }: BrokerDouble) => store.deploy('web-shop', '1', 'test');
    const options = { expects: 200, prepare };
    const pending = await job(options, ...args);
    expect(pending.stdout).toContain(
      'web-shop is deployed to test, and legacy-resource-api does not satisfy its pact; the pact is pending, so it fails no job',
    );
    expect(pending.code).toBe(0);
    const counted = await job(options, ...args, '--no-pending');
    expect(counted.stdout).toContain('0 of 1 interactions verified, 1 failed');
    expect(counted.code).toBe(1);
    expect(counted.broker.store.deployedIn('test', 'legacy-resource-api')).toHaveLength(1);
  },
);

test('a result that the broker does not take: 3, and nothing is recorded', async () => {
  const args = [...ON_EMULATOR, '--environment', 'test', '--results', emulatorResults(), '--no-pending'];
  const { code, stderr, broker } = await job(
    {
      expects: 401,
      prepare: (double) => {
        const refusal = { status: 400, body: { errors: ['no'] } };
        double.instead = ({ path }) => (path.endsWith('/verification-results') ? refusal : undefined);
      },
    },
    ...args,
  );
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining('nothing was recorded: not every pact that counts has a result'),
  ]);
  expect(broker.store.deployments).toEqual([]);
});

test('a job that is interrupted while it verifies: nothing is recorded', PROVE, async () => {
  const broker = await startBrokerDouble();
  for (const provider of PROVIDERS) broker.store.ensurePacticipant(provider);
  publish(broker, 401);
  const running = startCommand(
    [
      ...['contracts', 'provider', ...ON_EMULATOR, '--environment', 'test', '--results', emulatorResults()],
      ...['--report', test.info().outputPath('report')],
    ],
    { PACT_BROKER_BASE_URL: broker.url },
  );
  await running.printed('== Verify');
  running.stop('SIGINT');
  const { code, stderr } = await running.end;
  expect(code, stderr).not.toBe(0);
  expect(stderr).toContain('nothing was recorded: ');
  expect(broker.store.deployments).toEqual([]);
  await broker.close();
});

test('providers that the broker knows, and no consumer has a pact with: recorded, 0', async () => {
  const args = [...ON_EMULATOR, '--environment', 'test', '--results', emulatorResults()];
  const { code, stdout, broker } = await job({}, ...args);
  expect(code, stdout).toBe(0);
  expect(stdout).toContain('no consumer has a pact yet');
  for (const provider of PROVIDERS) expect(broker.store.deployedIn('test', provider)).toHaveLength(1);
});
