import { expect, test } from '@playwright/test';
import {
  deployedVersion,
  environmentsWith,
  recordDeployment,
} from '../../src/contracts/broker/deployments.ts';
import { BrokerFailed } from '../../src/contracts/broker/failures.ts';
import {
  leftOut,
  pactsOfVersion,
  pactsToVerify,
  requireNoPact,
} from '../../src/contracts/broker/for-verification.ts';
import { Broker } from '../../src/contracts/broker/hal-client.ts';
import { readPactFiles } from '../../src/contracts/broker/pact-files.ts';
import { publishPacts } from '../../src/contracts/broker/publish.ts';
import { publishVerification } from '../../src/contracts/broker/publish-result.ts';
import { DEFAULT_SELECTORS } from '../../src/contracts/broker/selectors.ts';
import { SecretRegistry } from '../../src/secrets/registry.ts';
import { startAlteringProxy } from '../support/broker-double/altering.ts';
import { samplePact, writePacts } from '../support/broker-double/sample-pacts.ts';
import { HTML_PAGE, startBrokerDouble } from '../support/broker-double/start.ts';
import type { BrokerStore } from '../support/broker-double/store.ts';
import type { BrokerAnswer } from '../support/broker-double/wire.ts';

/**
 * Something stands before the broker and answers one request in its place: each request of each verb, each kind of answer. What was
 * not done is never reported as done, and what was not read is never taken for nothing.
 */

const [CONSUMER, PROVIDER] = ['web-shop', 'legacy-resource-api'];
const VERIFIER = { providerVersion: 'p1', providerBranch: 'main', buildUrl: undefined, suiteVersion: '1' };

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

/** What a verb does at a broker, and whether what it says is so. */
interface Verb {
  readonly name: string;
  /** @returns true where it says that it is done, or gives what it was asked for */
  readonly run: (broker: Broker) => Promise<boolean>;
  readonly holds: (store: BrokerStore) => boolean;
  /** What it must have said when nothing stands between. */
  readonly arrange?: (store: BrokerStore) => void;
}

const exits = async (answer: Promise<{ readonly exitCode: number }>) => (await answer).exitCode === 0;

const VERBS: readonly Verb[] = [
  {
    name: 'publish',
    run: (broker) => {
      const folder = writePacts(test.info().outputPath('pacts'), { 'a.json': samplePact() });
      const build = { version: '2', branch: 'main', buildUrl: undefined, tags: [], merge: false };
      return exits(publishPacts(broker, readPactFiles([folder]), build));
    },
    holds: (store) => store.publication(CONSUMER, '2', PROVIDER) !== undefined,
  },
  {
    name: 'a deployment',
    run: async (broker) => {
      await recordDeployment(broker, {
        ...{ provider: PROVIDER, version: 'new', branch: 'main', environment: 'test' },
        instance: undefined,
      });
      return true;
    },
    holds: (store) => store.deployedIn('test', PROVIDER).includes('new'),
  },
  {
    name: 'the pacts to verify',
    run: async (broker) => {
      const wanted = { selectors: DEFAULT_SELECTORS, providerBranch: 'main', wipSince: undefined };
      const pacts = await pactsToVerify(broker, PROVIDER, wanted);
      expect(pacts).toHaveLength(1);
      return true;
    },
    arrange: (store) => {
      store.ensurePacticipant(CONSUMER).mainBranch = 'main';
    },
    holds: () => true,
  },
  {
    name: 'the pacts of a version',
    run: async (broker) => {
      // None is reported as nothing to verify, and is no pass.
      return (await pactsOfVersion(broker, CONSUMER, '1')).length > 0;
    },
    holds: (store) => store.publications.length > 0,
  },
  {
    name: 'who is left out',
    run: async (broker) => {
      expect(await leftOut(broker, PROVIDER, [], false)).toHaveLength(1);
      return true;
    },
    holds: () => true,
  },
  {
    name: 'that there is no pact',
    run: async (broker) => {
      await requireNoPact(broker, PROVIDER, false);
      return true;
    },
    arrange: (store) => {
      store.removePacticipant(CONSUMER);
      store.ensurePacticipant(PROVIDER);
    },
    holds: () => true,
  },
  {
    name: 'what is deployed',
    arrange: (store) => {
      const environment = store.environment('test');
      if (environment !== undefined) store.deploy(PROVIDER, 'p0', environment);
    },
    run: async (broker) => {
      expect(await deployedVersion(broker, PROVIDER, 'test', undefined)).toBe('p0');
      return true;
    },
    holds: () => true,
  },
  {
    name: 'which environment has a version',
    arrange: (store) => {
      const environment = store.environment('test');
      if (environment !== undefined) store.deploy(PROVIDER, 'p0', environment);
    },
    run: async (broker) => {
      expect(await environmentsWith(broker, PROVIDER, 'p0')).toEqual(['test']);
      return true;
    },
    holds: () => true,
  },
  {
    name: 'a verification result',
    run: async (broker) => {
      const [pact] = await pactsOfVersion(broker, CONSUMER, '1');
      if (pact === undefined) return false;
      const { source, consumer, provider, why } = pact;
      const standing = 'counts' as const;
      const outcome = { source, consumer, provider, why, standing, warnings: [], interactions: [] };
      return (
        (await publishVerification(broker, pact, outcome, VERIFIER, new SecretRegistry())) === 'published'
      );
    },
    holds: (store) =>
      store.verifications.some(({ providerVersion, success }) => providerVersion === 'p1' && success),
  },
];

for (const { name, run, holds, arrange } of VERBS) {
  test(`${name}: a request that something else answers`, async () => {
    const wrong: string[] = [];
    const attempt = async (nth: number, instead: BrokerAnswer) => {
      const double = await startBrokerDouble();
      const proxy = await startAlteringProxy(double.url, nth, instead);
      try {
        double.store.ensureVersion(CONSUMER, '1', 'main');
        double.store.publish(CONSUMER, '1', PROVIDER, samplePact());
        arrange?.(double.store);
        const broker = new Broker({ baseUrl: proxy.url, credentials: { kind: 'none' } });
        const done = await run(broker).catch((error: unknown) => {
          if (!(error instanceof BrokerFailed)) throw error;
          return false;
        });
        return { done, holds: holds(double.store), requests: proxy.count() };
      } finally {
        await proxy.close();
        await double.close();
      }
    };
    const { done, requests } = await attempt(0, HTML_PAGE);
    expect(done).toBe(true);
    for (let nth = 1; nth <= requests; nth += 1) {
      for (const [what, instead] of Object.entries(ANSWERS)) {
        const came = await attempt(nth, instead).catch((error: Error) => {
          wrong.push(`request ${nth}, ${what}: ${error.message.split('\n')[0]}`);
          return { done: false, holds: false };
        });
        if (came.done && !came.holds) wrong.push(`request ${nth}, ${what}: said to be done`);
      }
    }
    expect(wrong).toEqual([]);
  });
}

function json(status: number, body: unknown): BrokerAnswer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
