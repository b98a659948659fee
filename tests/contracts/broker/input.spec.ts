import { expect, test } from '@playwright/test';
import { brokerAccess, connectionToBroker } from '../../../src/contracts/broker/access.ts';
import { type BuildSources, detectBuild } from '../../../src/contracts/broker/build.ts';
import { readPactFile, readPactFiles } from '../../../src/contracts/broker/publish.ts';
import { providerVersionOf, type SeenRun } from '../../../src/contracts/provider-version.ts';
import { UsageError } from '../../../src/document/input/usage-error.ts';
import { samplePact, writePacts } from '../../support/broker-double/sample-pacts.ts';

/** Problems that are found before the suite contacts a broker. */

test.describe('which version', () => {
  /** Variables, written as on a command line. */
  const envOf = (text: string) =>
    Object.fromEntries(
      text.split(' ').map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [name, decodeURIComponent(value.join('='))];
      }),
    );
  const sources = (env: string, event?: unknown): BuildSources => ({
    env: envOf(env),
    readFile: () => JSON.stringify(event),
    git: (_folder, ...args) => (args.includes('--abbrev-ref') ? 'topic' : 'git-sha'),
    ownRoot: '/suite',
  });
  const found = (from: BuildSources) => {
    const { version, branch, buildUrl } = detectBuild('shop', '/shop', undefined, from);
    return [version, branch, buildUrl];
  };
  const GITHUB =
    'GITHUB_ACTIONS=true GITHUB_SHA=merge-sha GITHUB_SERVER_URL=https://github.example GITHUB_REPOSITORY=shop/web GITHUB_RUN_ID=7';
  const GITHUB_URL = 'https://github.example/shop/web/actions/runs/7';
  const GITLAB = 'GITLAB_CI=true CI_COMMIT_SHA=merge-sha CI_JOB_URL=https://gitlab.example/jobs/7';
  const GITLAB_URL = 'https://gitlab.example/jobs/7';
  const AZURE = 'TF_BUILD=True BUILD_SOURCEVERSION=merge-sha';

  for (const [what, env, expected] of [
    [
      'GitHub, a push',
      `${GITHUB} GITHUB_EVENT_NAME=push GITHUB_REF_TYPE=branch GITHUB_REF_NAME=main`,
      ['merge-sha', 'main', GITHUB_URL],
    ],
    [
      'GitHub, a tag, which is no branch',
      `${GITHUB} GITHUB_EVENT_NAME=push GITHUB_REF_TYPE=tag GITHUB_REF_NAME=v1`,
      ['merge-sha', undefined, GITHUB_URL],
    ],
    [
      'GitLab, a merge request: the head',
      `${GITLAB} CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=head-sha CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=topic`,
      ['head-sha', 'topic', GITLAB_URL],
    ],
    [
      'GitLab, the branch itself: the variable of a merge request is set, and empty',
      `${GITLAB} CI_MERGE_REQUEST_SOURCE_BRANCH_SHA= CI_COMMIT_BRANCH=main`,
      ['merge-sha', 'main', GITLAB_URL],
    ],
    [
      'Jenkins, a change request',
      'JENKINS_URL=https://j/ GIT_COMMIT=sha BRANCH_NAME=PR-7 CHANGE_BRANCH=topic BUILD_URL=https://j/7/',
      ['sha', 'topic', 'https://j/7/'],
    ],
    [
      'Azure, a pull request',
      `${AZURE} BUILD_SOURCEBRANCH=refs/pull/7/merge SYSTEM_PULLREQUEST_SOURCECOMMITID=head SYSTEM_PULLREQUEST_SOURCEBRANCH=refs/heads/topic/x SYSTEM_COLLECTIONURI=https://azure.example/o/ SYSTEM_TEAMPROJECT=a%20shop BUILD_BUILDID=7`,
      ['head', 'topic/x', 'https://azure.example/o/a%20shop/_build/results?buildId=7'],
    ],
    ['Azure, a tag', `${AZURE} BUILD_SOURCEBRANCH=refs/tags/v1`, ['merge-sha', undefined, undefined]],
    [
      'CircleCI',
      'CIRCLECI=true CIRCLE_SHA1=sha CIRCLE_BRANCH=main CIRCLE_BUILD_URL=https://c/7',
      ['sha', 'main', 'https://c/7'],
    ],
    [
      'Buildkite',
      'BUILDKITE=true BUILDKITE_COMMIT=sha BUILDKITE_BRANCH=main BUILDKITE_BUILD_URL=https://b/7',
      ['sha', 'main', 'https://b/7'],
    ],
    [
      'Jenkins, a local branch beside the remote one',
      'JENKINS_URL=https://j/ GIT_COMMIT=sha GIT_BRANCH=upstream/main GIT_LOCAL_BRANCH=main',
      ['sha', 'main', undefined],
    ],
    [
      'Jenkins, a local branch although the checkout is detached',
      'JENKINS_URL=https://j/ GIT_COMMIT=sha GIT_BRANCH=detached GIT_LOCAL_BRANCH=fix/a',
      ['sha', 'fix/a', undefined],
    ],
    [
      'Jenkins, detached, with no branch at all',
      'JENKINS_URL=https://j/ GIT_COMMIT=sha GIT_BRANCH=detached',
      ['sha', undefined, undefined],
    ],
    [
      'Jenkins, the remote branch alone',
      'JENKINS_URL=https://j/ GIT_COMMIT=sha GIT_BRANCH=upstream/fix/a',
      ['sha', 'fix/a', undefined],
    ],
    [
      'Jenkins, no commit in the environment: git',
      'JENKINS_URL=https://j/ BRANCH_NAME=main BUILD_URL=https://j/7/',
      ['git-sha', 'main', 'https://j/7/'],
    ],
    [
      'Buildkite, started by hand: the commit of git, the branch of the build',
      'BUILDKITE=true BUILDKITE_COMMIT=HEAD BUILDKITE_BRANCH=main BUILDKITE_BUILD_URL=https://b/7',
      ['git-sha', 'main', 'https://b/7'],
    ],
    [
      'Buildkite, started by hand without a branch: git',
      'BUILDKITE=true BUILDKITE_COMMIT=HEAD BUILDKITE_BRANCH=HEAD',
      ['git-sha', 'topic', undefined],
    ],
    ['Bitbucket', 'BITBUCKET_COMMIT=sha BITBUCKET_BRANCH=main', ['sha', 'main', undefined]],
    ['outside of CI: git', 'HOME=/', ['git-sha', 'topic', undefined]],
  ] as const) {
    test(what, () => {
      expect(found(sources(env))).toEqual(expected);
    });
  }

  test('GitHub, a pull request: the head and not the merge; where its event cannot be read, refused', () => {
    const env = `${GITHUB} GITHUB_EVENT_NAME=pull_request GITHUB_EVENT_PATH=/e GITHUB_HEAD_REF=topic`;
    const event = { pull_request: { head: { sha: 'head-sha', ref: 'topic' } } };
    expect(found(sources(env, event))).toEqual(['head-sha', 'topic', GITHUB_URL]);
    expect(() => found(sources(env, {}))).toThrow('--consumer-app-version');
  });

  test('a repository is the suite’s own: its commit is that of the reference client and of nobody else; without git nothing is made up', () => {
    const here = { ...sources('HOME=/'), ownRoot: 'git-sha' };
    const detect = (consumer: string, given?: string) => detectBuild(consumer, '/suite', given, here);
    expect(() => detect('billing')).toThrow('says nothing about billing');
    expect(detect('legacy-api-reference-client').version).toBe('git-sha');
    expect(detect('billing', '1.0')).toEqual({ version: '1.0', branch: undefined, buildUrl: undefined });
    expect(() => found({ ...here, git: () => undefined })).toThrow('--consumer-app-version');
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
    expect(version).toEqual({ version: expect.stringMatching(/^observed-[0-9a-f]{16}$/) });
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
    expect(providerVersionOf(upgraded)).toEqual(version);
  });

  test('other behaviour is another version: a requirement broken, or an open point answered otherwise', () => {
    const version = providerVersionOf(run);
    const passing = run.requirements.map(({ id }) => ({ id, result: 'pass' as const }));
    expect(providerVersionOf({ ...run, requirements: passing })).not.toEqual(version);
    const [first, second] = run.observations;
    if (first === undefined || second === undefined) throw new Error('two observations were expected');
    const otherwise = { ...run, observations: [{ ...first, answer: 204 }, second] };
    expect(providerVersionOf(otherwise)).not.toEqual(version);
  });

  for (const [what, changes] of [
    ['partial', { selection: 'partial' }],
    ['broken', { verdict: 'broken' }],
    ['not run throughout', { requirements: [{ id: 'list.safe', result: 'not-run' }] }],
    ['empty', { requirements: [] }],
  ] as const) {
    test(`a run that is ${what} shows too little`, () => {
      expect(providerVersionOf({ ...run, ...changes })).toHaveProperty('underivable');
    });
  }
});

