import { expect, test } from '@playwright/test';
import { pactsOfVersion, selectPacts } from '../../../src/contracts/broker/for-verification.ts';
import { Broker } from '../../../src/contracts/broker/hal-client.ts';
import { BrokerFailed } from '../../../src/contracts/broker/hal-resource.ts';
import { publishPacts, publishVerification, readPactFiles } from '../../../src/contracts/broker/publish.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { samplePact, writePacts } from '../../support/broker-double/sample-pacts.ts';
import { next, withBroker } from '../../support/broker-double/start.ts';
import type { BrokerStore } from '../../support/broker-double/store.ts';
import { type BrokerAnswer, HTML_PAGE, json } from '../../support/broker-double/wire.ts';

/** Something answers one request in place of the broker: what was not done is never reported as done, nor what was not read as nothing. */

const [CONSUMER, PROVIDER] = ['web-shop', 'legacy-resource-api'];
const BUILD = { version: '2', branch: 'main', buildUrl: undefined };
const VERIFIER = { providerVersion: 'p1', providerBranch: 'main', buildUrl: undefined, suiteVersion: '1' };
const WANTED = {
  provider: [PROVIDER],
  providerVersionBranch: 'main',
  pactUrls: [],
  noPending: false,
  consumer: undefined,
  consumerAppVersion: undefined,
  consumerVersionSelector: [],
  includeWipPactsSince: undefined,
};

const ANSWERS: Readonly<Record<string, BrokerAnswer>> = {
  'an HTML page': HTML_PAGE,
  'an empty object': json(200, {}),
  'an empty list': json(200, []),
  null: json(200, null),
  'an empty 200': { status: 200 },
  'an empty 204': { status: 204 },
  'half of a JSON text': {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: '{"summary":',
  },
  'an empty 404': { status: 404 },
  'an HTML 404': { ...HTML_PAGE, status: 404 },
  'a 400 that says nothing': json(400, {}),
};

/** Acts of a verb at a broker: it says that it is done, or returns an answer. */
type Verb = (broker: Broker) => Promise<boolean>;

const VERBS: Readonly<Record<string, Verb>> = {
  publish: async (broker) => {
    const folder = writePacts(test.info().outputPath('pacts'), { 'a.json': samplePact() });
    return (await publishPacts(broker, readPactFiles([folder]), BUILD)).exitCode === 0;
  },
  'the pacts to verify': async (broker) => {
    expect((await selectPacts(broker, WANTED)).pacts).toHaveLength(1);
    return true;
  },
  // None is reported as nothing to verify, and is no pass.
  'the pacts of a version': async (broker) => (await pactsOfVersion(broker, CONSUMER, '1')).length > 0,
  'a verification result': async (broker) => {
    const [pact] = await pactsOfVersion(broker, CONSUMER, '1');
    if (pact === undefined) return false;
    const { source, consumer, provider, why } = pact;
    const outcome = {
      source,
      consumer,
      provider,
      why,
      standing: 'counts',
      warnings: [],
      interactions: [],
    } as const;
    return (await publishVerification(broker, pact, outcome, VERIFIER, new SecretRegistry())) === 'published';
  },
};

/** The broker's records after a verb that changes something. */
const HOLDS: Readonly<Record<string, (store: BrokerStore) => boolean>> = {
  publish: (store) => store.publication(CONSUMER, '2', PROVIDER) !== undefined,
  'a verification result': (store) =>
    store.verifications.some(({ providerVersion, success }) => providerVersion === 'p1' && success),
};

for (const [name, run] of Object.entries(VERBS)) {
  test(`${name}: a request that something else answers`, async () => {
    const attempt = (nth: number, answer: BrokerAnswer) =>
      withBroker(async (double) => {
        const { store, requests, url } = double;
        store.publish(CONSUMER, '1', PROVIDER, samplePact(), 'main');
        if (nth > 0) double.instead = next(1, answer, nth - 1);
        const done = await run(new Broker({ baseUrl: url })).catch((error: unknown) => {
          if (!(error instanceof BrokerFailed)) throw error;
          return false;
        });
        return { done, holds: HOLDS[name]?.(store) ?? true, requests: requests.length };
      });
    const { done, requests } = await attempt(0, HTML_PAGE);
    expect(done).toBe(true);
    const wrong: string[] = [];
    for (let nth = 1; nth <= requests; nth += 1) {
      for (const [what, instead] of Object.entries(ANSWERS)) {
        const actual = await attempt(nth, instead).catch((error: Error) => {
          wrong.push(`request ${nth}, ${what}: ${error.message.split('\n')[0]}`);
          return { done: false, holds: false };
        });
        if (actual.done && !actual.holds) wrong.push(`request ${nth}, ${what}: said to be done`);
      }
    }
    expect(wrong).toEqual([]);
  });
}
