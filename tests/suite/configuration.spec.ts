/** What is wrong in the configuration of a live target is told before anything is sent: key, expectation, example. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import { ConfigurationError } from '../../src/config/configuration-error.ts';
import { loadConfiguration } from '../../src/config/load-configuration.ts';

const SECRET = 'tr0ub4dor-and-3';
const ENV = { CLIENT_SECRET: SECRET, PASSWORD: 'correct horse', NOTHING: '' };

const VALID: ConfigurationFile = {
  name: 'staging',
  authUrl: 'https://auth.staging.example',
  baseUrl: 'https://api.staging.example',
  application: {
    clientId: 'a1b2c3',
    clientSecret: { env: 'CLIENT_SECRET' },
    redirectUris: ['https://client.example/callback'],
  },
  owner: { login: 'owner@staging.example', password: { env: 'PASSWORD' } },
  projects: ['4711'],
  users: ['1001'],
  signIn: {
    form: '#login',
    steps: [
      { fill: '#login', with: 'login' },
      { fill: { label: 'Password' }, with: 'password' },
      { click: { button: 'Sign in' } },
    ],
  },
  consent: { grant: { button: 'Authorize' }, shown: 'once' },
};

const { application, owner } = VALID;

let directory: string;
test.beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'configuration-'));
});
test.afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What the loader says to a configuration. Keys that are `undefined` are left out of the file. */
async function refusal(content: unknown): Promise<ConfigurationError> {
  const file = join(directory, `${test.info().testId}.json`);
  writeFileSync(file, JSON.stringify(content));
  const error = await loadConfiguration(file, ENV).catch((thrown: unknown) => thrown);
  expect(error, 'the configuration was expected to be refused').toBeInstanceOf(ConfigurationError);
  return error as ConfigurationError;
}

