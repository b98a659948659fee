import { expect, test } from '@playwright/test';
import {
  type PactSelection,
  pactsOfVersion,
  readSelector,
  selectPacts,
} from '../../../src/contracts/broker/for-verification.ts';
import { Broker } from '../../../src/contracts/broker/hal-client.ts';
import { publishVerification } from '../../../src/contracts/broker/publish.ts';
import type { InteractionOutcome, PactOutcome } from '../../../src/contracts/verify/pact-outcome.ts';
import { UsageError } from '../../../src/document/input/usage-error.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { samplePact } from '../../support/broker-double/sample-pacts.ts';
import { type BrokerDouble, next, withBroker } from '../../support/broker-double/start.ts';
import { hal } from '../../support/broker-double/wire.ts';

/** Pacts from a broker and results to it: what is asked, what is sent, and what is not. */

const PROVIDER = 'legacy-resource-api';
const VERIFIER = {
  providerVersion: 'observed-1',
  providerBranch: 'observed-test',
  buildUrl: 'https://ci.example/7',
  suiteVersion: '9.9.9',
};

const OF_A_PROVIDER: PactSelection = {
  provider: [PROVIDER],
  providerVersionBranch: 'observed-test',
  pactUrls: [],
  consumer: undefined,
  consumerAppVersion: undefined,
  consumerVersionSelector: [],
  includeWipPactsSince: undefined,
  noPending: false,
};

/** Works with a broker, and with a client of it. */
function withClient(work: (double: BrokerDouble, broker: Broker) => Promise<void>): Promise<void> {
  return withBroker((double) => work(double, new Broker({ baseUrl: double.url })));
}

/** The request of a provider's job. */
async function ask(broker: Broker, asked: Partial<PactSelection> = {}) {
  return (await selectPacts(broker, { ...OF_A_PROVIDER, ...asked })).pacts;
}

const described = (pacts: readonly { readonly text: string }[]) =>
  pacts.map(({ text }) => JSON.parse(text).interactions[0].description).sort();

function published({ store }: BrokerDouble, version: string, branch: string, description = 'a list'): void {
  const [interaction] = samplePact().interactions;
  const pact = samplePact({ interactions: [{ ...interaction, description }] });
  store.publish('web-shop', version, PROVIDER, pact, branch);
}

/** The only pact that there is to verify. */
async function onlyPact(broker: Broker) {
  const [pact] = await ask(broker);
  if (pact === undefined) throw new Error('there is no pact to verify');
  return pact;
}

/** Publishes a result, without secrets. */
async function tell(broker: Broker, actual: PactOutcome, changes: Partial<typeof VERIFIER> = {}) {
  const verifier = { ...VERIFIER, ...changes };
  return publishVerification(broker, await onlyPact(broker), actual, verifier, new SecretRegistry());
}

function outcome(...interactions: readonly Partial<InteractionOutcome>[]): PactOutcome {
  return {
    source: 'the broker',
    consumer: 'web-shop',
    provider: PROVIDER,
    standing: 'counts',
    why: [],
    warnings: [],
    interactions: interactions.map((one) => ({
      description: 'a list',
      states: [],
      id: 'an-id',
      result: 'verified',
      pending: false,
      reasons: [],
      durationMs: 1,
      ...one,
      mismatches: one.mismatches ?? [],
    })),
  };
}

test('wanted are main branches and what is deployed or released; a content once', async () => {
  await withClient(async (double, broker) => {
    published(double, '1', 'main', 'the first');
    published(double, '2', 'main', 'the second');
    published(double, '3', 'topic', 'the third');
    double.store.deploy('web-shop', '1', 'production');
    expect(described(await ask(broker))).toEqual(['the first', 'the second']);
    const by = (...consumerVersionSelector: readonly string[]) => ask(broker, { consumerVersionSelector });
    expect(described(await by('mainBranch', 'deployedOrReleased', 'branch=topic'))).toHaveLength(3);
    published(double, '4', 'main', 'the first');
    expect(described(await ask(broker))).toEqual(['the first']);
    double.store.release('web-shop', '3', 'test');
    expect(described(await by('released,environment=test'))).toEqual(['the third']);
    expect(described(await by('branch=gone,fallbackBranch=topic'))).toEqual(['the third']);
    expect(await ask(broker, { provider: ['another'] })).toEqual([]);
  });
});

