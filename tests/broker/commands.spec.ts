import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import type { BrokerAccess } from '../../src/contracts/broker/access.ts';
import { deployedVersion, recordDeployment } from '../../src/contracts/broker/deployments.ts';
import { Broker } from '../../src/contracts/broker/hal-client.ts';
import { readPactFiles } from '../../src/contracts/broker/pact-files.ts';
import { publishPacts } from '../../src/contracts/broker/publish.ts';
import { samplePact, writePacts } from '../support/broker-double/sample-pacts.ts';
import {
  type BrokerDouble,
  type BrokerOptions,
  EMPTY_INDEX,
  HTML_PAGE,
  startBrokerDouble,
} from '../support/broker-double/start.ts';
import { runCommand } from '../support/command.ts';

/** `contracts publish` as a process of its own, and everything that is asked of a broker, against one on a real socket. */

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

  test('--merge of other content: 1 too, by the default of a broker; tags go with the version', async () => {
    await withBroker({}, async (broker, run) => {
      const [interaction] = samplePact().interactions;
      const first = pactsAt('first', { 'a.json': samplePact() });
      const second = pactsAt('second', {
        'a.json': samplePact({ interactions: [{ ...interaction, description: 'another request' }] }),
      });
      expect((await run('publish', first, ...FRESH, '--tag', 'dev,qa')).code).toBe(0);
      expect((await run('publish', second, ...FRESH, '--merge')).code).toBe(1);
      expect(JSON.parse(broker.requests.at(-1)?.body ?? '').contracts[0].onConflict).toBe('merge');
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
      const cure = 'pact-broker create-or-update-pacticipant --name "web-shop" --main-branch NAME';
      expect(trunk.stdout).toContain(cure);
      // The broker's own words too.
      expect(trunk.stdout).toContain('Add Pact verification tests to the legacy-resource-api build');
      broker.store.ensurePacticipant('web-shop').mainBranch = 'trunk';
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

  test('a broker that repeats the token, moves the cursor, or writes a build server’s command: none is printed', async () => {
    const token = 'token-of-ci-4c';
    await withBroker(
      {},
      async (broker, run) => {
        broker.answerNext('/contracts/publish', {
          status: 409,
          headers: { 'Content-Type': 'application/json' },
          body: { notices: [{ type: 'error', text: `because ${token}\u001b[2J\n::set-env::` }] },
        });
        const end = await run('publish', pactsAt('pacts', { 'a.json': samplePact() }), ...FRESH);
        expect([end.code, end.stderr]).toEqual([1, expect.stringContaining('because <secret#1>')]);
        for (const text of [token, '\u001b', '\n::']) expect(end.stderr).not.toContain(text);
      },
      { PACT_BROKER_TOKEN: token },
    );
  });

  test('--output json: what the broker answered, alone on standard output; the sentence beside it', async () => {
    await withBroker({}, async (_broker, run) => {
      const end = await run('publish', pactsAt('pacts', { 'a.json': samplePact() }), ...FRESH, '-o', 'json');
      expect(end.code, end.stderr).toBe(0);
      expect(JSON.parse(end.stdout)[0]._embedded.version.number).toBe('1.0.0');
      expect(end.stderr).toContain('published as version 1.0.0');
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

test.describe('names of options', () => {
  test('Pact’s own are taken, `--version` first of all, and with another value under another name refused', async () => {
    await withBroker({}, async (_broker, run) => {
      const folder = pactsAt('pacts', { 'api.json': samplePact() });
      expect((await run('publish', folder, '--version', '1', '--branch', 'main')).code).toBe(0);
      const two = await run('publish', folder, '--version', '1', '--version-number', '2');
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

for (const [args, line] of [
  [
    [
      'can-i-deploy',
      '-a',
      'web-shop',
      '--to-environment',
      'test',
      '-o',
      'json',
      '--retry-while-unknown',
      '3',
    ],
    'can-i-deploy -a web-shop --version "$VERSION" --to-environment test --retry-while-unknown 3',
  ],
  // Pact's program answers without the version where --version does not follow the pacticipant.
  [
    ['can-i-deploy', '--to-environment', 'test', '--dry-run', '-e', '1', '--pacticipant', 'web-shop'],
    'can-i-deploy --pacticipant web-shop --version 1 --to-environment test --dry-run',
  ],
  [
    [
      'record-deployment',
      '--environment',
      'a b',
      '--version-number=1',
      '--pacticipant',
      "bob's",
      '-k',
      's3cret',
    ],
    "record-deployment --pacticipant 'bob'\\''s' --version 1 --environment 'a b'",
  ],
  [
    ['record-release', '--pacticipant', 'p', '--results', 'results.json', '--environment', 'e'],
    'record-release --pacticipant p --version "$VERSION" --environment e',
  ],
  [['record-undeployment', '-a', 'p', '--environment', 'e'], 'record-undeployment -a p --environment e'],
  [
    ['record-support-ended', '-a', 'p', '-e', '1', '--environment', 'e'],
    'record-support-ended -a p --version 1 --environment e',
  ],
  [['create-environment', '--name', 'uat', '--no-production'], 'create-environment --name uat'],
  [
    ['create-or-update-pacticipant', '--name', 'p', '--broker-token=s3cret', '--main-branch', 'trunk'],
    'create-or-update-pacticipant --name p --main-branch trunk',
  ],
  [['delete-branch', '-a', 'p', '--branch', 'topic'], 'delete-branch -a p --branch topic'],
] as const) {
  test(`contracts ${args.slice(0, 2).join(' ')} … was removed: 2, and the line of Pact’s own program, without credentials`, async () => {
    const { code, stderr } = await runCommand(['contracts', ...args]);
    expect([code, stderr.split('\n')[1]]).toEqual([2, `  npx pact-broker ${line}`]);
    expect(stderr).not.toContain('s3cret');
  });
}

test('a verb of contracts that never was: 2, and the one that is near', async () => {
  const { code, stderr } = await runCommand(['contracts', 'verfy']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean "verify"?')]);
});

/** Asks a broker each thing that is asked of one; by what was asked, how it failed. */
async function askAll(access: BrokerAccess): Promise<Readonly<Record<string, unknown>>> {
  const files = readPactFiles([pactsAt('pacts', { 'a.json': samplePact() })]);
  // A client each: one that knows the links already asks less.
  const broker = () => new Broker(access);
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => 'nothing failed',
      (error: Error) => error.message,
    );
  const recorded = { provider: 'p', version: '1', branch: 'b', environment: 'test', instance: undefined };
  const [published, record, deployed] = await Promise.all([
    publishPacts(broker(), files, publication('1.0.0')),
    failure(recordDeployment(broker(), recorded)),
    failure(deployedVersion(broker(), 'p', 'test')),
  ]);
  expect(published.exitCode).toBe(3);
  return { publish: published.lines.join(), record, deployed };
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
  test(`a broker that ${what}: 3 and one sentence, whatever was asked`, async () => {
    const closed = what === 'lets nobody in' || what === 'wants basic auth and gets a token';
    const broker = await startBrokerDouble(closed ? { auth: { kind: 'basic', writer: WRITER } } : {});
    const token =
      what === 'wants basic auth and gets a token' && ({ kind: 'token', token: 'a-token' } as const);
    await arrange?.(broker);
    const failures = await askAll({ baseUrl: broker.url, credentials: token || { kind: 'none' } });
    if (what !== 'is down') await broker.close();
    for (const [asked, failure] of Object.entries(failures))
      expect([asked, failure]).toEqual([asked, expect.stringContaining(says)]);
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
  const failed = await new Broker(access).get('/').catch((error: Error) => error.message);
  await broker.close();
  await new Promise((resolve) => login.close(resolve));
  expect(failed).toMatch(/redirects to http:\/\/127\.0\.0\.1:\d+\/login \(302\)/);
  expect(failed).not.toContain('s3cret-state');
  expect(heard).toEqual([]);
});

function open(broker: BrokerDouble): BrokerAccess {
  return { baseUrl: broker.url, credentials: { kind: 'none' } };
}

function publication(version: string) {
  return { version, branch: undefined, buildUrl: undefined, tags: [], merge: false };
}
