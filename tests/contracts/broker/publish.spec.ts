import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { samplePact, writePacts } from '../../support/broker-double/sample-pacts.ts';
import { runContracts, withBroker } from '../../support/broker-double/start.ts';
import { json } from '../../support/broker-double/wire.ts';

/** `contracts publish` as a process of its own, against a broker on a real socket. */

const WRITER = { username: 'ci', password: 'pass-word-of-ci-7f' };

const pactsAt = (name: string, contents: Readonly<Record<string, unknown>>) =>
  writePacts(test.info().outputPath(name), contents);

/** A folder with one pact. */
const onePact = (changes = {}) => pactsAt('pacts', { 'api.json': samplePact(changes) });

const FRESH = ['--consumer-app-version', '1.0.0', '--branch', 'main'] as const;

test('sends every pact as of one version, by basic auth, and says where to look', async () => {
  const folder = pactsAt('pacts [1]', {
    'api.json': samplePact(),
    'auth.json': samplePact({ provider: { name: 'legacy-authorization-server' } }),
  });
  await withBroker(
    async (broker) => {
      const env = { PACT_BROKER_USERNAME: WRITER.username, PACT_BROKER_PASSWORD: WRITER.password };
      const args = ['publish', folder, ...FRESH];
      const end = await runContracts(broker, args, env);
      expect(end.code, end.stderr).toBe(0);
      expect(end.stdout).toContain('published as version 1.0.0 (branch main)');
      expect(end.stdout).toContain(`${broker.url}/pacts/provider/legacy-resource-api/consumer/web-shop`);
      expect(end.stdout + end.stderr).not.toContain(WRITER.password);
      const sent = broker.requests.flatMap(({ method, body }) =>
        method === 'POST' ? [JSON.parse(body)] : [],
      );
      expect(sent).toMatchObject([
        {
          pacticipantName: 'web-shop',
          pacticipantVersionNumber: '1.0.0',
          branch: 'main',
          contracts: [
            {
              consumerName: 'web-shop',
              providerName: 'legacy-resource-api',
              specification: 'pact',
              contentType: 'application/json',
              onConflict: 'overwrite',
            },
            { providerName: 'legacy-authorization-server' },
          ],
        },
      ]);
      const basic = `Basic ${Buffer.from(`${WRITER.username}:${WRITER.password}`).toString('base64')}`;
      expect([...new Set(broker.requests.map(({ headers }) => headers.authorization))]).toEqual([basic]);
    },
    { auth: { kind: 'basic', writer: WRITER } },
  );
});

test('takes version, branch and build from a pull request, and a token', async () => {
  const event = test.info().outputPath('event.json');
  writeFileSync(event, JSON.stringify({ pull_request: { head: { sha: 'head-of-the-branch' } } }));
  const env = {
    PACT_BROKER_TOKEN: 'token-of-ci-4c',
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: event,
    GITHUB_SHA: 'merge-that-nobody-deploys',
    GITHUB_HEAD_REF: 'feature/x',
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'shop/web',
    GITHUB_RUN_ID: '7',
  };
  await withBroker(
    async (broker) => {
      const end = await runContracts(broker, ['publish', onePact()], env);
      expect(end.code, end.stderr).toBe(0);
      const sent = broker.requests.find(({ path }) => path === '/contracts/publish');
      expect(JSON.parse(sent?.body ?? '')).toMatchObject({
        pacticipantVersionNumber: 'head-of-the-branch',
        branch: 'feature/x',
        buildUrl: 'https://github.example/shop/web/actions/runs/7',
      });
      expect(end.stdout + end.stderr).not.toContain('token-of-ci-4c');
    },
    { auth: { kind: 'token', token: 'token-of-ci-4c' } },
  );
});

test('a file that is no pact beside a good one, no address, an empty version: 2, and nothing is sent', async () => {
  const folder = pactsAt('pacts', { 'a.json': samplePact(), 'b.json': { hello: 'world' } });
  await withBroker(async (broker) => {
    for (const [at, args, says] of [
      [broker, [folder, ...FRESH], 'b.json: expected `consumer.name`'],
      [broker, [folder, '--consumer-app-version', ''], 'Expected a text on one line'],
      [{ url: '' }, [folder, ...FRESH], 'PACT_BROKER_BASE_URL'],
    ] as const) {
      const end = await runContracts(at, ['publish', ...args]);
      expect([end.code, end.stderr]).toEqual([2, expect.stringContaining(says)]);
    }
    expect(broker.requests).toEqual([]);
  });
});