/** What is changed in a valid configuration, the one problem that is told, and its example or advice. */
const PROBLEMS: readonly {
  readonly title: string;
  readonly change: Readonly<Record<string, unknown>>;
  readonly says: string;
}[] = [
  {
    title: 'a key is missing',
    change: { authUrl: undefined },
    says: 'authUrl: expected this key (the address of the authorization server, without `/oauth/...`), got nothing; for example "https://auth.staging.example"',
  },
  {
    title: 'a key is missing further down',
    change: { owner: { login: 'x' } },
    says: 'owner.password: expected this key (the owner\'s password), got nothing; for example {"env":"STAGING_PASSWORD"}',
  },
  {
    title: 'a key is mistyped',
    change: { application: { ...application, redirectURI: 'https://client.example/' } },
    says: 'application.redirectURI: expected one of the keys clientId, clientSecret, redirectUris, got the key "redirectURI"; did you mean "redirectUris"?',
  },
  {
    title: 'a key has two letters in the wrong place',
    change: { pacing: { requestPerSeconds: 1 } },
    says: 'pacing.requestPerSeconds: expected one of the keys requestsPerSecond, deadlineMs, got the key "requestPerSeconds"; did you mean "requestsPerSecond"?',
  },
  {
    title: 'a key is like none that is known',
    change: { owner: { ...owner, shoeSize: 43 } },
    says: 'owner.shoeSize: expected one of the keys login, password, totpSecret, got the key "shoeSize"',
  },
  {
    title: 'a client secret stands in the file',
    change: { application: { ...application, clientSecret: SECRET } },
    says: 'application.clientSecret: expected an object that names an environment variable, got a text (not shown); secrets are not kept in this file: put the value into a variable and name that; for example {"env":"STAGING_CLIENT_SECRET"}',
  },
  {
    title: 'a password stands in the file',
    change: { owner: { ...owner, password: SECRET } },
    says: 'owner.password: expected an object that names an environment variable, got a text (not shown)',
  },
  {
    title: 'the secret of one-time codes stands in the file',
    change: { owner: { ...owner, totpSecret: SECRET } },
    says: 'owner.totpSecret: expected an object that names an environment variable, got a text (not shown)',
  },
  {
    title: 'a secret stands where a variable is to be named',
    change: { owner: { ...owner, password: { env: SECRET } } },
    says: 'owner.password.env: expected the name of an environment variable, got a text (not shown)',
  },
  {
    title: 'a password stands in a sign-in step',
    change: { signIn: { form: '#a', steps: [{ fill: '#a', with: SECRET }] } },
    says: "signIn.steps[0].with: expected the owner's `login` or `password`, a one-time code (`totp`), or a text that is no secret, got a text (not shown)",
  },
  {
    title: 'a variable is not set',
    change: { owner: { login: { env: 'STAGING_LOGIN' }, password: { env: 'PASSWORD' } } },
    says: 'owner.login: expected the environment variable STAGING_LOGIN to hold the value, got no such variable; set STAGING_LOGIN, or name a file that sets it with --env-file',
  },
  {
    title: 'a variable is empty',
    change: { owner: { ...owner, password: { env: 'NOTHING' } } },
    says: 'owner.password: expected the environment variable NOTHING to hold the value, got an empty one',
  },
  {
    title: 'an address has no scheme',
    change: { authUrl: 'auth.staging.example' },
    says: 'authUrl: expected the address of the authorization server, without `/oauth/...`, got "auth.staging.example"',
  },
  {
    title: 'an address holds a password',
    change: { authUrl: `https://user:${SECRET}@auth.staging.example` },
    says: 'authUrl: expected the address of the authorization server, without `/oauth/...`, got "https://<hidden>@auth.staging.example"',
  },
  {
    title: 'an address has a port that cannot be',
    change: { baseUrl: 'https://api.staging.example:99999' },
    says: 'baseUrl: expected an address, got "https://api.staging.example:99999"',
  },
  {
    title: 'the resource address ends in the version prefix',
    change: { baseUrl: 'https://api.staging.example/v2/' },
    says: 'baseUrl: expected the address before `/v2`: the suite adds the prefix (clause 9), got "https://api.staging.example/v2/"; for example "https://api.staging.example"',
  },
  {
    title: 'no redirect address is given',
    change: { application: { ...application, redirectUris: [] } },
    says: 'application.redirectUris: expected the authorized redirect addresses (at least 1 entry), got an empty list',
  },
  {
    title: 'a redirect address is relative',
    change: { application: { ...application, redirectUris: ['/callback'] } },
    says: 'application.redirectUris[0]: expected an absolute address without a fragment, got "/callback"; for example "https://client.example/callback"',
  },
  {
    title: 'a user is named twice',
    change: { users: ['1001', '1001'] },
    says: "users: expected ids of users that are the suite's own (no entry twice (entries 1 and 0 are alike)), got a list of 2",
  },
  {
    title: 'an id is a number',
    change: { projects: [4711] },
    says: 'projects[0]: expected an id as it stands in paths (string), got 4711; for example "4711"',
  },
  {
    title: 'a sign-in step has a mistyped verb',
    change: { signIn: { form: '#a', steps: [{ klick: '#a' }] } },
    says: 'signIn.steps[0]: expected one step of signing in: `fill` a field `with` a value, `click`, or `wait` until something is shown, got an object with klick; did you mean "click" where it says "klick"?; for example {"fill":"input[name=login]","with":"login"}',
  },
  {
    title: 'a sign-in step does two things',
    change: { signIn: { form: '#a', steps: [{ click: '#a', fill: '#b' }] } },
    says: 'signIn.steps[0].fill: expected one of the keys click, got the key "fill"',
  },
  {
    title: 'a selector is of an unknown kind',
    change: { consent: { grant: { buton: 'Allow' }, shown: 'once' } },
    says: 'consent.grant: expected what grants when it is clicked, got an object with buton; did you mean "button" where it says "buton"?; for example {"button":"Authorize"}',
  },
  {
    title: 'consent is shown at an unknown time',
    change: { consent: { grant: '#a', shown: 'sometimes' } },
    says: 'consent.shown: expected when the page is shown (one of "always", "once", "never"), got "sometimes"; for example "once"',
  },
  {
    title: 'a one-time code is filled without a secret for it',
    change: { signIn: { form: '#a', steps: [{ fill: '#a', with: 'totp' }] } },
    says: 'owner.totpSecret: expected a secret, because signIn.steps[0] fills a one-time code, got nothing; for example {"env":"STAGING_TOTP_SECRET"}',
  },
  {
    title: 'the secret of one-time codes is not base32',
    change: { owner: { ...owner, totpSecret: { env: 'CLIENT_SECRET' } } },
    says: 'owner.totpSecret: expected base32: letters A to Z and digits 2 to 7, got a text that is none (not shown)',
  },
  {
    title: 'both applications are the same',
    change: { secondApplication: application },
    says: 'secondApplication.clientId: expected the id of another application than `application`, got the same one; leave secondApplication out when there is only one',
  },
  {
    title: 'applications may be created, but the form is not described',
    change: { abilities: ['create-application'] },
    says: 'accountArea: expected the form for a new application, because `abilities` has create-application, got nothing',
  },
  {
    title: 'an ability is granted that follows from the rest',
    change: { abilities: ['second-project'] },
    says: 'abilities[0]: expected an ability that is granted on request (one of "destructive-ids", "create-application"), got "second-project"',
  },
  {
    title: 'an unknown ability is required',
    change: { requireAbilities: ['klock'] },
    says: 'requireAbilities[0]: expected an ability that checks may need (one of "clock",',
  },
  {
    title: 'the token is presented in an unknown way',
    change: { token: { presentation: { cookie: 'token' } } },
    says: 'token.presentation: expected how the resource API takes an access token (open in the document); without it the usual ways are tried, got an object with cookie; for example {"header":"Bearer"}',
  },
  {
    title: 'the pointer to user ids has no position',
    change: { list: { userId: '/data/id' } },
    says: 'list.userId: expected JSON pointer to a listed user\'s id with `*` for the position (open in the document), got "/data/id"; for example "/data/*/id"',
  },
  {
    title: 'a header would carry a secret',
    change: { requests: { assign: { headers: { Authorization: SECRET } } } },
    says: 'requests.assign.headers.Authorization: expected headers that carry no secret, got the header Authorization; how the access token is sent is said by `token.presentation`',
  },
  {
    title: 'pacing stands still',
    change: { pacing: { requestsPerSecond: 0 } },
    says: 'pacing.requestsPerSecond: expected requests a second on average (must be > 0), got 0; for example 5',
  },
  {
    title: 'the authority file is not there',
    change: { tls: { caFile: 'missing.pem' } },
    says: 'tls.caFile: expected a file with certificates (PEM), relative to the configuration, got "missing.pem", which cannot be read',
  },
  {
    title: 'the proxy is no HTTP proxy',
    change: { proxy: 'socks5://proxy.example' },
    says: 'proxy: expected the http:// address of an HTTP proxy, got "socks5://proxy.example"; for example "http://proxy.example:3128"',
  },
  {
    title: 'the password of a proxy stands in the file',
    change: { proxy: `http://user:${SECRET}@proxy.example:3128` },
    says: 'proxy: expected an address without a password, or an object that names an environment variable, got "http://<hidden>@proxy.example:3128"; secrets are not kept in this file',
  },
];

