/** What is wrong in the configuration of a live target is told before anything is sent: key, expectation, example. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts';
import { ConfigurationError } from '../../src/config/configuration-error.ts';
import { loadConfiguration } from '../../src/config/load-configuration.ts';
import {
  type GuardCertificates,
  makeGuardCertificates,
  PASSPHRASE,
} from '../support/guarded/certificates.ts';

/** A sentence that every report has. */
const STATEMENT = loadCatalogue().requirement('exchange.code-single-use').statement;
const SECRET = 'tr0ub4dor-and-3';
const ENV = {
  CLIENT_SECRET: SECRET,
  PASSWORD: 'correct horse',
  NOTHING: '',
  SHORT: 'ab12c',
  WORD: 'password',
  STATED: STATEMENT.split(/\W+/).find((word) => word.length >= 8),
  PART: 'Redirect',
  PROXY: 'http://suite:ab12c@proxy.example:3128',
};

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
    says: 'pacing.requestPerSeconds: expected one of the keys requestsPerSecond, deadlineMs, watchSeconds, got the key "requestPerSeconds"; did you mean "requestsPerSecond"?',
  },
  {
    title: 'a key is like none that is known',
    change: { owner: { ...owner, shoeSize: 43 } },
    says: 'owner.shoeSize: expected one of the keys login, password, totpSecret, got the key "shoeSize"',
  },
  {
    title: 'a client secret stands in the file',
    change: { application: { ...application, clientSecret: SECRET } },
    says: 'application.clientSecret: expected an object that names an environment variable, got a text (not shown); this file must not hold a secret: put the value into an environment variable, and write its name here; for example {"env":"STAGING_CLIENT_SECRET"}',
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
    says: 'owner.login: expected the environment variable STAGING_LOGIN to hold the value, got no such variable; set STAGING_LOGIN, in the environment or in `.env` beside the configuration',
  },
  {
    title: 'a variable is empty',
    change: { owner: { ...owner, password: { env: 'NOTHING' } } },
    says: 'owner.password: expected the environment variable NOTHING to hold the value, got an empty one',
  },
  {
    title: 'an address has no scheme',
    change: { authUrl: 'auth.staging.example' },
    says: 'authUrl: expected the address of the authorization server, without `/oauth/...`, got a text (not shown); for example "https://auth.staging.example"',
  },
  {
    title: 'an address has a port that cannot be',
    change: { baseUrl: 'https://api.staging.example:99999' },
    says: 'baseUrl: expected a valid address, got one with an impossible host or port',
  },
  {
    title: 'the resource address ends in the version prefix',
    change: { baseUrl: 'https://api.staging.example/v2/' },
    says: 'baseUrl: expected the address without `/v2`, because the suite adds it (clause 9), got one that ends in `/v2`; remove `/v2` from its end',
  },
  {
    title: 'no redirect address is given',
    change: { application: { ...application, redirectUris: [] } },
    says: 'application.redirectUris: expected the authorized redirect addresses (at least 1 entry), got an empty list',
  },
  {
    title: 'a redirect address is relative',
    change: { application: { ...application, redirectUris: ['/callback'] } },
    says: 'application.redirectUris[0]: expected an absolute address without a fragment, got a text (not shown); for example "https://client.example/callback"',
  },
  {
    title: 'a user is named twice',
    change: { users: ['1001', '1001'] },
    says: "users: expected ids of the suite's own users (no entry twice (entries 1 and 0 are alike)), got a list of 2",
  },
  {
    title: 'an id is a number',
    change: { projects: [4711] },
    says: 'projects[0]: expected an id as it appears in paths (string), got a number (not shown); for example "4711"',
  },
  {
    title: 'a sign-in step has a mistyped verb',
    change: { signIn: { form: '#a', steps: [{ klick: '#a' }] } },
    says: 'signIn.steps[0]: expected one step of signing in: `fill` a field `with` a value, `click` an element, or `wait` until an element appears, got an object with klick; for example {"fill":"input[name=login]","with":"login"}',
  },
  {
    title: 'a sign-in step does two things',
    change: { signIn: { form: '#a', steps: [{ click: '#a', fill: '#b' }] } },
    says: 'appears, got an object with click, fill; for example {"fill":"input[name=login]","with":"login"}',
  },
  {
    title: 'a selector is of an unknown kind',
    change: { consent: { grant: { buton: 'Allow' }, shown: 'once' } },
    says: 'consent.grant: expected the element that grants when it is clicked, got an object with buton; for example {"button":"Authorize"}',
  },
  {
    title: 'consent is shown at an unknown time',
    change: { consent: { grant: '#a', shown: 'sometimes' } },
    says: 'consent.shown: expected the frequency of the page (one of "always", "once", "never"), got a text (not shown); for example "once"',
  },
  {
    title: 'a one-time code is filled without a secret for it',
    change: { signIn: { form: '#a', steps: [{ fill: '#a', with: 'totp' }] } },
    says: 'owner.totpSecret: expected a secret, because signIn.steps[0] fills a one-time code, got nothing; for example {"env":"STAGING_TOTP_SECRET"}',
  },
  {
    title: 'the secret of one-time codes is not base32',
    change: { owner: { ...owner, totpSecret: { env: 'CLIENT_SECRET' } } },
    says: 'owner.totpSecret: expected base32: letters A to Z and digits 2 to 7, got another text (not shown)',
  },
  {
    title: 'both applications are the same',
    change: { secondApplication: application },
    says: 'secondApplication.clientId: expected the id of another application than `application`, got the same one; if you have only one application, leave `secondApplication` out',
  },
  {
    title: 'applications may be created, but the form is not described',
    change: { abilities: ['create-application'] },
    says: 'accountArea: expected the form for a new application, because `abilities` has create-application, got nothing',
  },
  {
    title: 'a word of a list is mistyped',
    change: { consent: { grant: '#a', shown: 'allways' } },
    says: 'consent.shown: expected the frequency of the page (one of "always", "once", "never"), got a text (not shown); did you mean "always"?; for example "once"',
  },
  {
    title: 'a client secret is too short to be redacted reliably',
    change: { application: { ...application, clientSecret: { env: 'SHORT' } } },
    says: 'application.clientSecret: expected at least 8 characters and no word of the reports (the suite cannot redact other secrets reliably), got 5 characters',
  },
  ...(
    [
      ['a word of the reports', 'WORD'],
      ['a word of a statement', 'STATED'],
      ['a part of a name in the reports', 'PART'],
    ] as const
  ).map(([what, variable]) => ({
    title: `a password is ${what}`,
    change: { owner: { ...owner, password: { env: variable } } },
    says: 'owner.password: expected at least 8 characters and no word of the reports (the suite cannot redact other secrets reliably), got a word of the reports',
  })),
  {
    title: 'a login by a variable is too short to be redacted reliably',
    change: { owner: { ...owner, login: { env: 'SHORT' } } },
    says: 'owner.login: expected at least 8 characters and no word of the reports (the suite cannot redact other secrets reliably), got 5 characters; if it is no secret, write it into the configuration itself',
  },
  {
    title: 'the token of a clock is too short to be redacted reliably',
    change: { clock: { advanceUrl: 'http://127.0.0.1:1/', token: { env: 'SHORT' } } },
    says: 'clock.token: expected at least 8 characters',
  },
  {
    title: 'the password of a proxy is too short to be redacted reliably',
    change: { proxy: { env: 'PROXY' } },
    says: 'proxy: expected at least 8 characters and no word of the reports (the suite cannot redact other secrets reliably), got 5 characters',
  },
  {
    title: 'a variable has a name that every environment inherits',
    change: { owner: { ...owner, password: { env: 'constructor' } } },
    says: 'owner.password: expected the environment variable constructor to hold the value, got no such variable',
  },
  {
    title: 'an ability is granted that follows from the rest',
    change: { abilities: ['second-project'] },
    says: 'abilities[0]: expected a permission (one of "destructive-ids", "create-application"), got a text (not shown)',
  },
  {
    title: 'an unknown ability is required',
    change: { requireAbilities: ['klock'] },
    says: 'requireAbilities[0]: expected an ability that checks may need (one of "clock",',
  },
  {
    title: 'the token is presented in an unknown way',
    change: { token: { presentation: { cookie: 'token' } } },
    says: 'token.presentation: expected the place of the access token in requests to the resource API (open in the document); without it the suite tries the usual places, got an object with cookie; for example {"header":"Bearer"}',
  },
  {
    title: 'the pointer to user ids has no position',
    change: { list: { userId: '/data/id' } },
    says: 'list.userId: expected a JSON pointer to a listed user\'s id, with `*` for the position (open in the document), got a text (not shown); for example "/data/*/id"',
  },
  {
    title: 'a header would carry a secret',
    change: { requests: { assign: { headers: { Authorization: SECRET } } } },
    says: 'requests.assign.headers.Authorization: expected headers that carry no secret, got the header Authorization; set `token.presentation` to say how the suite sends the access token',
  },
  {
    title: 'pacing stands still',
    change: { pacing: { requestsPerSecond: 0 } },
    says: 'pacing.requestsPerSecond: expected requests a second on average (must be > 0), got 0; for example 5',
  },
  {
    title: 'the authority file is not there',
    change: { tls: { caFile: 'missing.pem' } },
    says: 'tls.caFile: expected a file, relative to the configuration, got a path without a readable file',
  },
  {
    title: 'an address holds a user and a password',
    change: { authUrl: `https://staging:${SECRET}@auth.staging.example` },
    says: 'authUrl: expected the address of the authorization server, without `/oauth/...`, got one with a user in it (not shown); take the user and password out: for a gateway that asks for HTTP Basic, `edge.basic` sends them',
  },
  ...(['Cookie', 'Host', 'Content-Type', 'Proxy-Authorization', 'authorization'] as const).map((name) => ({
    title: `${name} is a header for all requests`,
    change: { requests: { headers: { [name]: SECRET } } },
    says: `requests.headers.${name}: expected a header of the gateway, got the header ${name}; `,
  })),
  {
    title: 'a header has a value that no header may have',
    change: { requests: { headers: { 'X-Gateway-Key': 'schlüssel' } } },
    says: 'requests.headers.X-Gateway-Key: expected a value of printable ASCII characters, without spaces around it, got another text (not shown)',
  },
  {
    title: 'a header is for one address, and both have one origin',
    change: { baseUrl: VALID.authUrl, requests: { authUrl: { headers: { 'X-A': '1' } } } },
    says: 'requests.authUrl: expected two addresses of different origins, got `authUrl` and `baseUrl` at https://auth.staging.example; put the headers into `requests.headers`',
  },
  {
    title: 'Basic would take the place of the access token',
    change: { edge: { basic: { user: 'staging', password: { env: 'PASSWORD' } } } },
    says: 'edge.basic: expected HTTP Basic that the resource API does not ask for, got Basic at both addresses, although `Authorization` carries the access token at the resource API; if only pages and the token endpoint ask for it, add `"at": "authUrl"`; if the API does, have the gateway accept a header of its own, such as X-Gateway-Key, and name it in `requests.headers`',
  },
  {
    title: 'the password of the edge stands in the file',
    change: { edge: { basic: { user: 'staging', password: SECRET, at: 'authUrl' } } },
    says: 'edge.basic.password: expected an object that names an environment variable, got a text (not shown)',
  },
  {
    title: 'the proxy is no HTTP proxy',
    change: { proxy: 'socks5://proxy.example' },
    says: 'proxy: expected the http:// address of an HTTP proxy, got another text (not shown); for example "http://proxy.example:3128"',
  },
  {
    title: 'the password of a proxy stands in the file',
    change: { proxy: `http://user:${SECRET}@proxy.example:3128` },
    says: 'proxy: expected an address without a password, or an object that names an environment variable, got one with a password (not shown); this file must not hold a secret',
  },
];

