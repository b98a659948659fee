import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { writePacts } from '../../support/broker-double/sample-pacts.ts';
import { type BrokerDouble, startBrokerDouble } from '../../support/broker-double/start.ts';
import { runCommand } from '../../support/command.ts';
import { type LiveEmulator, startLiveEmulator } from '../../support/emulator-live.ts';
import { PROVE } from '../../support/prove.ts';

/** Two consumers and a live service in two environments: what each pipeline runs, how it ends, and what the broker then holds. */

const PROVIDERS = ['legacy-authorization-server', 'legacy-resource-api'] as const;
const [, API] = PROVIDERS;
const LIST = { method: 'GET', path: '/v2/projects/1/assigned_users' } as const;

/** The service's behaviour, without and with {@link DEFECT}. */
const REFUSED_WITHOUT_TOKEN = {
  description: 'the members of a project, without a token',
  providerStates: [{ name: 'a project exists' }],
  request: LIST,
  response: { status: 401 },
};
/** A mistake, which no service keeps. */
const GIVEN_WITHOUT_TOKEN = { ...REFUSED_WITHOUT_TOKEN, response: { status: 200 } };
const GIVEN_WITH_TOKEN = {
  description: 'the members of a project',
  providerStates: [{ name: 'a token pair was issued' }, { name: 'a project exists' }],
  request: {
    ...LIST,
    headers: { Authorization: 'Bearer x' },
    generators: {
      path: { type: 'ProviderState', expression: `/v2/projects/\${project_id}/assigned_users` },
      header: { Authorization: { type: 'ProviderState', expression: `Bearer \${access_token}` } },
    },
  },
  response: { status: 200 },
};
const OTHER_PROJECT = {
  description: 'the members of a project that there is not, without a token',
  providerStates: [{ name: 'no such project exists' }],
  request: LIST,
  response: { status: 401 },
};

const DEFECT = 'list-token-optional';

class Story {
  readonly broker: BrokerDouble;
  readonly service: LiveEmulator;

  constructor(broker: BrokerDouble, service: LiveEmulator) {
    this.broker = broker;
    this.service = service;
    for (const provider of PROVIDERS) broker.store.ensurePacticipant(provider);
  }

  /** Runs a verb of `contracts` and expects its exit code. Returns what it printed. */
  async run(exit: number, ...args: readonly string[]): Promise<string> {
    const env = { PACT_BROKER_BASE_URL: this.broker.url, ...this.service.env };
    const { code, stdout, stderr } = await runCommand(['contracts', ...args], env);
    expect([args.join(' '), code], stdout + stderr).toEqual([args.join(' '), exit]);
    return stdout + stderr;
  }

  async publish(consumer: string, version: string, branch: string, ...interactions: readonly object[]) {
    this.broker.store.ensurePacticipant(consumer).mainBranch = 'trunk';
    const pact = {
      consumer: { name: consumer },
      provider: { name: API },
      interactions,
      metadata: { pactSpecification: { version: '3.0.0' } },
    };
    const folder = writePacts(test.info().outputPath(`${consumer}-${version}`), { 'pact.json': pact });
    await this.run(0, 'publish', folder, '--consumer-app-version', version, '--branch', branch);
  }

  /** The job of the service, with the results of a check that was made before. */
  job(exit: number, environment: string): Promise<string> {
    const broken = this.service.emulator.control.defects.active().length > 0;
    const { authUrl, baseUrl } = this.service.emulator;
    const results = test.info().outputPath(`${broken ? 'broken' : 'conforms'}.json`);
    const run = {
      selection: 'complete',
      verdict: broken ? 'violates' : 'conforms',
      requirements: [{ id: 'list.token-required', result: broken ? 'fail' : 'pass' }],
      observations: [],
      target: { kind: 'live', name: 'emulated staging', authUrl, baseUrl },
    };
    writeFileSync(results, JSON.stringify(run));
    const wip = ['--include-wip-pacts-since', '2020-01-01'];
    const target = ['--target', this.service.file, '--results', results];
    return this.run(exit, 'provider', '--environment', environment, ...target, ...wip);
  }

