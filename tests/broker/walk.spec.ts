import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { samplePact, writePacts } from '../support/broker-double/sample-pacts.ts';
import { startBrokerDouble } from '../support/broker-double/start.ts';
import { runCommand } from '../support/command.ts';
import { dailySample } from '../support/daily-sample.ts';
import { startLiveEmulator } from '../support/emulator-live.ts';

/** The whole way over a broker: as the documented script goes it, and with a service that has changed. */

const SCRIPT = fileURLToPath(new URL('../../scripts/broker-walk.ts', import.meta.url));

/** What two checks of the emulator came to, as far as a provider version is derived from it. */
function writeResults(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const seen = (defects: readonly string[], result: 'pass' | 'fail') => ({
    selection: 'complete',
    verdict: result === 'pass' ? 'conforms' : 'violates',
    requirements: [{ id: 'list.token-required', result }],
    observations: [],
    target: { kind: 'emulator', name: 'doorkeeper-5', defects },
  });
  writeFileSync(join(folder, 'conforms.json'), JSON.stringify(seen([], 'pass')));
  writeFileSync(join(folder, 'broken.json'), JSON.stringify(seen(['list-token-optional'], 'fail')));
  return folder;
}

/** The script as a process; `broker` undefined: on a double of its own. */
async function walk(broker: string | undefined, ...args: readonly string[]) {
  const results = writeResults(test.info().outputPath('results'));
  const child = spawn(process.execPath, [SCRIPT, '--results', results, ...args], {
    env: { ...process.env, PACT_BROKER_BASE_URL: broker ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, printed };
}

/** The walks: one of them a day. */
const TODAY = new Set(dailySample(['both sides', 'changed'], 1));

if (TODAY.has('both sides'))
  test('both sides through bootstrap, fix, break, pending, webhook and two environments; the matrix at each step, nothing left', async () => {
    test.setTimeout(300_000);
    const broker = await startBrokerDouble({ environments: ['production'] });
    const production = broker.store.environment('production');
    if (production === undefined) throw new Error('it has an environment production');
    broker.store.ensureVersion('legacy-resource-api', 'observed-real');
    broker.store.deploy('legacy-resource-api', 'observed-real', production);
    const { code, printed } = await walk(process.env.PACT_BROKER_BASE_URL || broker.url);
    expect(code, printed).toBe(0);
    expect(printed).toContain('The webhook starts a job with the pact');
    expect(printed).toMatch(/shop 1 +staging +no +resources observed-\w+ failed/);
    expect(printed).toMatch(/shop 1 +production +yes +resources observed-\w+ ok/);
    expect(printed).toMatch(/billing 2 +staging +yes +resources observed-\w+ ok/);
    expect(printed).toContain('The walk is complete.');
    // Nothing of the broker's own was touched, and nothing of the walk is left.
    expect(broker.store.pacticipants.map(({ name }) => name)).toEqual(['legacy-resource-api']);
    expect(broker.store.environments.map(({ name }) => name)).toEqual(['production']);
    expect(broker.store.deployedIn('production', 'legacy-resource-api')).toEqual(['observed-real']);
    expect(broker.store.webhooks).toEqual([]);
    await broker.close();
  });

test('a name that the broker has already: 2, and nothing is changed', async () => {
  const broker = await startBrokerDouble();
  broker.store.ensurePacticipant('legacy-conformance-walk-mine-billing');
  const { code, printed } = await walk(broker.url, '--name', 'mine');
  expect(code).toBe(2);
  expect(printed).toContain('legacy-conformance-walk-mine-billing exists at the broker already');
  expect(new Set(broker.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  await broker.close();
});

test('a consumer’s pipeline tells the version that the environment holds, whatever its own suite would derive', async () => {
  const broker = await startBrokerDouble();
  const run = (...args: readonly string[]) =>
    runCommand(['contracts', ...args], { PACT_BROKER_BASE_URL: broker.url });
  try {
    const [interaction] = samplePact().interactions;
    const pact = samplePact({ interactions: [{ ...interaction, response: { status: 401 } }] });
    const folder = writePacts(test.info().outputPath('pacts'), { 'pact.json': pact });
    const version = ['--version-number', '1.0.0'];
    expect((await run('publish', folder, ...version, '--branch', 'topic')).code).toBe(0);
    const verify = [
      ...['verify', '--broker', '--target', 'emulator', '--consumer-branch', 'topic'],
      ...['--publish', '--deployed-in', 'test'],
    ];
    const early = await run(...verify);
    expect([early.code, early.stdout]).toEqual([
      3,
      expect.stringContaining('knows no version of legacy-resource-api in test'),
    ]);
    const environment = broker.store.environment('test');
    if (environment === undefined) throw new Error('a fresh broker has an environment test');
    broker.store.ensureVersion('legacy-resource-api', 'observed-by-another-suite');
    broker.store.deploy('legacy-resource-api', 'observed-by-another-suite', environment);
    const verified = await run(...verify);
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    expect(verified.stdout).toContain('published for legacy-resource-api observed-by-another-suite');
    const may = await run(
      'can-i-deploy',
      '--pacticipant',
      'web-shop',
      ...version,
      '--to-environment',
      'test',
    );
    expect(may.code, may.stderr).toBe(0);
  } finally {
    await broker.close();
  }
});

if (TODAY.has('changed'))
  test('a service that has changed under a consumer keeps it from being deployed, and no other', async () => {
    const broker = await startBrokerDouble();
    const service = await startLiveEmulator(test.info().outputPath('.'));
    const env = { PACT_BROKER_BASE_URL: broker.url, ...service.env };
    const run = (...args: readonly string[]) => runCommand(['contracts', ...args], env);
    try {
      const [interaction] = samplePact().interactions;
      const refused = { ...interaction, response: { status: 401 } };
      const unaffected = {
        ...interaction,
        request: { method: 'GET', path: '/v2/nowhere' },
        response: { status: 404 },
      };
      for (const [consumer, one] of [
        ['web-shop', refused],
        ['billing', unaffected],
      ] as const) {
        const pact = samplePact({ consumer: { name: consumer }, interactions: [one] });
        const folder = writePacts(test.info().outputPath(consumer), { 'pact.json': pact });
        expect((await run('publish', folder, '--version-number', '1.0.0', '--branch', 'main')).code).toBe(0);
      }
      // Seen to be kept once: from now on a failure counts.
      const verify = ['verify', '--broker', '--target', service.file, '--publish', '--version'];
      expect((await run(...verify, 'observed-before')).code).toBe(0);
      service.emulator.control.defects.switch(['list-token-optional']);
      const verified = await run(...verify, 'observed-changed');
      expect(verified.code, verified.stdout).toBe(1);
      const provider = ['--pacticipant', 'legacy-resource-api', '--version-number', 'observed-changed'];
      expect((await run('record-deployment', ...provider, '--environment', 'production')).code).toBe(0);
      const may = (consumer: string) =>
        run(
          'can-i-deploy',
          '--pacticipant',
          consumer,
          '--version-number',
          '1.0.0',
          '--to-environment',
          'production',
        );
      const shop = await may('web-shop');
      expect([shop.code, shop.stderr]).toEqual([
        1,
        expect.stringContaining(
          'the version of legacy-resource-api currently in production (observed-changed) failed',
        ),
      ]);
      expect((await may('billing')).code).toBe(0);
    } finally {
      await service.emulator.close();
      await broker.close();
    }
  });