test.describe('one problem is told when', () => {
  for (const { title, change, says } of PROBLEMS) {
    test(title, async () => {
      const error = await refusal({ ...VALID, ...change });
      const [head, ...reported] = error.message.split('\n');
      expect(head).toBe(`${error.file}: the configuration cannot be used; the suite sent nothing`);
      expect(reported).toHaveLength(1);
      expect(reported[0]?.trim()).toContain(says);
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
  expect(error.message).toContain('got a file without a certificate');
});

test.describe('a client certificate is refused', () => {
  test.skip(spawnSync('openssl', ['version']).error !== undefined, 'needs the program openssl');
  let files: GuardCertificates;
  test.beforeAll(() => {
    files = makeGuardCertificates(join(directory, 'guard'));
  });

  const passphrase = { env: 'PASSWORD' };
  for (const [title, client, says] of [
    [
      'with a wrong passphrase',
      ({ certFile, encryptedKeyFile: keyFile }) => ({ certFile, keyFile, passphrase }),
      'tls.client: expected a certificate with its private key, and the passphrase that opens the key, got files that OpenSSL does not accept (bad decrypt)',
    ],
    ['with a wrong passphrase of a PFX', ({ pfxFile }) => ({ pfxFile, passphrase }), '(mac verify failure)'],
    [
      'with the key of another',
      ({ certFile, strangerKeyFile: keyFile }) => ({ certFile, keyFile }),
      '(key values mismatch)',
    ],
    [
      'whose file is missing',
      ({ keyFile }) => ({ certFile: 'missing.pem', keyFile }),
      'tls.client.certFile: expected a file, relative to the configuration, got a path without a readable file',
    ],
    [
      'without its key',
      ({ certFile }) => ({ certFile }),
      "tls.client: expected the suite's certificate and key",
    ],
  ] satisfies readonly (readonly [string, (files: GuardCertificates) => object, string])[]) {
    test(title, async () => {
      const { message } = await refusal({ ...VALID, tls: { client: client(files) } });
      expect(message).toContain(says);
    });
  }

  test('not: PEM and PFX load, and the key is a secret', async () => {
    const { certFile, keyFile, pfxFile } = files;
    for (const client of [
      { certFile, keyFile },
      { pfxFile, passphrase: { env: 'KEY' } },
    ]) {
      const file = join(directory, 'client.json');
      writeFileSync(file, JSON.stringify({ ...VALID, tls: { client } }));
      const { tls, secrets } = await loadConfiguration(file, { ...ENV, KEY: PASSPHRASE });
      expect(tls?.client).toBeDefined();
      const key = readFileSync(keyFile, 'utf8').split('\n')[1] ?? '';
      if ('keyFile' in client) expect(secrets.some(({ value }) => value.startsWith(key))).toBe(true);
    }
  });
});

test('a phrase of several words is no word of the reports, whatever sentences they have', async () => {
  const file = join(directory, 'phrase.json');
  writeFileSync(file, JSON.stringify(VALID));
  const { secrets } = await loadConfiguration(file, { ...ENV, PASSWORD: STATEMENT });
  expect(secrets.map(({ value }) => value)).toContain(STATEMENT);
});

/** Every key that there is. */
const WHOLE: ConfigurationFile = {
  ...VALID,
  secondApplication: { ...application, clientId: 'd4e5f6' },
  owner: { ...owner, totpSecret: { env: 'TOTP' } },
  signIn: { ...VALID.signIn, interstitials: [{ button: 'I have read this' }] },
  token: { presentation: { header: 'Bearer' } },
  list: { userId: '/data/*/id' },
  requests: {
    assign: { headers: { 'X-Api-Revision': '2' }, body: { role: 'viewer' } },
    headers: { 'X-Gateway-Key': { env: 'GATEWAY' } },
    baseUrl: { headers: { 'X-Api-Key': 'plain' } },
  },
  edge: { basic: { user: 'staging', password: { env: 'EDGE' }, at: 'authUrl' } },
  abilities: ['destructive-ids'],
  requireAbilities: ['clock'],
  skewSeconds: 5,
  pacing: { requestsPerSecond: 5 },
  budget: { requests: 10 },
  clock: { advanceUrl: 'http://127.0.0.1:1/', token: { env: 'TOKEN' } },
  proxy: 'http://proxy.example:3128',
};

/** The ways to all values in a value, its own apart. */
function pathsIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...pathsIn(inner).map((path) => [key, ...path]),
  ]);
}

