/** Errors of a live target's configuration, before the suite sends anything: key, expectation, example. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { loadCatalogue } from '../../../src/document/load-catalogue.ts';
import { ConfigurationError } from '../../../src/service/configuration/configuration-error.ts';
import { loadConfiguration } from '../../../src/service/configuration/load-configuration.ts';
import {
  type GuardCertificates,
  makeGuardCertificates,
  PASSPHRASE,
} from '../../support/guarded/certificates.ts';

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
  lock: { project: '4711', user: '1009' },
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

/** Returns the loader's error for a configuration. Keys that are `undefined` are left out of the file. */
async function refusal(content: unknown): Promise<ConfigurationError> {
  const file = join(directory, `${test.info().testId}.json`);
  writeFileSync(file, JSON.stringify(content));
  const error = await loadConfiguration(file, ENV).catch((thrown: unknown) => thrown);
  expect(error, 'the configuration was expected to be refused').toBeInstanceOf(ConfigurationError);
  return error as ConfigurationError;
}

/** A change of a valid configuration, the one problem that is told, and its example or advice. */
const PROBLEMS: readonly (readonly [change: Readonly<Record<string, unknown>>, says: string])[] = [
  [
    { authUrl: undefined },
    'authUrl: expected this key (the address of the authorization server, without `/oauth/...`), got nothing; for example "https://auth.staging.example"',
  ],
  [
    { owner: { login: 'x' } },
    'owner.password: expected this key (the owner\'s password), got nothing; for example {"env":"STAGING_PASSWORD"}',
  ],
  [
    { application: { ...application, redirectUris: undefined, redirectURI: 'https://client.example/' } },
    'application.redirectURI: expected one of the keys clientId, clientSecret, redirectUris, got the key "redirectURI"; did you mean "redirectUris"?',
  ],
  [
    { pacing: { requestPerSeconds: 1 } },
    'pacing.requestPerSeconds: expected one of the keys requestsPerSecond, perMinute, deadlineMs, got the key "requestPerSeconds"; did you mean "requestsPerSecond"?',
  ],
  [
    { deny: '#deny' },
    'deny: expected a known key (docs/reference/configuration.md), got the key "deny"; it belongs at `consent.deny`',
  ],
  [
    { redirectUris: ['https://client.example/'] },
    'redirectUris: expected a known key (docs/reference/configuration.md), got the key "redirectUris"; it belongs at `application.redirectUris` or `secondApplication.redirectUris`',
  ],
  [
    { interstitials: ['#a'] },
    'interstitials: expected a known key (docs/reference/configuration.md), got the key "interstitials"; it belongs at `signIn.interstitials`',
  ],
  [
    { bugdet: {} },
    'expected a known key (docs/reference/configuration.md), got the key "bugdet"; did you mean "budget"?',
  ],
  [
    { shoeSize: 43 },
    'shoeSize: expected a known key (docs/reference/configuration.md), got the key "shoeSize"',
  ],
  [
    { owner: { ...owner, projects: ['1'] } },
    'owner.projects: expected one of the keys login, password, totpSecret, got the key "projects"; it belongs at `projects`',
  ],
  [
    { lock: { project: '4711', user: '1009', waitSecond: 60 } },
    'lock.waitSecond: expected one of the keys project, user, waitSeconds, got the key "waitSecond"; did you mean "waitSeconds"?',
  ],
  [
    { owner: { ...owner, shoeSize: 43 } },
    'owner.shoeSize: expected one of the keys login, password, totpSecret, got the key "shoeSize"',
  ],
  [
    { application: { ...application, clientSecret: SECRET } },
    'application.clientSecret: expected an object that names an environment variable, got a text; this file must not hold a secret: put the value into an environment variable, and write its name here; for example {"env":"STAGING_CLIENT_SECRET"}',
  ],
  [
    { owner: { ...owner, password: SECRET } },
    'owner.password: expected an object that names an environment variable, got a text',
  ],
  [
    { owner: { ...owner, totpSecret: SECRET } },
    'owner.totpSecret: expected an object that names an environment variable, got a text',
  ],
  [
    { owner: { ...owner, password: { env: SECRET } } },
    'owner.password.env: expected the name of an environment variable, got another text',
  ],
  [
    { signIn: { form: '#a', steps: [{ fill: '#a', with: SECRET }] } },
    "signIn.steps[0].with: expected the owner's `login` or `password`, a one-time code (`totp`), or a text that is no secret, got another text",
  ],
  [
    { owner: { login: { env: 'STAGING_LOGIN' }, password: { env: 'PASSWORD' } } },
    'owner.login: expected the environment variable STAGING_LOGIN to hold the value, got no such variable; set STAGING_LOGIN, in the environment or in `.env` beside the configuration',
  ],
  [
    { owner: { ...owner, password: { env: 'NOTHING' } } },
    'owner.password: expected the environment variable NOTHING to hold the value, got an empty one',
  ],
  [
    { authUrl: 'auth.staging.example' },
    'authUrl: expected the address of the authorization server, without `/oauth/...`, got "auth.staging.example", which has no scheme; write `https://` or `http://` before it; for example "https://auth.staging.example"',
  ],
  [
    // Nothing that may be a secret is shown.
    { authUrl: 'eyJhbGciOi.eyJzdWIiOi.SflKxwRJSM' },
    'authUrl: expected the address of the authorization server, without `/oauth/...`, got another text; for example',
  ],
  [
    { authUrl: 'https://auth.staging.example/oauth/authorize' },
    'authUrl: expected the address before `/oauth/authorize`, because the suite adds that (clause 4.1), got one that ends in `/oauth/authorize`; remove that from its end',
  ],
  [
    { baseUrl: 'https://api.staging.example:99999' },
    'baseUrl: expected a valid address, got one with an impossible host or port',
  ],
  [
    { baseUrl: 'https://api.staging.example/v2/' },
    'baseUrl: expected the address without `/v2`, because the suite adds it (clause 9), got one that ends in `/v2`; remove `/v2` from its end',
  ],
  [
    { application: { ...application, redirectUris: [] } },
    'application.redirectUris: expected the authorized redirect addresses (at least 1 entry), got an empty list',
  ],
  [
    { application: { ...application, redirectUris: ['/callback'] } },
    'application.redirectUris[0]: expected an absolute address without a fragment, got another text; for example "https://client.example/callback"',
  ],
  [
    { lock: undefined },
    "lock: expected this key (a user of the suite's own who is assigned for as long as a run lasts, so that runs do not overlap), got nothing",
  ],
  [
    { lock: { project: '4711', user: '1001' } },
    'lock.user: expected a user whom nothing but the lock assigns, got a user of `users`; name another user of the suite',
  ],
  [
    { users: ['1001', '1001'] },
    "users: expected ids of the suite's own users, each once, got 1001 twice; remove one of them",
  ],
  [
    { projects: [4711] },
    'projects[0]: expected an id as it appears in paths (string), got a number; for example "4711"',
  ],
  [
    { signIn: { form: '#a', steps: [{ klick: '#a' }] } },
    'signIn.steps[0]: expected one step of signing in: `fill` a field `with` a value, `click` an element, or `wait` until an element appears, got an object with klick; for example {"fill":"input[name=login]","with":"login"}',
  ],
  [
    { signIn: { form: '#a', steps: [{ click: '#a', fill: '#b' }] } },
    'appears, got an object with click, fill; for example {"fill":"input[name=login]","with":"login"}',
  ],
  [
    { consent: { grant: { buton: 'Allow' }, shown: 'once' } },
    'consent.grant: expected the element that grants when it is clicked, got an object with buton; for example {"button":"Authorize"}',
  ],
  [
    { consent: { shown: 'once' } },
    'consent.grant: expected the element that grants, unless `consent.shown` is "never", got nothing; for example {"grant":{"button":"Authorize"},"shown":"once"}',
  ],
  [
    { consent: { grant: '#a', shown: 'sometimes' } },
    'consent.shown: expected the frequency of the page (one of "always", "once", "never"), got "sometimes"; for example "once"',
  ],
  [
    { signIn: { form: '#a', steps: [{ fill: '#a', with: 'totp' }] } },
    'owner.totpSecret: expected a secret, because signIn.steps[0] fills a one-time code, got nothing; for example {"env":"STAGING_TOTP_SECRET"}',
  ],
  [
    { owner: { ...owner, totpSecret: { env: 'CLIENT_SECRET' } } },
    'owner.totpSecret: expected base32: letters A to Z and digits 2 to 7, got another text',
  ],
  [
    { secondApplication: application },
    'secondApplication.clientId: expected the id of another application than `application`, got the same one; if you have only one application, leave `secondApplication` out',
  ],
  [
    { abilities: ['create-application'] },
    'accountArea: expected the form for a new application, because `abilities` has create-application, got nothing',
  ],
  [
    { consent: { grant: '#a', shown: 'allways' } },
    'consent.shown: expected the frequency of the page (one of "always", "once", "never"), got "allways"; did you mean "always"?; for example "once"',
  ],
  [
    { application: { ...application, clientSecret: { env: 'SHORT' } } },
    'application.clientSecret: expected at least 8 characters and no word of the reports (the suite cannot redact other secrets reliably), got 5 characters',
  ],
  ...['WORD', 'STATED', 'PART'].map(
    (variable) =>
      [
        { owner: { ...owner, password: { env: variable } } },
        'owner.password: expected at least 8 characters and no word of the reports (the suite cannot redact other secrets reliably), got a word of the reports',
      ] as const,
  ),
  [
    { owner: { ...owner, login: { env: 'SHORT' } } },
    'owner.login: expected at least 8 characters and no word of the reports (the suite cannot redact other secrets reliably), got 5 characters; if it is no secret, write it into the configuration itself',
  ],
  [
    { clock: { advanceUrl: 'http://127.0.0.1:1/', token: { env: 'SHORT' } } },
    'clock.token: expected at least 8 characters',
  ],
  [
    { proxy: { env: 'PROXY' } },
    'proxy: expected at least 8 characters and no word of the reports (the suite cannot redact other secrets reliably), got 5 characters',
  ],
  [
    { owner: { ...owner, password: { env: 'constructor' } } },
    'owner.password: expected the environment variable constructor to hold the value, got no such variable',
  ],
  [
    { abilities: ['second-project'] },
    'abilities[0]: expected a permission (one of "destructive-ids", "create-application"), got "second-project"',
  ],
  [
    { requireAbilities: ['klock'] },
    'requireAbilities[0]: expected an ability that checks may need (one of "clock",',
  ],
  [
    { token: { presentation: { cookie: 'token' } } },
    'token.presentation: expected the place of the access token in requests to the resource API (open in the document); without it the suite tries the usual places, got an object with cookie; for example {"header":"Bearer"}',
  ],
  [
    { list: { userId: '/data/id' } },
    'list.userId: expected a JSON pointer to a listed user\'s id, with `*` for the position (open in the document), got another text; for example "/data/*/id"',
  ],
  [
    { requests: { assign: { headers: { Authorization: SECRET } } } },
    'requests.assign.headers.Authorization: expected headers that carry no secret, got the header Authorization; set `token.presentation` to say how the suite sends the access token',
  ],
  [
    { pacing: { requestsPerSecond: 0 } },
    'pacing.requestsPerSecond: expected requests a second on average (must be > 0), got 0; for example 5',
  ],
  [
    { pacing: { perMinute: { GET: 0 } } },
    'pacing.perMinute.GET: expected the most GET requests in any minute (must be >= 1), got 0; for example 240',
  ],
  [
    { tls: { caFile: 'missing.pem' } },
    'tls.caFile: expected a file, relative to the configuration, got a path without a readable file',
  ],
  [
    { authUrl: `https://staging:${SECRET}@auth.staging.example` },
    'authUrl: expected the address of the authorization server, without `/oauth/...`, got one with a user in it; take the user and password out: for a gateway that asks for HTTP Basic, `edge.basic` sends them',
  ],
  ...(['Cookie', 'Host', 'Content-Type', 'Proxy-Authorization', 'authorization'] as const).map(
    (name) =>
      [
        { requests: { headers: { [name]: SECRET } } },
        `requests.headers.${name}: expected a header of the gateway, got the header ${name}; `,
      ] as const,
  ),
  [
    { requests: { headers: { 'X-Gateway-Key': 'schlüssel' } } },
    'requests.headers.X-Gateway-Key: expected a value of printable ASCII characters, without spaces around it, got another text',
  ],
  [
    { edge: { basic: { user: 'staging', password: { env: 'PASSWORD' } } } },
    'edge.basic: expected HTTP Basic that the resource API does not ask for, got Basic at both addresses, although `Authorization` carries the access token at the resource API; if only pages and the token endpoint ask for it, add `"at": "authUrl"`; if the API does, have the gateway accept a header of its own, such as X-Gateway-Key, and name it in `requests.headers`',
  ],
  [
    { edge: { basic: { user: 'staging', password: SECRET, at: 'authUrl' } } },
    'edge.basic.password: expected an object that names an environment variable, got a text',
  ],
  [
    { proxy: 'socks5://proxy.example' },
    'proxy: expected the http:// address of an HTTP proxy, got another text; for example "http://proxy.example:3128"',
  ],
  [
    { proxy: `http://user:${SECRET}@proxy.example:3128` },
    'proxy: expected an address without a password, or an object that names an environment variable, got one with a password; this file must not hold a secret',
  ],
];

test.describe('one problem is told of', () => {
  for (const [change, says] of PROBLEMS) {
    test(`${JSON.stringify(change)}: ${says}`, async () => {
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

test('a service that never asks has no button that grants', async () => {
  const file = join(directory, 'never.json');
  writeFileSync(file, JSON.stringify({ ...VALID, consent: { shown: 'never' } }));
  expect((await loadConfiguration(file, ENV)).consent).toEqual({ shown: 'never' });
});

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
