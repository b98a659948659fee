import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import type { BrokerAccess } from '../../src/contracts/broker/access.ts';
import type { BrokerAnswer } from '../../src/contracts/broker/answer.ts';
import { canIDeploy } from '../../src/contracts/broker/can-i-deploy.ts';
import { Broker } from '../../src/contracts/broker/hal-client.ts';
import { readPactFiles } from '../../src/contracts/broker/pact-files.ts';
import { publishPacts } from '../../src/contracts/broker/publish.ts';
import { record, recordEnd } from '../../src/contracts/broker/record.ts';
import { samplePact, writePacts } from '../support/broker-double/sample-pacts.ts';
import {
  type BrokerDouble,
  type BrokerOptions,
  EMPTY_INDEX,
  HTML_PAGE,
  startBrokerDouble,
} from '../support/broker-double/start.ts';
import { runCommand } from '../support/command.ts';

/** The verbs that talk to a broker, as processes of their own, against a broker on a real socket. */

const WRITER = { username: 'ci', password: 'pass-word-of-ci-7f' };

/**
 * What this process must not pass on: a CI system's own variables would decide about version and branch, and with two
 * answers about colours the runtime writes a warning of its own.
 */
const NO_CI = {
  GITHUB_ACTIONS: undefined,
  GITLAB_CI: undefined,
  TF_BUILD: undefined,
  CIRCLECI: undefined,
  BUILDKITE: undefined,
  BITBUCKET_COMMIT: undefined,
  JENKINS_URL: undefined,
  FORCE_COLOR: undefined,
};

async function withBroker(
  options: BrokerOptions,
  work: (
    broker: BrokerDouble,
    run: (...args: readonly string[]) => ReturnType<typeof runCommand>,
  ) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
) {
  const broker = await startBrokerDouble(options);
  try {
    await work(broker, (...args) =>
      runCommand(['contracts', ...args], { ...NO_CI, PACT_BROKER_BASE_URL: broker.url, ...env }),
    );
  } finally {
    await broker.close();
  }
}

const pactsAt = (name: string, contents: Readonly<Record<string, unknown>>) =>
  writePacts(test.info().outputPath(name), contents);

const FRESH = ['--version-number', '1.0.0', '--branch', 'main'] as const;