function withValueAt(root: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const copy: Record<string, unknown> | unknown[] = Array.isArray(root) ? [...root] : { ...(root as object) };
  const inner = rest.length === 0 ? value : withValueAt((root as Record<string, unknown>)[key], rest, value);
  Object.assign(copy, { [key]: inner });
  return copy;
}

for (const path of pathsIn(WHOLE)) {
  test(`whatever stands at ${path.join('.')} is not quoted`, async () => {
    const number = 48_151_623;
    const values = [
      SECRET,
      ` ${SECRET}`,
      `https://x:${SECRET}@y/`,
      number,
      [SECRET],
      { env: SECRET },
      { css: [SECRET] },
    ];
    for (const value of values) {
      const file = join(directory, `${test.info().testId}.json`);
      writeFileSync(file, JSON.stringify(withValueAt(WHOLE, path, value)));
      const env = { ...ENV, TOTP: 'JBSWY3DPEHPK3PXP', TOKEN: 'a-token-of-the-clock' };
      const error = await loadConfiguration(file, env).catch((thrown: unknown) => thrown);
      if (!(error instanceof Error)) continue;
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error.message).not.toContain(SECRET);
      // A number beyond the limits of a number is told.
      if (!path.includes('budget') && !path.includes('pacing') && !path.includes('skewSeconds'))
        expect(error.message).not.toContain(String(number));
    }
  });
}

