import { expect, test } from '@playwright/test';
import type { BrokerAccess } from '../../src/contracts/broker/access.ts';
import { deployedVersion } from '../../src/contracts/broker/deployed-versions.ts';
import { BrokerFailed } from '../../src/contracts/broker/hal-client.ts';
import { pactsToVerify, publishVerification } from '../../src/contracts/broker/verification.ts';
import type { InteractionOutcome, PactOutcome } from '../../src/contracts/verify/outcome.ts';
import { SecretRegistry } from '../../src/secrets/registry.ts';
import { samplePact } from '../support/stand-in-broker/sample-pacts.ts';
import {
  type BrokerOptions,
  HTML_PAGE,
  type StandInBroker,
  startStandInBroker,
} from '../support/stand-in-broker/start.ts';

/** Pacts from a broker and results to it: what is asked, what is sent, and what is not. */

const PROVIDER = 'legacy-resource-api';
const VERIFIER = {
  providerVersion: 'observed-1',
  providerBranch: undefined,
  buildUrl: 'https://ci.example/7',
  suiteVersion: '9.9.9',
};

async function withBroker(
  work: (broker: StandInBroker, access: BrokerAccess) => Promise<void>,
  options: BrokerOptions = {},
) {
  const broker = await startStandInBroker(options);
  try {
    await work(broker, { baseUrl: broker.url, credentials: { kind: 'none' } });
  } finally {
    await broker.close();
  }
}

function published(broker: StandInBroker, version: string, branch: string, description = 'a list'): void {
  const [interaction] = samplePact().interactions;
  broker.store.ensureVersion('web-shop', version, branch);
  broker.store.publish(
    'web-shop',
    version,
    PROVIDER,
    samplePact({ interactions: [{ ...interaction, description }] }),
  );
}

function outcome(...interactions: readonly Partial<InteractionOutcome>[]): PactOutcome {
  return {
    source: 'the broker',
    consumer: 'web-shop',
    provider: PROVIDER,
    interactions: interactions.map((one) => ({
      description: 'a list',
      states: [],
      id: 'an-id',
      result: 'verified',
      pending: false,
      reasons: [],
      durationMs: 1,
      ...one,
    })),
  };
}

test('wanted are main branches, what is deployed, and a branch on request; a content once', async () => {
  await withBroker(async (broker, access) => {
    published(broker, '1', 'main', 'the first');
    published(broker, '2', 'main', 'the second');
    published(broker, '3', 'topic', 'the third');
    const production = broker.store.environment('production');
    if (production === undefined) throw new Error('a fresh broker has an environment production');
    broker.store.deploy('web-shop', '1', production);
    const descriptions = async (consumerBranch?: string) => {
      const pacts = await pactsToVerify(access, PROVIDER, { consumerBranch });
      return pacts.map(({ text }) => JSON.parse(text).interactions[0].description).sort();
    };
    expect(await descriptions()).toEqual(['the first', 'the second']);
    expect(await descriptions('topic')).toEqual(['the first', 'the second', 'the third']);
    published(broker, '4', 'main', 'the first');
    expect(await descriptions()).toEqual(['the first']);
    expect(await pactsToVerify(access, 'nobody', { consumerBranch: undefined })).toEqual([]);
  });
});

test('of several consumers one alone, where it asks for its own', async () => {
  await withBroker(async (broker, access) => {
    published(broker, '1', 'main');
    broker.store.ensureVersion('billing', '1', 'main');
    broker.store.publish('billing', '1', PROVIDER, samplePact({ consumer: { name: 'billing' } }));
    const consumers = async (consumer?: string) => {
      const pacts = await pactsToVerify(access, PROVIDER, { consumer, consumerBranch: 'topic' });
      return pacts.map(({ text }) => JSON.parse(text).consumer.name).sort();
    };
    expect(await consumers()).toEqual(['billing', 'web-shop']);
    expect(await consumers('billing')).toEqual(['billing']);
  });
});