  /** The verification in a consumer's pipeline. */
  ownPact(exit: number, consumer: string, version: string): Promise<string> {
    const own = ['--broker', '--consumer', consumer, '--consumer-app-version', version];
    return this.verify(exit, ...own, '--deployed-in', 'staging');
  }

  verify(exit: number, ...args: readonly string[]): Promise<string> {
    return this.run(exit, 'verify', '--target', this.service.file, '--publish', ...args);
  }

  /** A broker's answer to can-i-deploy, for a consumer of one provider. */
  mayDeploy(consumer: string, version: string, environment: string): 'yes' | 'no' | 'unknown' {
    const { store } = this.broker;
    const pact = store.publication(consumer, version, API);
    const [deployed] = store.deployedIn(environment, API);
    const result = pact && deployed ? store.latestVerification(pact, deployed) : undefined;
    return result === undefined ? 'unknown' : result.success ? 'yes' : 'no';
  }
}

test(
  'bootstrap, a consumer, a pending pact and its fix, a webhook, and a service that breaks in one environment',
  PROVE,
  async () => {
    test.setTimeout(180_000);
    const broker = await startBrokerDouble({ environments: ['staging', 'production'] });
    const story = new Story(broker, await startLiveEmulator(test.info().outputPath('.')));
    try {
      // Bootstrap: the job of the service, before any consumer has a pact.
      for (const environment of ['staging', 'production'])
        expect(await story.job(0, environment)).toContain(`recorded: ${API} observed-`);

      await story.publish('shop', '1', 'trunk', REFUSED_WITHOUT_TOKEN);
      expect(story.mayDeploy('shop', '1', 'staging')).toBe('unknown');
      await story.ownPact(0, 'shop', '1');
      // The service does the same in both environments, so it is the same version in both.
      expect(story.mayDeploy('shop', '1', 'staging')).toBe('yes');
      expect(story.mayDeploy('shop', '1', 'production')).toBe('yes');

      await story.publish('billing', '1', 'trunk', GIVEN_WITHOUT_TOKEN);
      expect(await story.job(0, 'staging')).toContain('pending: 0 of 1 interactions verified, 1 failed');
      expect(story.mayDeploy('billing', '1', 'staging')).toBe('no');
      await story.publish('billing', '2', 'fix', GIVEN_WITH_TOKEN);
      await story.ownPact(0, 'billing', '2');
      expect(story.mayDeploy('billing', '2', 'staging')).toBe('yes');

      // Its maker marked it as not yet kept: the job is green over it, the broker is not.
      await story.publish('billing', '4', 'later', { ...GIVEN_WITHOUT_TOKEN, pending: true });
      await story.ownPact(0, 'billing', '4');
      expect(story.mayDeploy('billing', '4', 'staging')).toBe('no');

      await story.publish('billing', '3', 'more', GIVEN_WITH_TOKEN, OTHER_PROJECT);
      const { sha } = broker.store.publication('billing', '3', API) ?? {};
      const url = `${broker.url}/pacts/provider/${API}/consumer/billing/pact-version/${sha}`;
      await story.verify(0, '--pact', url, '--deployed-in', 'staging');
      expect(story.mayDeploy('billing', '3', 'staging')).toBe('yes');

      story.service.emulator.control.defects.switch([DEFECT]);
      await story.job(1, 'staging');
      expect(story.mayDeploy('shop', '1', 'staging')).toBe('no');
      expect(story.mayDeploy('billing', '2', 'staging')).toBe('unknown');
      await story.ownPact(0, 'billing', '2');
      expect(story.mayDeploy('billing', '2', 'staging')).toBe('yes');
      expect(story.mayDeploy('shop', '1', 'production')).toBe('yes');
    } finally {
      await story.service.emulator.close();
      await broker.close();
    }
  },
);
