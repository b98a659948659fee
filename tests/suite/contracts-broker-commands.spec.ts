import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { BrokerAccess } from '../../src/contracts/broker/access.ts';
import type { BrokerAnswer } from '../../src/contracts/broker/answer.ts';
import { canIDeploy } from '../../src/contracts/broker/can-i-deploy.ts';
import { runPactCli } from '../../src/contracts/broker/pact-cli.ts';
import { readPactFiles } from '../../src/contracts/broker/pact-files.ts';
import { publishPacts } from '../../src/contracts/broker/publish.ts';
import { recordDeployment } from '../../src/contracts/broker/record-deployment.ts';
import { runCommand } from '../support/command.ts';
import { samplePact, writePacts } from '../support/stand-in-broker/sample-pacts.ts';
import {
  type BrokerOptions,
  EMPTY_INDEX,
  HTML_PAGE,
  type StandInBroker,
  startStandInBroker,
} from '../support/stand-in-broker/start.ts';

/** The verbs that talk to a broker, as processes of their own, against a broker on a real socket. */

const WRITER = { username: 'ci', password: 'pass-word-of-ci-7f' };

/**
 * What this process must not pass on: a CI system's own variables would decide about version and branch, and with two
 * answers about colours the runtime writes a warning of its own.
 */
const NO_CI = { GITHUB_ACTIONS: undefined, GITLAB_CI: undefined, FORCE_COLOR: undefined };

async function withBroker(
  options: BrokerOptions,
  work: (
    broker: StandInBroker,
    run: (...args: readonly string[]) => ReturnType<typeof runCommand>,
  ) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
) {
  const broker = await startStandInBroker(options);
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
        expect(sent.map(({ contracts }) => contracts[0].providerName).sort()).toEqual([
          'legacy-authorization-server',
          'legacy-resource-api',
        ]);
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
        const { pacticipantVersionNumber, branch, buildUrl } = JSON.parse(broker.requests.at(-1)?.body ?? '');
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

  test('other content under a version that there is: 1, and what went before it is told', async () => {
    await withBroker({}, async (broker, run) => {
      const first = pactsAt('first', { 'api.json': samplePact() });
      expect((await run('publish', first, ...FRESH)).code).toBe(0);
      expect((await run('publish', first, ...FRESH)).code).toBe(0);
      const [interaction] = samplePact().interactions;
      const changed = samplePact({ interactions: [{ ...interaction, description: 'another request' }] });
      const second = pactsAt('second', {
        'a.json': samplePact({ provider: { name: 'legacy-authorization-server' } }),
        'b.json': changed,
      });
      const end = await run('publish', `${second}/a.json`, `${second}/b.json`, ...FRESH);
      expect(end.code).toBe(1);
      expect(end.stderr).toContain(
        'the pact with legacy-resource-api differs from the one that was published as version 1.0.0',
      );
      expect(end.stderr.split('\n')[0]).toContain('(409)');
      expect(broker.store.publication('web-shop', '1.0.0', 'legacy-resource-api')?.content).toMatchObject({
        interactions: [{ description: 'a request for the assigned users' }],
      });
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
    const broker = await startStandInBroker();
    broker.fault('stall', 10);
    const access = { baseUrl: broker.url, credentials: { kind: 'none' } } as const;
    const files = readPactFiles([pactsAt('pacts', { 'a.json': samplePact() })]);
    const answer = await publishPacts(access, files, { version: '1' }, 700);
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
      expect(broker.requests).toHaveLength(2);

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
        '/matrix?q[][pacticipant]=web-shop&q[][version]=1.0.0&latestby=cvpv&environment=production',
      );
    });
  });

  test('the variable with which Pact’s program says yes to everything changes nothing', async () => {
    await withBroker(
      {},
      async (broker, run) => {
        published(broker, '1.0.0');
        expect((await run(...ASK, '--version-number', '9.9.9')).code).toBe(1);
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
        broker.fault({
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
        expect.stringContaining('Pacticipant web-shop not found'),
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
        expect.stringContaining("Environment with name 'moon' does not exist"),
      ]);
    });
  });

  test('JSON without a summary is no yes: 3', async () => {
    await withBroker({}, async (broker, run) => {
      broker.fault(EMPTY_INDEX);
      const end = await run(...ASK, '--version-number', '1.0.0');
      expect([end.code, end.stderr]).toEqual([3, expect.stringContaining('is no Pact Broker')]);
    });
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
      const version = /legacy-resource-api (observed-\w+)/.exec(unknown.stderr)?.[1] ?? '';
      broker.store.ensureVersion('legacy-resource-api', version);
      expect((await command(...args)).code).toBe(0);
      expect(broker.store.deployedIn('test', 'legacy-resource-api')).toEqual([version]);
      writeFileSync(results, JSON.stringify({ ...run, selection: 'partial' }));
      const partial = await command(...args);
      expect([partial.code, partial.stderr]).toEqual([2, expect.stringContaining('partial run')]);
    });
  });
});