test('a selector: Pact’s keys', () => {
  for (const [text, expected] of [
    ['mainBranch', { mainBranch: true }],
    ['deployed, environment=staging', { deployed: true, environment: 'staging' }],
    ['branch=a=b,consumer=shop', { branch: 'a=b', consumer: 'shop' }],
  ] as const)
    expect(readSelector(text)).toEqual(expected);
  for (const [text, says] of [
    ['main', '"main" is none of its keys'],
    ['mainBranch=no', 'mainBranch takes no value'],
    ['branch', 'branch wants a text'],
    ['consumer=shop', 'expected one of mainBranch'],
  ] as const) {
    expect(() => readSelector(text)).toThrow(UsageError);
    expect(() => readSelector(text)).toThrow(says);
  }
});

test('pending until a version of the provider’s branch was seen to keep it; then no longer, whatever comes', async () => {
  await withClient(async (double, broker) => {
    published(double, '1', 'main');
    const failed = outcome({ result: 'failed', reasons: ['no'] });
    const pending = async () => (await onlyPact(broker)).pending;
    expect(await pending()).toBe(true);
    await tell(broker, failed);
    expect(await pending()).toBe(true);
    await tell(broker, outcome({}), { providerBranch: 'observed-production', providerVersion: 'p' });
    expect(await pending()).toBe(true);
    await tell(broker, outcome({}));
    expect(await pending()).toBe(false);
    await tell(broker, failed);
    expect(await pending()).toBe(false);
  });
});

test('pending: a branch that is made after a success inherits it, one that was there before does not', async () => {
  await withClient(async ({ store }, broker) => {
    const pending = async (providerVersionBranch: string) => {
      const pacts = await ask(broker, { consumerVersionSelector: ['latest'], providerVersionBranch });
      return pacts.map((pact) => pact.pending);
    };
    store.ensureVersion(PROVIDER, 'p0', 'observed-old');
    const pact = store.publish('web-shop', '1', PROVIDER, samplePact());
    expect([await pending('observed-old'), await pending('observed-new')]).toEqual([[true], [true]]);
    store.ensureVersion(PROVIDER, 'p1', 'observed-test');
    store.verify(pact, { providerVersion: 'p1', success: true });
    expect([await pending('observed-old'), await pending('observed-new')]).toEqual([[true], [false]]);
    store.ensureVersion(PROVIDER, 'p2', 'observed-new');
    expect(await pending('observed-new')).toEqual([false]);
  });
});

test('work in progress since a day: the heads of all branches, pending, with the broker’s reason', async () => {
  await withClient(async (double, broker) => {
    published(double, '1', 'topic', 'an old request');
    published(double, '2', 'topic', 'a new request');
    expect(await ask(broker)).toEqual([]);
    const [wip, ...others] = await ask(broker, { includeWipPactsSince: '2020-01-01' });
    expect(others).toEqual([]);
    expect(wip).toMatchObject({ pending: true, consumer: 'web-shop', provider: PROVIDER });
    expect(wip?.why[0]).toContain("'work in progress' pact");
    expect(described(wip === undefined ? [] : [wip])).toEqual(['a new request']);
    expect(await ask(broker, { includeWipPactsSince: '2999-01-01' })).toEqual([]);
  });
});

test('the pacts of one version of a consumer, for both providers; an unknown version is told', async () => {
  await withClient(async (double, broker) => {
    published(double, '1', 'fix', 'of this version');
    published(double, '2', 'fix', 'of the next');
    expect(described(await pactsOfVersion(broker, 'web-shop', '1'))).toEqual(['of this version']);
    await expect(pactsOfVersion(broker, 'web-shop', '9')).rejects.toThrow('does not know web-shop 9');
  });
});