test('other content under a version that there is: 1, the diff, and none of the consumer’s pacts is changed', async () => {
  await withBroker(async (broker) => {
    const first = onePact();
    expect((await runContracts(broker, ['publish', first, ...FRESH])).code).toBe(0);
    expect((await runContracts(broker, ['publish', first, ...FRESH])).code).toBe(0);
    const [interaction] = samplePact().interactions;
    const second = pactsAt('second', {
      'a.json': samplePact({ provider: { name: 'legacy-authorization-server' } }),
      'b.json': samplePact({ interactions: [{ ...interaction, response: { status: 204 } }] }),
    });
    const end = await runContracts(broker, ['publish', second, ...FRESH]);
    expect(end.code, end.stderr).toBe(1);
    expect(end.stderr).toContain('Cannot change the content of the pact for web-shop version 1.0.0');
    // The broker's diff: many lines, the first of which begins like JSON.
    expect(end.stderr).toMatch(/^ {2}- +"status": 200$/m);
    expect(end.stderr).toMatch(/^ {2}\+ +"status": 204$/m);
    expect(end.stderr).toContain('Nothing was published');
    expect(broker.store.publications).toHaveLength(1);
  });
});

test('the version is the commit of the repository that the pacts lie in, and never the suite’s; without a repository: 2', async () => {
  const shop = onePact();
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', shop, '-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], {
      encoding: 'utf8',
    }).trim();
  await withBroker(async (broker) => {
    // In the suite's own checkout, as anybody's pact that was copied there.
    const own = await runContracts(broker, ['publish', shop]);
    expect([own.code, own.stderr]).toEqual([2, expect.stringContaining('says nothing about web-shop')]);
    git('init', '-q', '-b', 'trunk');
    const none = await runContracts(broker, ['publish', shop]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('give --consumer-app-version')]);
    expect(broker.requests).toEqual([]);
    git('add', '.');
    git('commit', '-qm', 'a pact');
    const published = await runContracts(broker, ['publish', shop]);
    expect(published.code, published.stderr).toBe(0);
    expect(published.stdout).toContain(`published as version ${git('rev-parse', 'HEAD')} (branch trunk)`);
  });
});

test('a pact that holds a secret of this process: 2 by name, and the broker is sent nothing', async () => {
  await withBroker(async (broker) => {
    const folder = pactsAt('pacts', {
      'good.json': samplePact({ consumer: { name: 'billing' } }),
      'leaky.json': samplePact({ comment: 'curl -u shop:s3cret-of-staging/42' }),
    });
    const env = { STAGING_CLIENT_SECRET: 's3cret-of-staging/42' };
    const end = await runContracts(broker, ['publish', folder, ...FRESH], env);
    expect([end.code, end.stderr]).toEqual([
      2,
      expect.stringContaining(
        'leaky.json: the pact of web-shop with legacy-resource-api holds the value of the variable STAGING_CLIENT_SECRET',
      ),
    ]);
    expect(end.stderr).not.toContain('s3cret-of-staging');
    expect(broker.requests).toEqual([]);
    expect((await runContracts(broker, ['publish', folder, ...FRESH])).code).toBe(0);
  });
});

test('a broker that repeats the token, moves the cursor, or writes a build server’s command: none is printed', async () => {
  const token = 'token-of-ci-4c';
  await withBroker(async (broker) => {
    const text = `because ${token}\u001b[2J\n::set-env::`;
    broker.instead = ({ path }) =>
      path === '/contracts/publish' ? json(409, { notices: [{ type: 'error', text }] }) : undefined;
    const end = await runContracts(broker, ['publish', onePact(), ...FRESH], { PACT_BROKER_TOKEN: token });
    expect([end.code, end.stderr]).toEqual([1, expect.stringContaining('because <secret#1>')]);
    for (const one of [token, '\u001b', '\n::']) expect(end.stderr).not.toContain(one);
  });
});