test.describe('publish', () => {
  test('sends every pact as of one version, by basic auth, and says where to look', async () => {
    const folder = pactsAt('pacts [1]', {
      'api.json': samplePact(),
      'auth.json': samplePact({ provider: { name: 'legacy-authorization-server' } }),
    });
    const auth = { kind: 'basic', writer: WRITER } as const;
    await withBroker(
      { auth },
      async (broker, run) => {
        const end = await run('publish', folder, ...FRESH, '--build-url', 'https://ci.example/7');
        expect(end.code, end.stderr).toBe(0);
        expect(end.stdout).toContain('published as version 1.0.0 (branch main)');
        expect(end.stdout).toContain(`${broker.url}/pacts/provider/legacy-resource-api/consumer/web-shop`);
        expect(end.stdout + end.stderr).not.toContain(WRITER.password);
        const sent = broker.requests
          .filter(({ method }) => method === 'POST')
          .map(({ body }) => JSON.parse(body));
        expect(
          sent
            .flatMap(({ contracts }) => contracts.map((one: { providerName: string }) => one.providerName))
            .sort(),
        ).toEqual(['legacy-authorization-server', 'legacy-resource-api']);
        for (const body of sent) {
          expect(body).toMatchObject({
            pacticipantName: 'web-shop',
            pacticipantVersionNumber: '1.0.0',
            branch: 'main',
            buildUrl: 'https://ci.example/7',
          });
        }
        const basic = `Basic ${Buffer.from(`${WRITER.username}:${WRITER.password}`).toString('base64')}`;
        expect(new Set(broker.requests.map(({ headers }) => headers.authorization))).toEqual(
          new Set([basic]),
        );
      },
      { PACT_BROKER_USERNAME: WRITER.username, PACT_BROKER_PASSWORD: WRITER.password },
    );
  });

  test('takes version, branch and build from a pull request, and a token', async () => {
    const event = test.info().outputPath('event.json');
    writeFileSync(event, JSON.stringify({ pull_request: { head: { sha: 'head-of-the-branch' } } }));
    const folder = pactsAt('pacts', { 'api.json': samplePact() });
    await withBroker(
      { auth: { kind: 'token', token: 'token-of-ci-4c' } },
      async (broker, run) => {
        const end = await run('publish', folder);
        expect(end.code, end.stderr).toBe(0);
        const sent = broker.requests.find(({ path }) => path === '/contracts/publish');
        const { pacticipantVersionNumber, branch, buildUrl } = JSON.parse(sent?.body ?? '');
        expect([pacticipantVersionNumber, branch, buildUrl]).toEqual([
          'head-of-the-branch',
          'feature/x',
          'https://github.example/shop/web/actions/runs/7',
        ]);
        expect(end.stdout + end.stderr).not.toContain('token-of-ci-4c');
      },
      {
        PACT_BROKER_TOKEN: 'token-of-ci-4c',
        GITHUB_ACTIONS: 'true',
        GITHUB_EVENT_NAME: 'pull_request',
        GITHUB_EVENT_PATH: event,
        GITHUB_SHA: 'merge-that-nobody-deploys',
        GITHUB_HEAD_REF: 'feature/x',
        GITHUB_SERVER_URL: 'https://github.example',
        GITHUB_REPOSITORY: 'shop/web',
        GITHUB_RUN_ID: '7',
      },
    );
  });

  test('one file that is no pact: 2, named, and the good one before it is not sent either', async () => {
    const folder = pactsAt('pacts', { 'a.json': samplePact(), 'b.json': { hello: 'world' } });
    await withBroker({}, async (broker, run) => {
      const end = await run('publish', folder, ...FRESH);
      expect(end.code).toBe(2);
      expect(end.stderr).toContain('b.json: expected `consumer.name`');
      expect(broker.requests).toEqual([]);
    });
  });

  test('other content under a version that there is: 1, the diff, and none of the consumer’s pacts is changed', async () => {
    await withBroker({}, async (broker, run) => {
      const first = pactsAt('first', { 'api.json': samplePact() });
      expect((await run('publish', first, ...FRESH)).code).toBe(0);
      expect((await run('publish', first, ...FRESH)).code).toBe(0);
      const [interaction] = samplePact().interactions;
      const changed = samplePact({ interactions: [{ ...interaction, response: { status: 204 } }] });
      const second = pactsAt('second', {
        'a.json': samplePact({ provider: { name: 'legacy-authorization-server' } }),
        'b.json': changed,
      });
      const end = await run('publish', second, ...FRESH);
      expect(end.code, end.stderr).toBe(1);
      expect(end.stderr).toContain(
        'the pact with legacy-resource-api differs from the one that was published as version 1.0.0',
      );
      // The broker's diff: many lines, the first of which begins like JSON.
      expect(end.stderr).toMatch(/^ {2}- +"status": 200$/m);
      expect(end.stderr).toMatch(/^ {2}\+ +"status": 204$/m);
      expect(end.stderr).toContain('Nothing was published');
      expect(broker.store.publications).toHaveLength(1);
    });
  });

  test('--merge adds to the pact of the version; tags go with it', async () => {
    await withBroker({}, async (broker, run) => {
      const [interaction] = samplePact().interactions;
      const first = pactsAt('first', { 'a.json': samplePact() });
      const second = pactsAt('second', {
        'a.json': samplePact({ interactions: [{ ...interaction, description: 'another request' }] }),
      });
      expect((await run('publish', first, ...FRESH, '--tag', 'dev,qa')).code).toBe(0);
      expect((await run('publish', second, ...FRESH, '--merge')).code).toBe(0);
      expect(
        broker.store.publication('web-shop', '1.0.0', 'legacy-resource-api')?.content.interactions,
      ).toHaveLength(2);
      expect(broker.store.version('web-shop', '1.0.0')?.tags).toEqual(['dev', 'qa']);
    });
  });

  test('the version is the commit of the repository that the pacts lie in, and never the suite’s; without a repository: 2', async () => {
    const shop = pactsAt('shop', { 'api.json': samplePact() });
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', shop, '-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], {
        encoding: 'utf8',
      }).trim();
    // In the suite's own checkout, as anybody's pact that was copied there.
    await withBroker({}, async (broker, run) => {
      const own = await run('publish', shop);
      expect([own.code, own.stderr]).toEqual([2, expect.stringContaining('says nothing about web-shop')]);
      expect(broker.requests).toEqual([]);
      git('init', '-q', '-b', 'trunk');
      const none = await run('publish', shop);
      expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('give --version')]);
      git('add', '.');
      git('commit', '-qm', 'a pact');
      const published = await run('publish', shop);
      expect(published.code, published.stderr).toBe(0);
      expect(published.stdout).toContain(`published as version ${git('rev-parse', 'HEAD')} (branch trunk)`);
    });
  });

  test('what a provider’s job would leave out is said with what ends it: no main branch known, no branch at all', async () => {
    await withBroker({}, async (broker, run) => {
      const folder = pactsAt('pacts', { 'api.json': samplePact() });
      const trunk = await run('publish', folder, '-a', '1', '--branch', 'trunk');
      const cure = 'contracts create-or-update-pacticipant --name "web-shop" --main-branch NAME';
      expect(trunk.stdout).toContain(cure);
      // The broker's own words too.
      expect(trunk.stdout).toContain('Add Pact verification tests to the legacy-resource-api build');
      const named = await run('create-or-update-pacticipant', '--name', 'web-shop', '--main-branch', 'trunk');
      expect(named.code, named.stderr).toBe(0);
      expect(broker.store.pacticipant('web-shop')?.mainBranch).toBe('trunk');
      expect((await run('publish', folder, '-a', '2', '--branch', 'trunk')).stdout).not.toContain(cure);
    });
    const broker = await startBrokerDouble();
    const files = readPactFiles([pactsAt('detached', { 'a.json': samplePact() })]);
    const answer = await publishPacts(new Broker(open(broker)), files, publication('3'));
    await broker.close();
    expect(answer.lines.join('\n')).toContain('published without a branch, because HEAD is on none');
    expect(answer.lines.join('\n')).toContain('Configure the version branch');
  });

  test('a pact that holds a secret of this process or of the target: 2 by name, and the broker is sent nothing', async () => {
    await withBroker({}, async (broker, run) => {
      const folder = pactsAt('pacts', {
        'good.json': samplePact({ consumer: { name: 'billing' } }),
        'leaky.json': samplePact({ comment: 'curl -u shop:s3cret-of-staging/42' }),
      });
      const env = {
        STAGING_CLIENT_SECRET: 's3cret-of-staging/42',
        PACT_BROKER_BASE_URL: broker.url,
        ...NO_CI,
      };
      const end = await runCommand(['contracts', 'publish', folder, ...FRESH], env);
      expect([end.code, end.stderr]).toEqual([
        2,
        expect.stringContaining(
          'leaky.json: the pact of web-shop with legacy-resource-api holds the value of the variable STAGING_CLIENT_SECRET',
        ),
      ]);
      expect(end.stderr).not.toContain('s3cret-of-staging');
      expect(broker.requests).toEqual([]);
      expect((await run('publish', folder, ...FRESH)).code).toBe(0);
    });
  });

  test('a name that the broker takes for a misspelt one: 1, and what to do', async () => {
    await withBroker({}, async (broker, run) => {
      broker.store.ensurePacticipant('legacy-resource-service');
      const end = await run('publish', pactsAt('pacts', { 'a.json': samplePact() }), ...FRESH);
      expect(end.code).toBe(1);
      expect(end.stderr).toContain('takes legacy-resource-api for a misspelt name');
    });
  });

  test('without an address: 2; with a version that is empty: 2', async () => {
    const folder = pactsAt('pacts', { 'api.json': samplePact() });
    const nowhere = await runCommand(['contracts', 'publish', folder, ...FRESH], {
      PACT_BROKER_BASE_URL: undefined,
    });
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('PACT_BROKER_BASE_URL')]);
    await withBroker({}, async (broker, run) => {
      const end = await run('publish', folder, '--version-number', '');
      expect([end.code, end.stderr]).toEqual([2, expect.stringContaining('expected a text on one line')]);
      expect(broker.requests).toEqual([]);
    });
  });

  test('a broker that takes the connection and says nothing is waited for no longer than the deadline: 3', async () => {
    const broker = await startBrokerDouble();
    broker.fault('stall', 10);
    const files = readPactFiles([pactsAt('pacts', { 'a.json': samplePact() })]);
    const answer = await publishPacts(new Broker(open(broker), 700), files, publication('1'));
    await broker.close();
    expect(answer.exitCode).toBe(3);
    expect(answer.lines[0]).toContain('gave no answer within 0.7 s');
  });
});