test('a result is published under the provider’s version, with each interaction and without the suite deciding', async () => {
  await withBroker(async (broker, access) => {
    published(broker, '1', 'main');
    const [pact] = await pactsToVerify(access, PROVIDER, { consumerBranch: undefined });
    if (pact === undefined) throw new Error('there is no pact to verify');
    const found = outcome({}, { id: 'another-id', result: 'failed', reasons: ['status 200'] });
    const verifier = { ...VERIFIER, providerBranch: 'live' };
    expect(await publishVerification(access, pact, found, verifier, new SecretRegistry())).toBe('published');
    expect(broker.store.verifications).toMatchObject([{ success: false, providerVersion: 'observed-1' }]);
    expect(broker.store.version(PROVIDER, 'observed-1')?.branches).toEqual(['live']);
    expect(JSON.parse(broker.requests.at(-1)?.body ?? '')).toEqual({
      success: false,
      providerApplicationVersion: 'observed-1',
      buildUrl: 'https://ci.example/7',
      testResults: [
        { interactionId: 'an-id', success: true },
        { interactionId: 'another-id', success: false, mismatches: [{ description: 'status 200' }] },
      ],
      verifiedBy: { implementation: 'legacy-api-conformance', version: '9.9.9' },
    });
  });
});

test('nothing is published of a pact of which something did not run, nor what holds a secret', async () => {
  await withBroker(async (broker, access) => {
    published(broker, '1', 'main');
    const [pact] = await pactsToVerify(access, PROVIDER, { consumerBranch: undefined });
    if (pact === undefined) throw new Error('there is no pact to verify');
    const secrets = new SecretRegistry();
    secrets.register('access_token', 'token-that-acts');
    const notRun = outcome({}, { result: 'not-run', reasons: ['nobody answered'] });
    const leaking = outcome({ result: 'failed', reasons: ['got token-that-acts'] });
    expect(await publishVerification(access, pact, notRun, VERIFIER, secrets)).toBe('not-run');
    expect(await publishVerification(access, pact, leaking, VERIFIER, secrets)).toBe('leak');
    expect(broker.store.verifications).toEqual([]);
  });
});

test('the version that an environment holds: the one, and never a guess', async () => {
  await withBroker(async (broker, access) => {
    const environment = broker.store.environment('test');
    if (environment === undefined) throw new Error('a fresh broker has an environment test');
    const asked = () => deployedVersion(access, PROVIDER, 'test');
    await expect(asked()).rejects.toThrow('record its version with `contracts record-deployment`');
    broker.store.deploy(PROVIDER, 'observed-1', environment);
    broker.store.deploy('web-shop', '7', environment);
    expect(await asked()).toBe('observed-1');
    broker.store.deploy(PROVIDER, 'observed-2', environment);
    expect(await asked()).toBe('observed-2');
    broker.store.deploy(PROVIDER, 'observed-3', environment, 'second');
    await expect(asked()).rejects.toThrow('2 versions');
    await expect(deployedVersion(access, PROVIDER, 'moon')).rejects.toThrow('has no environment moon');
  });
});

test('of the broker’s addresses only the path counts: behind a proxy the rest leads nowhere', async () => {
  await withBroker(async (broker, access) => {
    published(broker, '1', 'main');
    broker.fault({
      status: 200,
      headers: { 'Content-Type': 'application/hal+json' },
      body: {
        _embedded: {
          pacts: [
            {
              _links: {
                self: {
                  href: `http://inside.invalid:9292/pacts/provider/${PROVIDER}/consumer/web-shop/version/1`,
                },
              },
            },
          ],
        },
      },
    });
    const pacts = await pactsToVerify(access, PROVIDER, { consumerBranch: undefined });
    expect(pacts).toHaveLength(1);
  });
});

test('reading is tried three times, publishing once', async () => {
  await withBroker(async (broker, access) => {
    published(broker, '1', 'main');
    broker.fault({ status: 503 }, 2);
    const [pact] = await pactsToVerify(access, PROVIDER, { consumerBranch: undefined });
    if (pact === undefined) throw new Error('there is no pact to verify');
    const before = broker.requests.length;
    broker.fault({ status: 503 });
    const work = publishVerification(access, pact, outcome({}), VERIFIER, new SecretRegistry());
    await expect(work).rejects.toThrow('answered 503 (1 try)');
    expect(broker.requests.length - before).toBe(1);
  });
});

for (const [what, options, fault, says] of [
  ['HTML', {}, HTML_PAGE, 'is no Pact Broker'],
  ['no access', { auth: { kind: 'token', token: 'another' } }, undefined, 'does not let us do this (401)'],
] as const) {
  test(`${what}: one sentence`, async () => {
    await withBroker(async (broker, access) => {
      if (fault !== undefined) broker.fault(fault);
      const error = await pactsToVerify(access, PROVIDER, { consumerBranch: undefined }).catch(
        (e: unknown) => e,
      );
      expect(error).toBeInstanceOf(BrokerFailed);
      expect((error as Error).message).toContain(says);
    }, options);
  });
}
