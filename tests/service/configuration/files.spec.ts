/** In which files the configuration of a live target may stand, and what it comes to. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { validateKnownDeviations } from '../../../generated/validators.js';
import { findPacts } from '../../../src/contracts/pact/read-pact.ts';
import { loadLocatedYaml } from '../../../src/document/load-yaml.ts';
import { ConfigurationError } from '../../../src/service/configuration/configuration-error.ts';
import { loadConfiguration } from '../../../src/service/configuration/load-configuration.ts';
import { withEnvFile } from '../../../src/service/configuration/resolve-references.ts';

const CONTENT = `{
  "name": "staging",
  "authUrl": "https://auth.staging.example/",
  "baseUrl": "https://api.staging.example/tenant/",
  "application": {
    "clientId": { "env": "CLIENT_ID" },
    "clientSecret": { "env": "CLIENT_SECRET" },
    "redirectUris": ["https://client.example/callback"]
  },
  "owner": { "login": "owner", "password": { "env": "PASSWORD" } },
  "projects": ["4711"],
  "users": ["1001"],
  "lock": false,
  "signIn": { "form": "#login", "steps": [{ "fill": "#login", "with": "login" }] },
  "consent": { "grant": "#grant", "shown": "once" },
  "requests": { "assign": { "body": { "env": "not a variable" } } }
}`;

const ENV = { CLIENT_ID: 'a1', CLIENT_SECRET: 's3cret-of-staging', PASSWORD: 'pass-of-staging' };

let directory: string;
test.beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'configuration-files-'));
});
test.afterAll(() => rmSync(directory, { recursive: true, force: true }));

function written(name: string, content: string): string {
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
}

for (const [name, content] of [
  ['conformance.config.json', CONTENT],
  ['conformance.config.mjs', `export default ${CONTENT};`],
  ['conformance.config.js', `export default ${CONTENT};`],
  [
    'conformance.config.ts',
    `interface Any { readonly name: string }\nconst it: Any = ${CONTENT};\nexport default it;`,
  ],
] as const) {
  test(`${name} is read, secrets are put in place and defaults filled in`, async () => {
    const configuration = await loadConfiguration(written(name, content), ENV);
    expect(configuration).toMatchObject({
      name: 'staging',
      authUrl: 'https://auth.staging.example',
      baseUrl: 'https://api.staging.example/tenant',
      application: { clientId: 'a1', clientSecret: 's3cret-of-staging' },
      owner: { login: 'owner', password: 'pass-of-staging' },
      requests: { assign: { body: { env: 'not a variable' } } },
      abilities: [],
      skewSeconds: 5,
      pacing: { requestsPerSecond: 5, deadlineMs: 10_000 },
      budget: { requests: 4_200, signIns: 6, refusedAuthentications: 100, seconds: 3_600 },
    });
  });
}

for (const [hosts, auth, api, expected] of [
  ['of loopback', 'http://127.0.0.1:8080', 'http://localhost:8081', 1_000],
  ['of loopback in IPv6', 'http://[::1]:8080', 'https://api.localhost', 1_000],
  ['elsewhere in part', 'http://127.0.0.1:8080', 'https://api.staging.example', 5],
  ['that only look so', 'http://127.0.0.1.example', 'http://localhost.example', 5],
] as const) {
  test(`a target with addresses ${hosts} is paced at ${expected} a second, and as asked where that is asked`, async () => {
    const content = { ...JSON.parse(CONTENT), authUrl: auth, baseUrl: api };
    const file = written(`${hosts}.json`, JSON.stringify(content));
    expect((await loadConfiguration(file, ENV)).pacing.requestsPerSecond).toBe(expected);
    const asked = { ...content, pacing: { requestsPerSecond: 3 } };
    written(`${hosts}.json`, JSON.stringify(asked));
    expect((await loadConfiguration(file, ENV)).pacing.requestsPerSecond).toBe(3);
  });
}

for (const [title, name, content, says] of [
  ['is not there', 'missing.json', undefined, 'expected a configuration file, got no such file; looked at '],
  [
    'has an unknown ending',
    'staging.toml',
    'a = 1',
    'expected a file that ends in .json, .js, .mjs, .ts, .mts, got .toml',
  ],
  ['is not JSON', 'broken.json', '{"password": hunter2}', 'expected JSON, got text that is no JSON'],
  [
    'cannot be loaded',
    'throws.mjs',
    '\n throw new Error("hunter2");',
    'got one that cannot be loaded: Error at line ',
  ],
  [
    'exports nothing by default',
    'named.mjs',
    'export const name = 1;',
    'expected a module with a configuration, got one without a default export; expected `export default {',
  ],
] as const) {
  test(`a file that ${title} is refused, and its content is not quoted`, async () => {
    const file = content === undefined ? join(directory, name) : written(name, content);
    const error = await loadConfiguration(file, ENV).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toContain(says);
    expect((error as Error).message).not.toContain('hunter2');
  });
}

for (const [what, content, place] of [
  ['a comment', '{\n  "name": "a",\n  // why\n  "lock": false }', 'line 3 column 3'],
  ['a comment at its end', '{ "name": "a" } // hunter2', 'line 1 column 17'],
  ['quotes of a word processor', '{\n  \u201cname\u201d: "hunter2" }', 'line 2 column 3): U+201C'],
  ['such a quote around a value', '{ "name": \u201chunter2\u201d }', 'line 1 column 11'],
  ['a space that does not break', '{\r\n\u00a0 "name": "hunter2" }', 'line 2 column 1): U+00A0'],
  ['a comma at its end', '{ "name": "hunter2", }', 'line 1 column 22'],
  ['a word without quotes', '{ "a": tru, "b": 1 }', 'line 1 column 11'],
  ['a number that is none', '{ "a": -x }', 'line 1 column 9'],
  ['an escape that is none', '{ "a": "\\x" }', 'line 1 column 10'],
  ['no end', '{ "name": "hunter2"', 'line 1 column 20'],
] as const)
  test(`JSON with ${what} is refused with its line and column`, async () => {
    for (const mark of ['', '\ufeff']) {
      const error = await loadConfiguration(written('bad.json', mark + content), ENV).catch(String);
      expect(error).toContain(`got text that is no JSON (${place}`);
      expect(error).not.toContain('hunter2');
    }
  });

test('a key twice is refused with its line and column, at each level', async () => {
  for (const [content, says] of [
    [
      '{\n "name": "hunter2",\n "name": "b" }',
      'expected JSON, got "name" twice in one object (line 3 column 2)',
    ],
    ['{ "consent": { "deny": "a",\n\t"deny": "b" } }', 'got "deny" twice in one object (line 2 column 2)'],
    ['{ "users": [{ "a b": 1, "a b": 2 }] }', 'got a key twice in one object (line 1 column 25)'],
  ] as const) {
    const error = await loadConfiguration(written('twice.json', content), ENV).catch(String);
    expect(error).toContain(says);
    expect(error).not.toContain('hunter2');
  }
  const alike = CONTENT.replace('"lock": false', '"lock": false, "pacing": { "deadlineMs": 1000 }');
  expect((await loadConfiguration(written('alike.json', alike), ENV)).pacing.deadlineMs).toBe(1_000);
});

test('a promise that a module exports is awaited; one that fails is named', async () => {
  const file = written('promise.mjs', `export default Promise.resolve(${CONTENT});`);
  expect((await loadConfiguration(file, ENV)).name).toBe('staging');
  const failing = written('rejects.mjs', '\nexport default Promise.reject(new RangeError("hunter2"));');
  const error = await loadConfiguration(failing, ENV).catch(String);
  expect(error).toContain('got one that cannot be loaded: RangeError at line 2');
  expect(error).not.toContain('hunter2');
});

test('the name of a module that is missing is in the message', async () => {
  for (const [content, missing] of [
    ["import 'no-such-package-at-all';", 'no-such-package-at-all'],
    ["import './no-such-file.mjs';", join(directory, 'no-such-file.mjs')],
    [
      "import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('no-such-one');",
      'no-such-one',
    ],
  ] as const) {
    const file = written(`imports-${missing.length}.mjs`, `${content}\nexport default {};`);
    const error = await loadConfiguration(file, ENV).catch(String);
    expect(error).toContain(
      `got one that imports ${missing}, which cannot be found: install it, or correct its name`,
    );
  }
});

test('an env file adds variables and overrides none', () => {
  const file = written(
    'staging.env',
    '\ufeffFIRST=after a byte order mark\n# secrets\nCLIENT_SECRET="from file"\nPASSWORD=from-file\n',
  );
  const env = { PASSWORD: 'from environment', CLIENT_SECRET: undefined };
  expect(withEnvFile(file, env)).toEqual({
    FIRST: 'after a byte order mark',
    PASSWORD: 'from environment',
    CLIENT_SECRET: 'from file',
  });
  expect(env).toEqual({ PASSWORD: 'from environment', CLIENT_SECRET: undefined });
});

const READERS: Readonly<Record<string, (file: string) => unknown>> = {
  '.env': (file) => withEnvFile(file, {}),
  'conformance.config.json': (file) => loadConfiguration(file, ENV),
  'known-deviations.yaml': (file) => loadLocatedYaml(file, validateKnownDeviations),
  'pact.json': (file) => findPacts([file]),
};

for (const [name, read] of Object.entries(READERS))
  test(`${name} in another encoding is refused by its name and the encoding`, async () => {
    const text = '\ufeffPASSWORD=h\u00fcnter2\r\n';
    for (const [encoding, bytes] of [
      ['UTF-16', Buffer.from(text, 'utf16le')],
      ['UTF-16', Buffer.from(text, 'utf16le').swap16()],
      ['UTF-16', Buffer.from(text.slice(1), 'utf16le')],
      ['another encoding', Buffer.from(text.slice(1), 'latin1')],
    ] as const) {
      const file = join(directory, name);
      writeFileSync(file, bytes);
      const error = await (async () => read(file))().catch((thrown: unknown) => thrown);
      const message = (error as Error).message;
      expect(message).toContain(file);
      expect(message).toContain(`got text in ${encoding}; save it as UTF-8`);
      expect(message).not.toContain('nter2');
    }
  });

test('a line of an env file with a colon is refused, without its value', () => {
  const file = test.info().outputPath('.env');
  writeFileSync(file, 'A=1\nSTAGING_PASSWORD: very secret\n');
  expect(() => withEnvFile(file, {})).toThrow(
    /expected lines such as NAME=value, got STAGING_PASSWORD with a colon$/,
  );
});

test('a # directly behind a character cuts a value: refused by its name, without its value', () => {
  const file = test.info().outputPath('.env');
  const read = (text: string) => {
    writeFileSync(file, text);
    return withEnvFile(file, {});
  };
  for (const line of ['KEY=hunter#2', ' export KEY = hun ter#2 # more', 'KEY=hunter#', 'KEY=#hunter'])
    for (const text of [line, `A=1\n${line}\nB=2\n`, `A=1\r\n${line}\r\n`]) {
      expect(() => read(text)).toThrow(/got KEY, which ends at a # .*; quote it, as in KEY='…'/);
      expect(() => read(text)).not.toThrow(/hunter/);
    }
  const whole = `A=x # a comment#\nB="hunter#2" # more\nC='#'\nD=\n# E=x#y\nF= # none\nG="one\nKEY=x#y\ntwo"\n`;
  expect(read(whole)).toEqual({ A: 'x', B: 'hunter#2', C: '#', D: '', F: '', G: 'one\nKEY=x#y\ntwo' });
});

test('an env file that is not there is refused', () => {
  expect(() => withEnvFile(join(directory, 'missing.env'), {})).toThrow(
    'expected an env file that can be read, got no such file',
  );
});