test('everything that came by a variable is a secret of the configuration, wherever it stands', async () => {
  const values = {
    A_SECRET: 'first-client-secret',
    B_SECRET: 'second-client-secret',
    LOGIN: 'owner@staging.example',
    PASSWORD: 'correct horse',
    TOTP: 'JBSWY3DPEHPK3PXP',
    TOKEN: 'a-token-of-the-clock',
    PASSPHRASE: 'a-long-passphrase',
    GATEWAY: 'a-key-of-the-gateway',
    EDGE: 'a-password-of-the-edge',
    PROXY: 'http://proxy-user:p%40ss-of-proxy@proxy.example:3128',
  };
  const file = join(directory, 'whole.json');
  writeFileSync(
    file,
    JSON.stringify({
      ...WHOLE,
      application: { ...application, clientSecret: { env: 'A_SECRET' } },
      secondApplication: { ...application, clientId: 'd4e5f6', clientSecret: { env: 'B_SECRET' } },
      owner: { login: { env: 'LOGIN' }, password: { env: 'PASSWORD' }, totpSecret: { env: 'TOTP' } },
      signIn: { form: '#login', session: { file: 'x.session', passphrase: { env: 'PASSPHRASE' } } },
      proxy: { env: 'PROXY' },
    }),
  );
  const { secrets } = await loadConfiguration(file, values, false);
  const { PROXY: _, ...whole } = values;
  expect(secrets.map(({ value }) => value).sort()).toEqual(
    [...Object.values(whole), 'proxy-user', 'p@ss-of-proxy', btoa('staging:a-password-of-the-edge')].sort(),
  );
});
