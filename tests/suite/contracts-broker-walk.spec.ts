import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { samplePact, writePacts } from '../support/broker-double/sample-pacts.ts';
import { startBrokerDouble } from '../support/broker-double/start.ts';
import { runCommand } from '../support/command.ts';

/** The whole way over a broker: as the documented script goes it, and with a service that has changed. */

const SCRIPT = fileURLToPath(new URL('../../scripts/broker-walk.ts', import.meta.url));

test('publish, verify, tell, record, ask, as the documented script has it', async () => {
  const results = test.info().outputPath('results.json');
  const seen = {
    selection: 'complete',
    verdict: 'conforms',
    requirements: [{ id: 'list.safe', result: 'pass' }],
    observations: [],
    target: { kind: 'emulator', name: 'doorkeeper-5' },
  };
  writeFileSync(results, JSON.stringify(seen));
  const child = spawn(process.execPath, [SCRIPT, '--results', results, '--version-number', '1.0.0'], {
    env: { ...process.env, PACT_BROKER_BASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code, printed).toBe(0);
  expect(printed).toContain('yes: legacy-api-reference-client 1.0.0 may be deployed to production');
  expect(printed).toContain('The walk is complete.');
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
    const verify = ['verify', '--broker', '--consumer-branch', 'topic', '--publish', '--deployed-in', 'test'];
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

test('a service that has changed under a consumer keeps it from being deployed, and no other', async () => {
  const broker = await startBrokerDouble();
  const env = { PACT_BROKER_BASE_URL: broker.url };
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
    expect((await run('verify', '--broker', '--publish', '--version', 'observed-before')).code).toBe(0);
    const changed = ['--defect', 'list-token-optional', '--version-number', 'observed-changed'];
    const verified = await run('verify', '--broker', '--publish', ...changed);
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
    await broker.close();
  }
});
