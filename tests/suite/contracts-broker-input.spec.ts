import { expect, test } from '@playwright/test';
import {
  accessVariables,
  authorizationOf,
  BrokerUsage,
  brokerAccess,
} from '../../src/contracts/broker/access.ts';
import { type BuildSources, detectBuild } from '../../src/contracts/broker/build.ts';
import { inspectPact, readPactFiles } from '../../src/contracts/broker/pact-files.ts';
import { NoProviderVersion, providerVersionOf, type SeenRun } from '../../src/contracts/provider-version.ts';
import { samplePact, writePacts } from '../support/stand-in-broker/sample-pacts.ts';

/** What is found out, and refused, before a broker hears of it. */

test.describe('which version', () => {
  const sources = (env: Record<string, string>, event?: unknown): BuildSources => ({
    env,
    readFile: () => JSON.stringify(event),
    git: (...args) => (args.includes('--abbrev-ref') ? 'topic' : 'git-sha'),
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
    expect(detectBuild(sources(env, event))).toEqual({ version: 'head-sha', branch: 'topic', buildUrl });
  });

  test('GitHub, a pull request whose event cannot be read: refused, and never the merge', () => {
    const env = { ...github, GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: '/e' };
    expect(() => detectBuild(sources(env, {}))).toThrow('--version-number');
  });

  test('GitHub, a push: the commit; a tag is no branch', () => {
    const env = { ...github, GITHUB_EVENT_NAME: 'push', GITHUB_REF_TYPE: 'branch', GITHUB_REF_NAME: 'main' };
    expect(detectBuild(sources(env))).toEqual({ version: 'merge-sha', branch: 'main', buildUrl });
    expect(detectBuild(sources({ ...env, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1' }))).toEqual({
      version: 'merge-sha',
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
    expect(detectBuild(sources(merge))).toEqual({ version: 'head-sha', branch: 'topic', buildUrl: url });
    // Set, and empty, where the pipeline runs for the branch itself.
    const plain = { ...gitlab, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '', CI_COMMIT_BRANCH: 'main' };
    expect(detectBuild(sources(plain))).toEqual({ version: 'merge-sha', branch: 'main', buildUrl: url });
  });

  test('outside of CI: git; and without git nothing is made up', () => {
    expect(detectBuild(sources({}))).toEqual({ version: 'git-sha', branch: 'topic' });
    expect(() => detectBuild({ ...sources({}), git: () => undefined })).toThrow('--version-number');
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
    expect(Object.keys(accessVariables(user)).sort()).toEqual([
      'PACT_BROKER_BASE_URL',
      'PACT_BROKER_PASSWORD',
      'PACT_BROKER_USERNAME',
    ]);
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
      expect(error).toBeInstanceOf(BrokerUsage);
      expect(error.message).toContain(says);
      expect(error.message).not.toContain('secret@');
    });
  }
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
      expect(inspectPact(content).problem).toContain(says);
    });
  }

  test('pacts of HTTP and of messages, new and old, are', () => {
    expect(inspectPact(samplePact()).pact).toEqual({
      consumer: 'web-shop',
      provider: 'legacy-resource-api',
      interactions: 1,
    });
    const messages = { interactions: undefined, messages: [{ description: 'an event', contents: {} }] };
    const old = { metadata: { pactSpecificationVersion: '2.0.0' } };
    expect(inspectPact(samplePact({ ...messages, ...old })).problem).toBeUndefined();
  });

  test('every file that is none is named, and a second pact of one pair is refused', () => {
    const folder = writePacts(test.info().outputPath('mixed'), {
      'a.json': samplePact(),
      'b.json': '{"truncated',
      'c.json': {},
    });
    const { message } = thrown(() => readPactFiles([folder]));
    expect(message).toContain('b.json: expected a pact, but it is no JSON');
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
