import { statSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { samplePact } from '../support/broker-double/sample-pacts.ts';
import { type BrokerOptions, startBrokerDouble } from '../support/broker-double/start.ts';
import { runCommand } from '../support/command.ts';

/** `contracts provider`: the job of a service in one command. */

async function job(
  options: BrokerOptions,
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
) {
  const broker = await startBrokerDouble(options);
  broker.store.ensureVersion('web-shop', '1', 'main');
  const [interaction] = samplePact().interactions;
  const refused = { ...interaction, response: { status: 401 } };
  broker.store.publish('web-shop', '1', 'legacy-resource-api', samplePact({ interactions: [refused] }));
  const end = await runCommand(
    ['contracts', 'provider', '--report', test.info().outputPath('report'), ...args],
    { PACT_BROKER_BASE_URL: broker.url, ...env },
  );
  await broker.close();
  return { ...end, broker };
}

test('a service that breaks: the job goes to its end, the broker learns it, and the worst exit code is that of the job', async () => {
  const { code, stdout, stderr, broker } = await job(
    {},
    {},
    ...['--environment', 'test', '--defect', 'list-token-optional'],
  );
  expect(code, stdout + stderr).toBe(1);
  // A page of a full run that any mail and any artifact store takes.
  expect(statSync(test.info().outputPath('report', 'index.html')).size).toBeLessThan(1_000_000);
  // Check, verify, publish, record: in that order.
  const [checked, verified, recorded] = ['FAIL list.token-required', 'web-shop: published', 'recorded: '].map(
    (text) => stdout.indexOf(text),
  );
  expect(checked).toBeGreaterThan(0);
  expect(verified).toBeGreaterThan(checked ?? 0);
  expect(recorded).toBeGreaterThan(verified ?? 0);
  const [version] = broker.store.deployedIn('test', 'legacy-resource-api');
  expect(version).toMatch(/^observed-/);
  expect(broker.store.deployedIn('test', 'legacy-authorization-server')).toEqual([version]);
  expect(broker.store.version('legacy-resource-api', version ?? '')?.branches).toEqual(['observed-test']);
  // Never seen to be kept, so it fails no job; the broker knows all the same.
  expect(stdout).toContain('pending: 0 of 1 interactions verified, 1 failed');
  expect(stdout).toContain('no failure that counts (exit 0)');
  expect(broker.store.verifications).toMatchObject([{ success: false, providerVersion: version }]);
});

for (const [what, options, env, args, says] of [
  [
    'an environment that the broker does not know',
    {},
    {},
    ['--environment', 'moon'],
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
    },
    { PACT_BROKER_USERNAME: 'reader', PACT_BROKER_PASSWORD: 'reads' },
    ['--environment', 'test'],
    'and that they may write',
  ],
] as const satisfies readonly (readonly [
  string,
  BrokerOptions,
  Record<string, string>,
  readonly string[],
  string,
])[]) {
  test(`${what}: 3 before anything is sent to the service`, async () => {
    const { code, stdout, stderr } = await job(options, env, ...args);
    expect([code, stderr]).toEqual([3, expect.stringContaining(says)]);
    expect(stderr).toContain('Nothing was sent to the service');
    expect(stdout).toBe('');
  });
}