/** Asks a broker everything at once, as the three verbs do; by verb what came of it. */
async function askAll(access: BrokerAccess): Promise<Readonly<Record<string, BrokerAnswer>>> {
  const files = readPactFiles([pactsAt('pacts', { 'a.json': samplePact() })]);
  const question = { pacticipant: 'web-shop', version: '1.0.0', environment: 'test' } as const;
  const [publish, ask, record] = await Promise.all([
    publishPacts(access, files, { version: '1.0.0' }),
    canIDeploy(access, { ...question, retries: 0, intervalSeconds: 1 }),
    recordDeployment(access, { ...question, instance: undefined }),
  ]);
  return { publish, 'can-i-deploy': ask, 'record-deployment': record };
}

for (const [what, arrange, says] of [
  ['answers HTML', (broker) => broker.fault(HTML_PAGE, 9), 'is no Pact Broker'],
  ['answers `{}`', (broker) => broker.fault(EMPTY_INDEX, 9), 'is no Pact Broker'],
  ['lets nobody in', undefined, 'does not let us do this (401)'],
  ['wants basic auth and gets a token', undefined, 'knows no tokens'],
  ['fails', (broker) => broker.fault({ status: 503 }, 9), 'answered 503 (3 tries)'],
  ['is down', (broker) => broker.close(), 'cannot be reached (3 tries)'],
] as const satisfies readonly (readonly [
  string,
  ((broker: StandInBroker) => unknown) | undefined,
  string,
])[]) {
  test(`a broker that ${what}: 3 and one sentence, from every verb`, async () => {
    const closed = what === 'lets nobody in' || what === 'wants basic auth and gets a token';
    const broker = await startStandInBroker(closed ? { auth: { kind: 'basic', writer: WRITER } } : {});
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

test('credentials are on no command line, and whoever reads the process list sees none', async () => {
  const broker = await startStandInBroker({ auth: { kind: 'token', token: 'token-of-ci-4c' } });
  broker.fault('stall');
  const access = { baseUrl: broker.url, credentials: { kind: 'token', token: 'token-of-ci-4c' } } as const;
  const ended = runPactCli(access, ['list-environments'], { deadlineMs: 1_500 });
  await expect.poll(() => broker.requests.length).toBe(1);
  const lines = commandLines();
  expect(lines.some((line) => line.includes('list-environments'))).toBe(true);
  expect(lines.some((line) => line.includes('token-of-ci-4c'))).toBe(false);
  await ended;
  await broker.close();
});

/** The command lines of this machine's processes. */
function commandLines(): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
    } catch {
      return [];
    }
  });
}

function published(broker: StandInBroker, version: string) {
  broker.store.ensureVersion('web-shop', version, 'main');
  return broker.store.publish('web-shop', version, 'legacy-resource-api', samplePact());
}