test.describe('can-i-deploy', () => {
  const ASK = ['can-i-deploy', '--pacticipant', 'web-shop', '--to-environment', 'production'] as const;

  test('reads the summary: null 3, true 0, false 1; and says why', async () => {
    await withBroker({}, async (broker, run) => {
      const publication = published(broker, '1.0.0');
      const production = broker.store.environment('production');
      if (production === undefined) throw new Error('a fresh broker has an environment production');
      const unknown = await run(
        ...ASK,
        '--version-number',
        '1.0.0',
        '--retry-while-unknown',
        '1',
        '--retry-interval',
        '1',
      );
      expect(unknown.code).toBe(3);
      expect(unknown.stderr).toContain('a verification result is missing (asked 2 times, 1 s apart)');
      expect(unknown.stderr).toContain('There is no verified pact between version 1.0.0 of web-shop');
      expect(broker.requests.filter(({ path }) => path === '/can-i-deploy')).toHaveLength(2);

      broker.store.deploy('legacy-resource-api', 'observed-1', production);
      const { consumer, provider, sha } = publication;
      const result = { consumer, provider, sha, providerVersion: 'observed-1', published: {} };
      broker.store.verify({ ...result, success: true });
      const yes = await run(...ASK, '--version-number', '1.0.0');
      expect([yes.code, yes.stdout]).toEqual([
        0,
        expect.stringContaining('yes: web-shop 1.0.0 may be deployed'),
      ]);

      broker.store.verify({ ...result, success: false });
      const no = await run(...ASK, '--version-number', '1.0.0');
      expect([no.code, no.stderr]).toEqual([
        1,
        expect.stringContaining('The verification for the pact between'),
      ]);
      expect(decodeURIComponent(broker.requests.at(-1)?.target ?? '')).toBe(
        '/can-i-deploy?pacticipant=web-shop&version=1.0.0&environment=production',
      );
    });
  });

  test('the variable with which Pact’s program says yes to everything changes nothing', async () => {
    await withBroker(
      {},
      async (broker, run) => {
        published(broker, '1.0.0');
        expect((await run(...ASK, '--version-number', '9.9.9')).code).toBe(1);
        const dry = await run(...ASK, '--version', '9.9.9', '--dry-run');
        expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining('without it exit 1')]);
      },
      { PACT_BROKER_CAN_I_DEPLOY_DRY_RUN: 'true' },
    );
  });

  test('a broker that repeats the token, moves the cursor, or writes a build server’s command: none is printed', async () => {
    const token = 'token-of-ci-4c';
    await withBroker(
      {},
      async (broker, run) => {
        const reason = `because ${token}\u001b[2J\n::set-env::`;
        broker.answerNext('/can-i-deploy', {
          status: 200,
          headers: { 'Content-Type': 'application/hal+json' },
          body: { summary: { deployable: false, reason }, notices: [], matrix: [] },
        });
        const end = await run(...ASK, '--version-number', '1.0.0');
        expect([end.code, end.stderr]).toEqual([1, expect.stringContaining('because <secret#1>')]);
        for (const text of [token, '\u001b', '\n::']) expect(end.stderr).not.toContain(text);
      },
      { PACT_BROKER_TOKEN: token },
    );
  });

  test('an unknown pacticipant or environment: 3, in the broker’s words', async () => {
    await withBroker({}, async (broker, run) => {
      const nobody = await run(...ASK, '--version-number', '1');
      expect([nobody.code, nobody.stderr]).toEqual([
        3,
        expect.stringContaining('pacticipant does not match an existing pacticipant (asked about web-shop 1'),
      ]);
      published(broker, '1.0.0');
      const nowhere = await run(
        'can-i-deploy',
        '--pacticipant',
        'web-shop',
        '--version-number',
        '1.0.0',
        '--to-environment',
        'moon',
      );
      expect([nowhere.code, nowhere.stderr]).toEqual([
        3,
        expect.stringContaining("environment with name 'moon' does not exist"),
      ]);
    });
  });

  test('JSON without a summary is no yes: 3', async () => {
    await withBroker({}, async (broker, run) => {
      broker.answerNext('/can-i-deploy', EMPTY_INDEX);
      const end = await run(...ASK, '--version-number', '1.0.0');
      expect([end.code, end.stderr]).toEqual([3, expect.stringContaining('is no Pact Broker')]);
    });
  });
});

