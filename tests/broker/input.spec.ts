import { expect, test } from '@playwright/test';
import { authorizationOf, brokerAccess } from '../../src/contracts/broker/access.ts';
import { type BuildSources, detectBesides, detectBuild } from '../../src/contracts/broker/build.ts';
import { inspectPact, readPactFiles } from '../../src/contracts/broker/pact-files.ts';
import { connectionToBroker } from '../../src/contracts/broker/proxy.ts';
import { NoProviderVersion, providerVersionOf, type SeenRun } from '../../src/contracts/provider-version.ts';
import { UsageError } from '../../src/input/usage-error.ts';
import { samplePact, writePacts } from '../support/broker-double/sample-pacts.ts';

/** What is found out, and refused, before a broker hears of it. */

test.describe('which version', () => {
  const sources = (env: Record<string, string>, event?: unknown): BuildSources => ({
    env,
    readFile: () => JSON.stringify(event),
    git: (_folder, ...args) => (args.includes('--abbrev-ref') ? 'topic' : 'git-sha'),
    ownRoot: '/suite',
  });
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SHA: 'merge-sha',
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'shop/web',
    GITHUB_RUN_ID: '7',
  };
  const buildUrl = 'https://github.example/shop/web/actions/runs/7';

  test('GitHub, a pull request: the head and not the merge', () => {
    const event = { pull_request: { head: { sha: 'head-sha', ref: 'topic' } } };
    const env = {
      ...github,
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_EVENT_PATH: '/e',
      GITHUB_HEAD_REF: 'topic',
    };
    expect(detectBuild('shop', '/shop', sources(env, event))).toEqual({
      version: 'head-sha',
      branch: 'topic',
      buildUrl,
    });
  });

  test('GitHub, a pull request whose event cannot be read: refused, and never the merge', () => {
    const env = { ...github, GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: '/e' };
    expect(() => detectBuild('shop', '/shop', sources(env, {}))).toThrow('--version');
  });

  test('GitHub, a push: the commit; a tag is no branch', () => {
    const env = { ...github, GITHUB_EVENT_NAME: 'push', GITHUB_REF_TYPE: 'branch', GITHUB_REF_NAME: 'main' };
    expect(detectBuild('shop', '/shop', sources(env))).toEqual({
      version: 'merge-sha',
      branch: 'main',
      buildUrl,
    });
    expect(
      detectBuild('shop', '/shop', sources({ ...env, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1' })),
    ).toEqual({
      version: 'merge-sha',
      branch: undefined,
      buildUrl,
    });
  });

  test('GitLab: the source branch of a merge request, else the commit', () => {
    const gitlab = {
      GITLAB_CI: 'true',
      CI_COMMIT_SHA: 'merge-sha',
      CI_JOB_URL: 'https://gitlab.example/jobs/7',
    };
    const merge = {
      ...gitlab,
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: 'head-sha',
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'topic',
    };
    const url = 'https://gitlab.example/jobs/7';
    expect(detectBuild('shop', '/shop', sources(merge))).toEqual({
      version: 'head-sha',
      branch: 'topic',
      buildUrl: url,
    });
    // Set, and empty, where the pipeline runs for the branch itself.
    const plain = { ...gitlab, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '', CI_COMMIT_BRANCH: 'main' };
    expect(detectBuild('shop', '/shop', sources(plain))).toEqual({
      version: 'merge-sha',
      branch: 'main',
      buildUrl: url,
    });
  });

  for (const [system, env, expected] of [
    [
      'Jenkins, a change request',
      {
        JENKINS_URL: 'https://j/',
        GIT_COMMIT: 'sha-j',
        BRANCH_NAME: 'PR-7',
        CHANGE_BRANCH: 'topic',
        BUILD_URL: 'https://j/7/',
      },
      { version: 'sha-j', branch: 'topic', buildUrl: 'https://j/7/' },
    ],
    [
      'Azure, a pull request',
      {
        TF_BUILD: 'True',
        BUILD_SOURCEVERSION: 'merge-sha',
        BUILD_SOURCEBRANCH: 'refs/pull/7/merge',
        SYSTEM_PULLREQUEST_SOURCECOMMITID: 'sha-a',
        SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/topic/x',
        SYSTEM_COLLECTIONURI: 'https://dev.azure.example/o/',
        SYSTEM_TEAMPROJECT: 'a shop',
        BUILD_BUILDID: '7',
      },
      {
        version: 'sha-a',
        branch: 'topic/x',
        buildUrl: 'https://dev.azure.example/o/a%20shop/_build/results?buildId=7',
      },
    ],
    [
      'Azure, a tag',
      { TF_BUILD: 'True', BUILD_SOURCEVERSION: 'sha-a', BUILD_SOURCEBRANCH: 'refs/tags/v1' },
      { version: 'sha-a', branch: undefined, buildUrl: undefined },
    ],
    [
      'CircleCI',
      { CIRCLECI: 'true', CIRCLE_SHA1: 'sha-c', CIRCLE_BRANCH: 'main', CIRCLE_BUILD_URL: 'https://c/7' },
      { version: 'sha-c', branch: 'main', buildUrl: 'https://c/7' },
    ],
    [
      'Buildkite',
      {
        BUILDKITE: 'true',
        BUILDKITE_COMMIT: 'sha-b',
        BUILDKITE_BRANCH: 'main',
        BUILDKITE_BUILD_URL: 'https://b/7',
      },
      { version: 'sha-b', branch: 'main', buildUrl: 'https://b/7' },
    ],
    [
      'Buildkite, started by hand: git',
      { BUILDKITE: 'true', BUILDKITE_COMMIT: 'HEAD' },
      { version: 'git-sha', branch: 'topic', buildUrl: undefined },
    ],
    [
      'Bitbucket',
      { BITBUCKET_COMMIT: 'sha-bb', BITBUCKET_BRANCH: 'main' },
      { version: 'sha-bb', branch: 'main', buildUrl: undefined },
    ],
  ] as const satisfies readonly (readonly [string, Record<string, string>, object])[]) {
    test(`${system}`, () => {
      expect(detectBuild('shop', '/shop', sources(env))).toEqual(expected);
    });
  }

  test('a repository is the suite’s own: its commit is that of the reference client and of nobody else', () => {
    const here = { ...sources({}), ownRoot: 'git-sha' };
    expect(() => detectBuild('billing', '/suite', here)).toThrow('says nothing about billing');
    expect(detectBuild('legacy-api-reference-client', '/suite', here).version).toBe('git-sha');
    expect(detectBesides('billing', '1.0', '/suite', here)).toEqual({
      version: '1.0',
      branch: undefined,
      buildUrl: undefined,
    });
  });

  test('outside of CI: git; and without git nothing is made up', () => {
    expect(detectBuild('shop', '/shop', sources({}))).toEqual({
      version: 'git-sha',
      branch: 'topic',
      buildUrl: undefined,
    });
    expect(() => detectBuild('shop', '/shop', { ...sources({}), git: () => undefined })).toThrow('--version');
  });
});

test.describe('which provider version', () => {
  const run: SeenRun = {
    selection: 'complete',
    verdict: 'violates',
    requirements: [
      { id: 'list.safe', result: 'pass' },
      { id: 'list.fresh', result: 'fail' },
    ],
    observations: [
      { openPoint: 'list-shape', aspect: 'status', answer: 200 },
      { openPoint: 'assign-status', aspect: 'answer', answer: { status: 204, body: 'empty' } },
    ],
  };

  test('the same behaviour is the same version, whatever the suite makes of it', () => {
    const version = providerVersionOf(run);
    expect(version).toMatch(/^observed-[0-9a-f]{16}$/);
    const upgraded: SeenRun & Record<string, unknown> = {
      ...run,
      suiteVersion: '9.0.0',
      startedAt: '2030-01-01T00:00:00.000Z',
      verdict: 'conforms',
      requirements: [
        { id: 'list.fresh', result: 'known-deviation' },
        { id: 'list.safe', result: 'pass' },
        { id: 'list.brand-new', result: 'pass' },
      ],
      observations: [
        { openPoint: 'assign-status', aspect: 'answer', answer: { body: 'empty', status: 204 } },
        { openPoint: 'list-shape', aspect: 'status', answer: 200 },
      ],
    };
    expect(providerVersionOf(upgraded)).toBe(version);
  });

  test('other behaviour is another version: a requirement broken, or an open point answered otherwise', () => {
    const version = providerVersionOf(run);
    const mended = run.requirements.map(({ id }) => ({ id, result: 'pass' as const }));
    expect(providerVersionOf({ ...run, requirements: mended })).not.toBe(version);
    const [first, second] = run.observations;
    if (first === undefined || second === undefined) throw new Error('two observations were expected');
    expect(providerVersionOf({ ...run, observations: [{ ...first, answer: 204 }, second] })).not.toBe(
      version,
    );
  });

  for (const [what, changes] of [
    ['partial', { selection: 'partial' }],
    ['broken', { verdict: 'broken' }],
    ['not run throughout', { requirements: [{ id: 'list.safe', result: 'not-run' }] }],
    ['empty', { requirements: [] }],
  ] as const) {
    test(`a run that is ${what} shows too little`, () => {
      expect(() => providerVersionOf({ ...run, ...changes })).toThrow(NoProviderVersion);
    });
  }
});

test.describe('which broker', () => {
  const at = 'https://broker.example';

  test('token or user by environment; an empty variable is none', () => {
    const token = brokerAccess({ PACT_BROKER_BASE_URL: `${at}/`, PACT_BROKER_TOKEN: 't0ken' });
    expect(token).toEqual({ baseUrl: at, credentials: { kind: 'token', token: 't0ken' } });
    expect(authorizationOf(token)).toBe('Bearer t0ken');
    const user = brokerAccess({
      PACT_BROKER_BASE_URL: at,
      PACT_BROKER_TOKEN: '',
      PACT_BROKER_USERNAME: 'u',
      PACT_BROKER_PASSWORD: 'p:w',
    });
    expect(authorizationOf(user)).toBe(`Basic ${Buffer.from('u:p:w').toString('base64')}`);
  });

  for (const [what, env, says] of [
    ['no address', {}, 'PACT_BROKER_BASE_URL'],
    ['an address that is none', { PACT_BROKER_BASE_URL: 'broker' }, 'absolute'],
    [
      'credentials in the address',
      { PACT_BROKER_BASE_URL: 'https://u:secret@broker.example' },
      'take them out',
    ],
    [
      'a token beside a user',
      {
        PACT_BROKER_BASE_URL: at,
        PACT_BROKER_TOKEN: 't',
        PACT_BROKER_USERNAME: 'u',
        PACT_BROKER_PASSWORD: 'p',
      },
      'both',
    ],
    ['a user without password', { PACT_BROKER_BASE_URL: at, PACT_BROKER_USERNAME: 'u' }, 'set both'],
  ] as const) {
    test(`${what}: refused without quoting it`, () => {
      const error = thrown(() => brokerAccess(env));
      expect(error).toBeInstanceOf(UsageError);
      expect(error.message).toContain(says);
      expect(error.message).not.toContain('secret@');
    });
  }
});

test.describe('which way', () => {
  const at = 'https://broker.example';
  const proxied = (env: Readonly<Record<string, string>>, url = at) =>
    connectionToBroker(url, env).proxy?.href;

  test('through the proxy that the variables name, in either spelling, unless they exempt the host', () => {
    const HTTPS_PROXY = 'proxy.example:3128';
    expect(proxied({ HTTPS_PROXY })).toBe('http://proxy.example:3128/');
    expect(proxied({ https_proxy: 'http://lower:1', HTTPS_PROXY })).toBe('http://lower:1/');
    expect(proxied({ ALL_PROXY: 'http://all:1' })).toBe('http://all:1/');
    expect(proxied({ HTTP_PROXY: 'http://plain:1' })).toBe(undefined);
    for (const NO_PROXY of ['broker.example', '.example', 'other, example', '*', 'broker.example:443'])
      expect([NO_PROXY, proxied({ HTTPS_PROXY, NO_PROXY })]).toEqual([NO_PROXY, undefined]);
    expect(proxied({ HTTPS_PROXY, NO_PROXY: 'roker.example' })).toBe('http://proxy.example:3128/');
    // No proxy reaches this machine's own addresses.
    for (const url of ['http://127.0.0.1:9292', 'http://localhost:9292', 'http://[::1]:9292'])
      expect(proxied({ HTTP_PROXY: 'http://proxy.example:1' }, url)).toBe(undefined);
  });

  test('a proxy of another kind, and certificates that are not there: refused by the name of the variable', () => {
    expect(() => connectionToBroker(at, { ALL_PROXY: 'socks5://proxy.example:1' })).toThrow('ALL_PROXY');
    expect(() => connectionToBroker(at, { SSL_CERT_FILE: '/nowhere.pem' })).toThrow('SSL_CERT_FILE');
  });
});

test.describe('which pacts', () => {
  for (const [what, content, says] of [
    ['an empty object', {}, 'consumer.name'],
    ['any other JSON', { hello: 'world' }, 'consumer.name'],
    ['a list', [], 'JSON object'],
    ['no provider', samplePact({ provider: {} }), 'provider.name'],
    ['no interaction', samplePact({ interactions: [] }), 'promises nothing'],
    ['interactions that are no list', samplePact({ interactions: {} }), 'list'],
    [
      'an interaction without response',
      samplePact({ interactions: [{ description: 'a', request: {} }] }),
      'interaction 1',
    ],
    ['no specification', samplePact({ metadata: {} }), 'pactSpecification'],
  ] as const) {
    test(`${what} is no pact`, () => {
      expect(inspectPact(content)).toContain(says);
    });
  }

  test('pacts of HTTP and of messages, new and old, are', () => {
    const pair = { consumer: 'web-shop', provider: 'legacy-resource-api' };
    expect(inspectPact(samplePact())).toEqual(pair);
    const messages = { interactions: undefined, messages: [{ description: 'an event', contents: {} }] };
    const old = { metadata: { pactSpecificationVersion: '2.0.0' } };
    expect(inspectPact(samplePact({ ...messages, ...old }))).toEqual(pair);
  });

  test('every file that is none is named, and a second pact of one pair is refused', () => {
    const folder = writePacts(test.info().outputPath('mixed'), {
      'a.json': samplePact(),
      'b.json': '{"truncated',
      'c.json': {},
    });
    const { message } = thrown(() => readPactFiles([folder]));
    expect(message).toContain('b.json: expected a pact, got text that is no JSON');
    expect(message).toContain('c.json: expected `consumer.name`');
    const twins = writePacts(test.info().outputPath('twins'), {
      'a.json': samplePact(),
      'b.json': samplePact(),
    });
    expect(thrown(() => readPactFiles([twins])).message).toContain('second pact between web-shop');
    const empty = writePacts(test.info().outputPath('empty'), { 'readme.txt': 'no pact' });
    expect(thrown(() => readPactFiles([empty])).message).toContain('no file that ends in .json');
  });
});

function thrown(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('expected an error');
}