test.describe('which broker', () => {
  const at = 'https://broker.example';

  test('token or user by environment; an empty variable is none', () => {
    const token = brokerAccess({ PACT_BROKER_BASE_URL: `${at}/`, PACT_BROKER_TOKEN: 't0ken' });
    expect(token).toEqual({ baseUrl: at, authorization: 'Bearer t0ken', secret: 't0ken' });
    const user = brokerAccess({
      PACT_BROKER_BASE_URL: at,
      PACT_BROKER_TOKEN: '',
      PACT_BROKER_USERNAME: 'u',
      PACT_BROKER_PASSWORD: 'p:w',
    });
    expect(user.authorization).toBe(`Basic ${Buffer.from('u:p:w').toString('base64')}`);
  });

  for (const [what, env, says] of [
    ['no address', { PACT_BROKER_BASE_URL: undefined }, 'PACT_BROKER_BASE_URL'],
    ['an address that is none', { PACT_BROKER_BASE_URL: 'broker' }, 'absolute'],
    ['credentials in the address', { PACT_BROKER_BASE_URL: 'https://u:secret@b.example' }, 'take them out'],
    ['a token beside a user', { PACT_BROKER_TOKEN: 't', PACT_BROKER_USERNAME: 'u' }, 'both'],
    ['a user without password', { PACT_BROKER_USERNAME: 'u' }, 'set both'],
  ] as const) {
    test(`${what}: refused without quoting it`, () => {
      const error = thrown(() => brokerAccess(Object.assign({ PACT_BROKER_BASE_URL: at }, env)));
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
    ['a list', [], 'JSON object'],
    ['no provider', samplePact({ provider: {} }), 'provider.name'],
    ['no interaction', samplePact({ interactions: [] }), 'promises nothing'],
    ['interactions that are no list', samplePact({ interactions: {} }), 'list'],
    ['no response', samplePact({ interactions: [{ description: 'a', request: {} }] }), 'interaction 1'],
    ['no specification', samplePact({ metadata: {} }), 'pactSpecification'],
  ] as const) {
    test(`${what} is no pact`, () => {
      expect(() => readPactFile(JSON.stringify(content), 'a.json')).toThrow(says);
    });
  }

  test('pacts of HTTP and of messages, new and old, are', () => {
    const pair = { consumer: 'web-shop', provider: 'legacy-resource-api' };
    expect(readPactFile(JSON.stringify(samplePact()), 'a.json')).toMatchObject(pair);
    const messages = { interactions: undefined, messages: [{ description: 'an event', contents: {} }] };
    const old = { metadata: { pactSpecificationVersion: '2.0.0' } };
    const pact = samplePact({ ...messages, ...old });
    expect(readPactFile(JSON.stringify(pact), 'a.json')).toMatchObject(pair);
  });

  test('every file that is none is named, and a second pact of one pair is refused', () => {
    const folder = writePacts(test.info().outputPath('mixed'), {
      'a.json': samplePact(),
      'b.json': '{"truncated',
      'c.json': {},
    });
    const { message } = thrown(() => readPactFiles([folder]));
    expect(message).toContain('b.json: expected a pact, which is JSON, got text that is no JSON');
    expect(message).toContain('c.json: expected `consumer.name`');
    const twins = writePacts(test.info().outputPath('twins'), {
      'a.json': samplePact(),
      'b.json': samplePact(),
    });
    expect(thrown(() => readPactFiles([twins])).message).toContain('second pact between web-shop');
    const empty = writePacts(test.info().outputPath('empty'), { 'readme.txt': 'no pact' });
    expect(thrown(() => readPactFiles([empty])).message).toContain('the folder holds no *.json');
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
