import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { samplePact } from '../support/broker-double/sample-pacts.ts';
import { type BrokerDouble, startBrokerDouble } from '../support/broker-double/start.ts';
import { runCommand } from '../support/command.ts';

/** `contracts verify --broker`: pacts from a broker, and what it is told of them. */

const FORM = 'application/x-www-form-urlencoded';

/** A pact that expects another access token than any: its failure quotes what came. */
const QUOTING = samplePact({
  consumer: { name: 'quoting' },
  provider: { name: 'legacy-authorization-server' },
  interactions: [
    {
      type: 'Synchronous/HTTP',
      description: 'a code is exchanged for a token that nobody can guess',
      providerStates: [{ name: 'a code was granted' }],
      request: {
        method: 'POST',
        path: '/oauth/token',
        headers: { 'Content-Type': [FORM] },
        body: {
          content: 'grant_type=authorization_code&client_id=x&client_secret=x&code=x&redirect_uri=x',
          contentType: FORM,
          encoded: false,
        },
        generators: {
          body: Object.fromEntries(
            ['client_id', 'client_secret', 'code', 'redirect_uri'].map((name) => [
              `$.${name}`,
              { type: 'ProviderState', expression: `\${${name}}` },
            ]),
          ),
        },
      },
      response: {
        status: 200,
        body: { content: { access_token: 'guessed' }, contentType: 'application/json' },
      },
    },
  ],
});

const REFUSED = samplePact({
  interactions: [
    {
      type: 'Synchronous/HTTP',
      description: 'the assigned users without a token',
      providerStates: [{ name: 'a project exists' }],
      request: { method: 'GET', path: '/v2/projects/1/assigned_users' },
      response: { status: 401 },
    },
  ],
});

const MISSPELT = {
  ...REFUSED,
  consumer: { name: 'misspelt' },
  interactions: REFUSED.interactions.map((one) => ({
    ...one,
    providerStates: [{ name: 'a projekt exists' }],
  })),
};

async function publish(broker: BrokerDouble, pact: ReturnType<typeof samplePact>): Promise<void> {
  const content = Buffer.from(JSON.stringify(pact)).toString('base64');
  const contract = {
    consumerName: pact.consumer.name,
    providerName: pact.provider.name,
    specification: 'pact',
    contentType: 'application/json',
    content,
  };
  const body = {
    pacticipantName: pact.consumer.name,
    pacticipantVersionNumber: '1.0.0',
    branch: 'main',
    contracts: [contract],
  };
  const { status } = await fetch(`${broker.url}/contracts/publish`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(status).toBe(200);
}

const verify = (broker: BrokerDouble, ...args: readonly string[]) =>
  runCommand(['contracts', 'verify', '--broker', ...args], { PACT_BROKER_BASE_URL: broker.url });

test('every pact is verified and its result published, a misspelt one keeping nobody back, no secret in any', async () => {
  const broker = await startBrokerDouble();
  try {
    for (const pact of [REFUSED, QUOTING, MISSPELT]) await publish(broker, pact);
    const version = ['--version-number', 'observed-1', '--provider-branch', 'live'];
    const { code, stdout } = await verify(broker, '--publish', ...version);
    expect(stdout).toContain('web-shop: published for legacy-resource-api observed-1');
    expect(stdout).toContain('misspelt: nothing is published');
    expect(stdout).toContain('1 of 3 interactions verified, 1 failed, 1 not run');
    expect(code).toBe(1);

    const told = broker.store.verifications.map(({ consumer, providerVersion, success }) => ({
      consumer,
      providerVersion,
      success,
    }));
    expect(told).toHaveLength(2);
    expect(told).toContainEqual({ consumer: 'web-shop', providerVersion: 'observed-1', success: true });
    expect(told).toContainEqual({ consumer: 'quoting', providerVersion: 'observed-1', success: false });
    const results = broker.store.verifications.map(({ published }) => JSON.stringify(published)).join('\n');
    expect(results).toMatch(/\$\.access_token: Expected '<access_token#\d+>'/);
  } finally {
    await broker.close();
  }
});

test('without --publish nothing is told; no pact is no pass', async () => {
  const broker = await startBrokerDouble();
  try {
    const none = await verify(broker);
    expect(none.stdout).toContain('the broker has no pact to verify for legacy-authorization-server');
    expect(none.code).toBe(3);
    await publish(broker, REFUSED);
    const { code } = await verify(broker);
    expect(code).toBe(0);
    expect(broker.store.verifications).toEqual([]);
  } finally {
    await broker.close();
  }
});

test('what to publish without a version, or about another target: 2, and the broker hears nothing', async () => {
  const broker = await startBrokerDouble();
  try {
    const { code, stderr } = await verify(broker, '--publish');
    expect(stderr).toContain('--publish: expected the version of the provider');
    expect(code).toBe(2);

    const file = test.info().outputPath('results.json');
    const target = { kind: 'live', name: 'staging' };
    const requirements = [{ id: 'exchange.code-single-use', result: 'pass' }];
    const run = { selection: 'complete', verdict: 'conforms', requirements, observations: [], target };
    writeFileSync(file, JSON.stringify(run));
    const other = await verify(broker, '--publish', '--results', file);
    expect(other.stderr).toContain('is about staging (live), but doorkeeper-5 (emulator) is verified');
    expect(other.code).toBe(2);
    expect(broker.requests).toEqual([]);
  } finally {
    await broker.close();
  }
});