test('--output json: what the broker answered, alone on standard output; the sentence beside it', async () => {
  await withBroker({}, async (broker, run) => {
    published(broker, '1.0.0');
    const asked = await run(
      'can-i-deploy',
      '-a',
      'web-shop',
      '-e',
      '1.0.0',
      '--to-environment',
      'test',
      '-o',
      'json',
    );
    expect(asked.code).toBe(3);
    expect(JSON.parse(asked.stdout).summary).toMatchObject({ deployable: null, unknown: 1 });
    expect(asked.stderr).toContain('a verification result is missing');
  });
});

test('to a tag, where a broker knows tags in place of environments', async () => {
  await withBroker({}, async (broker, run) => {
    published(broker, '1.0.0');
    broker.store.ensureVersion('legacy-resource-api', 'observed-1').tags = ['prod'];
    const ask = ['can-i-deploy', '-a', 'web-shop', '-e', '1.0.0', '--to', 'prod'];
    expect((await run(...ask)).code).toBe(3);
    const [pact] = broker.store.publications;
    if (pact === undefined) throw new Error('nothing was published');
    const { consumer, provider, sha } = pact;
    broker.store.verify({
      consumer,
      provider,
      sha,
      providerVersion: 'observed-1',
      success: true,
      published: {},
    });
    expect((await run(...ask)).code).toBe(0);
    const both = await run(...ask, '--to-environment', 'test');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--to-environment')]);
  });
});

