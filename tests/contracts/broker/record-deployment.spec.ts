import { writeFileSync } from 'node:fs';
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

/** `contracts verify --broker --record-deployment`: the job of a service. */

const PROVIDERS = ['legacy-authorization-server', 'legacy-resource-api'] as const;
const ON_EMULATOR = ['--target', 'emulator'] as const;
const JOB = ['--broker', '--publish'] as const;

/** Runs the job on a broker that knows both providers, and one pact, of web-shop, if a status is given that it expects without a token. */
function job(
  { expects, prepare = () => undefined, env, providers = PROVIDERS, ...options }: JobOptions,
  ...args: readonly string[]
) {
  return withBroker(async (broker) => {
    for (const provider of providers) broker.store.ensurePacticipant(provider);
    if (expects !== undefined) publish(broker, expects);
    prepare(broker);
    const end = await runContracts(
      broker,
      ['verify', ...JOB, '--report', test.info().outputPath('report'), ...args],
      env,
    );
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
function writeResults(target: Readonly<Record<string, unknown>>, selection = 'complete'): string {
  const file = test.info().outputPath('results.json');
  const requirements = [{ id: 'list.token-required', result: 'fail' }];
  writeFileSync(
    file,
    JSON.stringify({ selection, verdict: 'violates', requirements, observations: [], target }),
  );
  return file;
}

test('a pact that fails: the broker learns the result, then the version, under one name for both providers', async () => {
  const { code, stdout, stderr, broker } = await job(
    { expects: 200 },
    ...[...ON_EMULATOR, '--record-deployment', 'test', '--results', emulatorResults()],
  );
  expect(code, stdout + stderr).toBe(0);
  const [published, recorded] = ['web-shop: published', 'recorded: '].map((text) => stdout.indexOf(text));
  expect(published).toBeGreaterThan(0);
  expect(recorded).toBeGreaterThan(published ?? 0);
  const line = 'target: the emulator (profile doorkeeper-5)';
  expect([stdout.split('\n').at(0), stdout.trim().split('\n').at(-1)]).toEqual([line, line]);
  const [version] = broker.store.deployedIn('test', 'legacy-resource-api');
  expect(version).toMatch(/^observed-/);
  expect(broker.store.deployedIn('test', 'legacy-authorization-server')).toEqual([version]);
  expect(broker.store.version('legacy-resource-api', version ?? '')?.branches).toEqual(['observed-test']);
  // It never verified before, so it fails no job; the broker has the result all the same.
  expect(stdout).toContain('pending: 0 of 1 interactions verified, 1 failed');
  expect(stdout).toContain('no failure that counts (exit 0)');
  expect(broker.store.verifications).toMatchObject([{ success: false, providerVersion: version }]);
});

test('results of a run that shows too little: 3, and the broker and the service hear nothing', async () => {
  const results = writeResults({ kind: 'emulator', name: 'doorkeeper-5', defects: [] }, 'partial');
  const args = ['--record-deployment', 'test', '--results', results];
  const { code, stdout, broker } = await job({ expects: 401 }, ...ON_EMULATOR, ...args);
  expect([code, stdout]).toEqual([3, expect.stringContaining('no version can be derived from this run')]);
  expect(broker.requests).toEqual([]);
});

for (const [option, value] of [
  ['--consumer', 'web-shop'],
  ['--deployed-in', 'test'],
] as const)
  test(`with ${option}: 2`, async () => {
    const args = ['--record-deployment', 'test', '--results', emulatorResults(), option, value];
    const { code, stderr, broker } = await job({}, ...ON_EMULATOR, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(option)]);
    expect(broker.requests).toEqual([]);
  });

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
    ...['--target', live.file, '--record-deployment', 'test', '--results', results],
  );
  await live.emulator.close();
  expect(code, stdout + stderr).toBe(1);
  expect(stdout.split('\n').at(0)).toBe(`target: emulated staging, ${authUrl} and ${baseUrl}`);
  const [version] = broker.store.deployedIn('test', 'legacy-resource-api');
  expect(broker.store.verifications.at(-1)).toMatchObject({ success: false, providerVersion: version });
});

test('without a target, or with defects: 2, and the broker hears nothing', async () => {
  for (const args of [[], [...ON_EMULATOR, '--defect', 'list-token-optional']]) {
    const { code, broker } = await job(
      {},
      ...['--record-deployment', 'test', '--results', emulatorResults(), ...args],
    );
    expect(code).toBe(2);
    expect(broker.requests).toEqual([]);
  }
});

for (const [what, options, args, says] of [
  [
    'an environment that the broker does not know',
    {},
    ['--record-deployment', 'moon'],
    'has no environment moon',
  ],
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
    ['--record-deployment', 'test'],
    'and that they may write',
  ],
  [
    'a provider whose name is mistyped',
    { expects: 401 },
    ['--record-deployment', 'test', '--api-provider', 'legacy-resource'],
    'does not know the provider legacy-resource (404); providers with pacts there: legacy-resource-api. Give',
  ],
  [
    'the default names, where the pacts have another',
    { providers: [], prepare: (broker) => publish(broker, 401, 'legacy-service') },
    ['--record-deployment', 'test'],
    'does not know the provider legacy-authorization-server (404); providers with pacts there: legacy-service. Give',
  ],
  [
    'selectors that select nothing',
    { expects: 401 },
    ['--record-deployment', 'test', '--consumer-version-selector', 'branch=gone'],
    'no pact with legacy-resource-api is selected: web-shop: ',
  ],
] as const satisfies readonly (readonly [string, JobOptions, readonly string[], string])[]) {
  test(`${what}: 3 before anything is sent to the service, and nothing is recorded`, async () => {
    const { code, stdout, broker } = await job(
      options,
      ...[...ON_EMULATOR, '--results', emulatorResults(), ...args],
    );
    expect([code, stdout]).toEqual([3, expect.stringContaining(says)]);
    expect(broker.store.verifications).toEqual([]);
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
    const args = [...ON_EMULATOR, '--record-deployment', 'test', '--results', emulatorResults()];
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
  const args = [
    ...ON_EMULATOR,
    '--record-deployment',
    'test',
    '--results',
    emulatorResults(),
    '--no-pending',
  ];
  const { code, stdout, broker } = await job(
    {
      expects: 401,
      prepare: (double) => {
        const refusal = { status: 400, body: { errors: ['no'] } };
        double.instead = ({ path }) => (path.endsWith('/verification-results') ? refusal : undefined);
      },
    },
    ...args,
  );
  expect([code, stdout]).toEqual([
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
      ...['contracts', 'verify', ...JOB, ...ON_EMULATOR],
      ...['--record-deployment', 'test', '--results', emulatorResults()],
      ...['--report', test.info().outputPath('report')],
    ],
    { PACT_BROKER_BASE_URL: broker.url },
  );
  await running.printed('verifying');
  running.stop('SIGINT');
  const { code, stdout, stderr } = await running.end;
  expect(code, stdout + stderr).not.toBe(0);
  expect(stdout).toContain('nothing was recorded: ');
  expect(broker.store.deployments).toEqual([]);
  await broker.close();
});

test('providers that the broker knows, and no consumer has a pact with: recorded, 0', async () => {
  const args = [...ON_EMULATOR, '--record-deployment', 'test', '--results', emulatorResults()];
  const { code, stdout, broker } = await job({}, ...args);
  expect(code, stdout).toBe(0);
  expect(stdout).toContain('no consumer has a pact yet');
  for (const provider of PROVIDERS) expect(broker.store.deployedIn('test', provider)).toHaveLength(1);
});