test('a result is published under the provider’s version and branch, with each interaction and the place of each mismatch', async () => {
  await withClient(async (double, broker) => {
    published(double, '1', 'main');
    const mismatches = [{ description: 'status 200', attribute: 'body', identifier: '$.expires_in' }];
    const found = outcome({}, { id: 'another-id', result: 'failed', reasons: ['status 200'], mismatches });
    expect(await tell(broker, found)).toBe('published');
    expect(double.store.verifications).toMatchObject([{ success: false, providerVersion: 'observed-1' }]);
    expect(double.store.version(PROVIDER, 'observed-1')?.branches).toEqual(['observed-test']);
    expect(JSON.parse(double.requests.at(-1)?.body ?? '')).toEqual({
      success: false,
      providerApplicationVersion: 'observed-1',
      buildUrl: 'https://ci.example/7',
      testResults: [
        { interactionId: 'an-id', interactionDescription: 'a list', success: true },
        { interactionId: 'another-id', interactionDescription: 'a list', success: false, mismatches },
      ],
      verifiedBy: { implementation: 'legacy-api-conformance', version: '9.9.9' },
    });
  });
});

test('nothing is published of a pact of which something did not run, nor what holds a secret', async () => {
  await withClient(async (double, broker) => {
    published(double, '1', 'main');
    const pact = await onlyPact(broker);
    const secrets = new SecretRegistry();
    secrets.register('access_token', 'token-that-acts');
    const notRun = outcome({}, { result: 'not-run', reasons: ['no answer'] });
    const leaking = outcome({ result: 'failed', mismatches: [{ description: 'got token-that-acts' }] });
    expect(await publishVerification(broker, pact, notRun, VERIFIER, secrets)).toBe('not-run');
    expect(await publishVerification(broker, pact, leaking, VERIFIER, secrets)).toBe('leak');
    expect(double.store.verifications).toEqual([]);
  });
});

test('of the broker’s addresses only the path counts: behind a proxy the rest leads nowhere', async () => {
  await withClient(async (double, broker) => {
    published(double, '1', 'main');
    const [publication] = double.store.publications;
    const href = `http://inside.invalid:9292/pacts/provider/${PROVIDER}/consumer/web-shop/pact-version/${publication?.sha}`;
    const answer = hal(200, { _embedded: { pacts: [{ _links: { self: { href } } }] } });
    double.instead = ({ path }) => (path.endsWith('/for-verification') ? answer : undefined);
    expect(await ask(broker)).toHaveLength(1);
  });
});

test('reading is tried three times, publishing once', async () => {
  await withClient(async (double, broker) => {
    published(double, '1', 'main');
    double.instead = next(2, { status: 503 });
    const pact = await onlyPact(broker);
    const isResult = ({ path }: { readonly path: string }) => path.endsWith('/verification-results');
    double.instead = (request) => (isResult(request) ? { status: 503 } : undefined);
    const work = publishVerification(broker, pact, outcome({}), VERIFIER, new SecretRegistry());
    await expect(work).rejects.toThrow('answered 503 (1 try)');
    expect(double.requests.filter(isResult)).toHaveLength(1);
  });
});

test('credentials that may only read are found out before anything is verified', async () => {
  const writer = { username: 'writer', password: 'writes' };
  const reader = { username: 'reader', password: 'reads' };
  await withBroker(
    async (double) => {
      published(double, '1', 'main');
      const as = ({ username, password }: typeof reader) =>
        new Broker({
          baseUrl: double.url,
          authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        });
      const { resultsAddress } = await onlyPact(as(reader));
      await expect(as(reader).requireWriting(resultsAddress)).rejects.toThrow('and that they may write');
      await as(writer).requireWriting(resultsAddress);
      expect(double.store.verifications).toEqual([]);
    },
    { auth: { kind: 'basic', writer, reader } },
  );
});