test.describe('one problem is told when', () => {
  for (const { title, change, says } of PROBLEMS) {
    test(title, async () => {
      const error = await refusal({ ...VALID, ...change });
      const [head, ...told] = error.message.split('\n');
      expect(head).toBe(`${error.file}: no usable configuration; nothing was sent`);
      expect(told).toHaveLength(1);
      expect(told[0]?.trim()).toContain(says);
      expect(error.message).not.toContain(SECRET);
    });
  }
});

test('all problems are told at once', async () => {
  const error = await refusal({ ...VALID, name: '', users: [], consent: { grant: '#a' } });
  expect(error.problems.map(({ path }) => path.join('.'))).toEqual(['name', 'users', 'consent.shown']);
});

test('variables that are not set are told together with what else does not fit', async () => {
  const error = await refusal({
    ...VALID,
    baseUrl: 'https://api.staging.example/v2',
    owner: { login: { env: 'A' }, password: { env: 'B' } },
  });
  expect(error.problems.map(({ path }) => path.join('.'))).toEqual([
    'owner.login',
    'owner.password',
    'baseUrl',
  ]);
});

test('a file that holds a list instead of a configuration is refused', async () => {
  expect((await refusal([])).message).toContain(
    'expected the configuration of a live target (object), got an empty list',
  );
});

test('a certificate file that holds none is refused', async () => {
  writeFileSync(join(directory, 'empty.pem'), 'nothing');
  const error = await refusal({ ...VALID, tls: { caFile: 'empty.pem' } });
  expect(error.message).toContain('got "empty.pem", which holds no certificate');
});