test.describe('names of options', () => {
  test('Pact’s own are taken, `--version` first of all, and with another value under another name refused', async () => {
    await withBroker({}, async (_broker, run) => {
      const folder = pactsAt('pacts', { 'api.json': samplePact() });
      expect((await run('publish', folder, '-a', '1', '--branch', 'main')).code).toBe(0);
      const ask = ['can-i-deploy', '-a', 'web-shop', '--to-environment', 'test'];
      const asked = await run(...ask, '--version', '1');
      expect([asked.code, asked.stderr]).toEqual([3, expect.stringContaining('whether web-shop 1 may')]);
      expect((await run(...ask, '-e', '9.9')).code).toBe(1);
      const recorded = await run('record-deployment', '-a', 'web-shop', '-e', '1', '--environment', 'test');
      expect(recorded.code, recorded.stderr).toBe(0);
      const two = await run(...ask, '--version', '1', '--version-number', '2');
      expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('--version-number')]);
    });
  });

  test('credentials on the command line: 2, the variable instead, and nothing quoted', async () => {
    for (const given of [
      ['--broker-token=secret-4711'],
      ['-k', 'secret-4711'],
      ['--broker-password', 'secret-4711'],
    ]) {
      const end = await runCommand(['contracts', 'publish', ...given]);
      expect([end.code, end.stderr]).toEqual([2, expect.stringContaining('set PACT_BROKER_')]);
      expect(end.stderr + end.stdout).not.toContain('4711');
    }
  });
});

test.describe('record-deployment', () => {
  const RECORD = ['record-deployment', '--pacticipant', 'web-shop', '--environment', 'test'] as const;

  test('records the very version, slashes and hashes included, in one instance', async () => {
    await withBroker({}, async (broker, run) => {
      published(broker, 'feature/x#1');
      const end = await run(...RECORD, '--version-number', 'feature/x#1', '--application-instance', 'blue');
      expect(end.code, end.stderr).toBe(0);
      expect(broker.store.deployments).toMatchObject([
        { pacticipant: 'web-shop', version: 'feature/x#1', instance: 'blue', currentlyDeployed: true },
      ]);
    });
  });

  test('an unknown version or environment: 3, and nothing is recorded', async () => {
    await withBroker({}, async (broker, run) => {
      published(broker, '1.0.0');
      const version = await run(...RECORD, '--version-number', '2.0.0');
      expect([version.code, version.stderr]).toEqual([
        3,
        expect.stringContaining('does not know web-shop 2.0.0'),
      ]);
      const moon = await run(
        'record-deployment',
        '--pacticipant',
        'web-shop',
        '--environment',
        'moon',
        '--version-number',
        '1.0.0',
      );
      expect([moon.code, moon.stderr]).toEqual([3, expect.stringContaining('has no environment moon')]);
      expect(broker.store.deployments).toEqual([]);
    });
  });

  test('a provider’s version from the results of a check; a run that shows too little: 2', async () => {
    const results = test.info().outputPath('results.json');
    const run = {
      selection: 'complete',
      verdict: 'conforms',
      requirements: [{ id: 'list.safe', result: 'pass' }],
      observations: [],
      target: { kind: 'emulator', name: 'doorkeeper-5', defects: [] },
    };
    await withBroker({}, async (broker, command) => {
      writeFileSync(results, JSON.stringify(run));
      const args = [
        'record-deployment',
        '--pacticipant',
        'legacy-resource-api',
        '--environment',
        'test',
        '--results',
        results,
      ];
      const unknown = await command(...args);
      // A version that was derived from a run is created: the first record of a service needs no pact.
      expect(unknown.code, unknown.stderr).toBe(0);
      const version = /legacy-resource-api (observed-\w+)/.exec(unknown.stdout)?.[1] ?? '';
      expect(broker.store.version('legacy-resource-api', version)?.branches).toEqual(['observed-test']);
      expect((await command(...args)).code).toBe(0);
      expect(broker.store.deployedIn('test', 'legacy-resource-api')).toEqual([version]);
      writeFileSync(results, JSON.stringify({ ...run, selection: 'partial' }));
      const partial = await command(...args);
      expect([partial.code, partial.stderr]).toEqual([2, expect.stringContaining('partial run')]);
    });
  });
});

test('two installations of one environment; what was undeployed is there no longer; releases stay beside each other', async () => {
  await withBroker({}, async (broker, run) => {
    for (const version of ['1', '2']) published(broker, version);
    const at = (version: string, ...more: readonly string[]) =>
      run('record-deployment', '-a', 'web-shop', '-e', version, '--environment', 'test', ...more);
    await at('1', '--application-instance', 'blue');
    await at('2', '--application-instance', 'green');
    expect([...broker.store.deployedIn('test', 'web-shop')].sort()).toEqual(['1', '2']);
    const gone = [
      'record-undeployment',
      '-a',
      'web-shop',
      '--environment',
      'test',
      '--application-instance',
      'blue',
    ];
    expect((await run(...gone)).code).toBe(0);
    expect(broker.store.deployedIn('test', 'web-shop')).toEqual(['2']);
    expect([(await run(...gone)).code, (await run(...gone)).stderr]).toEqual([
      1,
      expect.stringContaining('nothing was changed'),
    ]);

    const broker_ = new Broker(open(broker));
    const released = {
      pacticipant: 'web-shop',
      environment: 'production',
      instance: undefined,
      createOn: undefined,
    };
    for (const version of ['1', '2']) await record(broker_, 'release', { ...released, version });
    expect(broker.store.releasedIn('production', 'web-shop')).toEqual(['1', '2']);
    const ended = await recordEnd(broker_, 'release', { ...released, version: '1' });
    expect(ended.exitCode).toBe(0);
    expect(broker.store.releasedIn('production', 'web-shop')).toEqual(['2']);
  });
});

test('an environment is created once, a branch deleted once; what is there already of another kind is a finding', async () => {
  await withBroker({ environments: [] }, async (broker, run) => {
    const create = ['create-environment', '--name', 'uat', '--display-name', 'User tests'];
    expect((await run(...create)).code).toBe(0);
    expect((await run(...create)).code).toBe(0);
    expect(broker.store.environments).toMatchObject([
      { name: 'uat', displayName: 'User tests', production: false },
    ]);
    expect((await run(...create, '--production')).code).toBe(1);
    published(broker, '1');
    const remove = ['delete-branch', '-a', 'web-shop', '--branch', 'main'];
    expect((await run(...remove)).code).toBe(0);
    expect((await run(...remove)).code).toBe(1);
  });
});

/** Asks a broker everything at once, as the three verbs do; by verb what came of it. */
async function askAll(access: BrokerAccess): Promise<Readonly<Record<string, BrokerAnswer>>> {
  const files = readPactFiles([pactsAt('pacts', { 'a.json': samplePact() })]);
  const named = { pacticipant: 'web-shop', version: '1.0.0' } as const;
  const placed = { ...named, environment: 'test', instance: undefined, createOn: undefined };
  // A client each: one that knows the links already asks less.
  const broker = () => new Broker(access);
  const [publish, ask, recorded, ended] = await Promise.all([
    publishPacts(broker(), files, publication('1.0.0')),
    canIDeploy(broker(), { ...named, to: { environment: 'test' }, retries: 0, intervalSeconds: 1 }),
    record(broker(), 'deployment', placed),
    recordEnd(broker(), 'deployment', placed),
  ]);
  return { publish, 'can-i-deploy': ask, 'record-deployment': recorded, 'record-undeployment': ended };
}

for (const [what, arrange, says] of [
  ['answers HTML', (broker) => broker.fault(HTML_PAGE, 20), 'is no Pact Broker'],
  ['answers `{}`', (broker) => broker.fault(EMPTY_INDEX, 20), 'has no link'],
  ['lets nobody in', undefined, '401 Unauthorized: check PACT_BROKER_TOKEN'],
  ['wants basic auth and gets a token', undefined, 'takes a user and a password and no tokens'],
  ['fails', (broker) => broker.fault({ status: 503 }, 20), 'answered 503 (3 tries)'],
  ['is down', (broker) => broker.close(), 'cannot be reached (3 tries'],
] as const satisfies readonly (readonly [
  string,
  ((broker: BrokerDouble) => unknown) | undefined,
  string,
])[]) {
  test(`a broker that ${what}: 3 and one sentence, from every verb`, async () => {
    const closed = what === 'lets nobody in' || what === 'wants basic auth and gets a token';
    const broker = await startBrokerDouble(closed ? { auth: { kind: 'basic', writer: WRITER } } : {});
    const token =
      what === 'wants basic auth and gets a token' && ({ kind: 'token', token: 'a-token' } as const);
    await arrange?.(broker);
    const answers = await askAll({ baseUrl: broker.url, credentials: token || { kind: 'none' } });
    if (what !== 'is down') await broker.close();
    for (const [verb, { exitCode, lines }] of Object.entries(answers)) {
      expect([verb, exitCode, lines]).toEqual([verb, 3, [expect.stringContaining(says)]]);
    }
  });
}

test('a redirect within the origin is followed; one to another origin is told, and gets no credentials', async () => {
  const heard: (string | undefined)[] = [];
  const login = createServer((request, response) => {
    heard.push(request.headers.authorization);
    response.end('<p>Please sign in');
  });
  login.listen(0, '127.0.0.1');
  await new Promise((resolve) => login.once('listening', resolve));
  const elsewhere = `http://127.0.0.1:${(login.address() as AddressInfo).port}/login?state=s3cret-state`;
  const broker = await startBrokerDouble({ auth: { kind: 'token', token: 'token-of-ci-4c' } });
  const access = { baseUrl: broker.url, credentials: { kind: 'token', token: 'token-of-ci-4c' } } as const;
  const index = await new Broker(access).get('/');
  broker.fault({ status: 308, headers: { Location: '/' } });
  expect(await new Broker(access).get('/somewhere')).toEqual(index);
  broker.fault({ status: 302, headers: { Location: elsewhere } });
  const ask = { pacticipant: 'a', version: '1', to: { tag: 't' }, retries: 0, intervalSeconds: 1 };
  const { exitCode, lines } = await canIDeploy(new Broker(access), ask);
  await broker.close();
  await new Promise((resolve) => login.close(resolve));
  expect([exitCode, lines[0]]).toEqual([
    3,
    expect.stringMatching(/redirects to http:\/\/127\.0\.0\.1:\d+\/login \(302\)/),
  ]);
  expect(lines.join()).not.toContain('s3cret-state');
  expect(heard).toEqual([]);
});

function open(broker: BrokerDouble): BrokerAccess {
  return { baseUrl: broker.url, credentials: { kind: 'none' } };
}

function publication(version: string) {
  return { version, branch: undefined, buildUrl: undefined, tags: [], merge: false };
}

function published(broker: BrokerDouble, version: string) {
  broker.store.ensureVersion('web-shop', version, 'main');
  return broker.store.publish('web-shop', version, 'legacy-resource-api', samplePact());
}
