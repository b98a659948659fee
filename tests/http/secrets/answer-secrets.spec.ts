import { expect, test } from '@playwright/test';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import { answerViewFor } from '../../../src/evaluation/run/answer-view.ts';
import { memberText, secretsIn } from '../../../src/http/answer-secrets.ts';
import type { Exchange, Header } from '../../../src/http/exchange.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { toEvidence } from '../../../src/http/to-evidence.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { ServiceClient } from '../../../src/service/flow/service-client.ts';
import type { Target } from '../../../src/service/target.ts';
import { READABLE, SHAPES, UNREADABLE } from '../../support/canary/token-shapes.ts';
import { emulatorAsLiveTarget } from '../../support/emulator-as-live.ts';

/** The values of an answer that is secret unless known to be harmless, and what evidence shows of it. */

const TOKENS = {
  access_token: 'Q7bC1h2yZk3mN4pR5sT6uV7wX8yZ9aBc',
  refresh_token: 'zY9xW8vU7tS6rQ5pN4mL3kJ2hG1fD0cB',
  token_type: 'bearer',
  expires_in: 7200,
};

const CONFIGURED = [
  'https://auth.example:8443',
  'https://client.example/callback',
  '0f8fad5b-d9cb-469f-a165-70867728950e',
];

function found(body: string, headers: readonly Header[] = []): readonly string[] {
  return [...secretsIn({ status: 200, body, headers, bytes: 1 }, CONFIGURED)];
}

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`finds the tokens in the shape ${name}`, () => {
    const { body, headers = {} } = shape(TOKENS);
    const text = body.toString();
    const secrets = new SecretRegistry();
    for (const value of found(text, Object.entries(headers))) secrets.register('secret', value);
    const wholly = name in READABLE || !/html|header|media|token/.test(name);
    const wanted = wholly ? ['access_token', 'refresh_token'] : ['access_token'];
    for (const token of wanted) {
      const value = TOKENS[token as keyof typeof TOKENS];
      expect(secrets.find(`x ${value} y`), token).not.toEqual([]);
    }
    expect(name in UNREADABLE || name in READABLE).toBe(true);
  });
}

const HARMLESS = [
  'https://auth.example:8443/oauth/authorize',
  'https://auth.example:8443/v2',
  'https://auth.example:8443/api/v2/x',
  'redirect_uri=https%3A%2F%2Fclient.example%2Fcallback',
  '0f8fad5b-d9cb-469f-a165-70867728950e',
  '2026-01-31T07:28:00.000Z',
  'Wed, 21 Oct 2015 07:28:00 GMT',
  'read write destroy openid offline-access',
  'application/json; charset=utf-8',
  'internationalization',
  'includeSubDomains',
  'urn:ietf:params:oauth:grant-type:device',
];

for (const value of HARMLESS) {
  test(`registers no ${value}`, () => {
    expect(found(JSON.stringify({ value }), [['X-Anything', value]])).toEqual([]);
  });
}

test('well-known headers hold nothing that is registered', () => {
  const headers: readonly Header[] = [
    ['Strict-Transport-Security', 'max-age=63072000; includeSubDomains; preload'],
    ['Server', 'nginx/1.25.3 (Ubuntu 22.04.1 build 9f8e7d6c5b4a)'],
    ['Content-Security-Policy', "script-src 'sha256-B2yPHKaXnvFWtRChIbabYmUBFZdVfKKXHbWtWidDVF8='"],
    ['X-Request-Id', '0f8fad5b-d9cb-469f-a165-000000000000'],
  ];
  expect(found('{}', headers)).toEqual([]);
});

function evidenceOf(
  body: string,
  headers: readonly Header[],
  url: string,
  secrets: SecretRegistry,
  target?: Target,
) {
  const exchange: Exchange = {
    purpose: 'look',
    request: { method: 'POST', url, headers: [] },
    response: { status: 200, headers, body, bytes: body.length },
    startedAt: 0,
    durationMs: 1,
  };
  const [entry] = toEvidence([{ kind: 'exchange', exchange }], secrets, target && answerViewFor(target));
  return entry?.kind === 'exchange' ? entry.response : undefined;
}

const TOKEN_ENDPOINT = 'https://auth.example:8443/oauth/token';

test('evidence shows a token response as structure, with the ordinals of the documented tokens', () => {
  const secrets = new SecretRegistry();
  secrets.register('access_token', TOKENS.access_token);
  secrets.register('refresh_token', TOKENS.refresh_token);
  const more = {
    scope: 'read write',
    created_at: 1767225600,
    user: { email: 'a@b.c', ids: [1, null, true] },
  };
  const headers: readonly Header[] = [
    ['Content-Type', 'application/json'],
    ['X-Token', 'abc'],
  ];
  const shown = evidenceOf(JSON.stringify({ ...TOKENS, ...more }), headers, TOKEN_ENDPOINT, secrets);
  expect(JSON.parse(shown?.body ?? '')).toEqual({
    access_token: '<access_token#1>',
    refresh_token: '<refresh_token#1>',
    token_type: 'bearer',
    expires_in: 7200,
    scope: 'read write',
    created_at: 1767225600,
    user: { email: '<a string of 5 characters>', ids: ['<a number>', null, '<a boolean>'] },
  });
  expect(shown?.headers).toEqual([
    ['Content-Type', 'application/json'],
    ['X-Token', '<3 characters>'],
  ]);
  const form = `access_token=${TOKENS.access_token}&refresh_token=${TOKENS.refresh_token}`;
  expect(evidenceOf(form, [], TOKEN_ENDPOINT, secrets)?.body).toBe(
    `<${form.length} bytes that are no JSON> <access_token#1> <refresh_token#1>`,
  );
});

test('headers of a live resource API: harmless values alone, and of a challenge its scheme and code', () => {
  const target = {
    isLive: true,
    baseUrl: 'https://api.example',
    projects: ['1'],
    users: ['7'],
  } as unknown as Target;
  const headers: readonly Header[] = [
    ['Content-Type', 'application/json'],
    ['X-Remote-User', 'jane.roe@corp.example'],
    ['WWW-Authenticate', 'Bearer realm="Jane Roe", error="invalid_token"'],
    ['Set-Cookie', 'session=1'],
  ];
  const shown = evidenceOf(
    '[]',
    headers,
    'https://api.example/v2/projects/1/assigned_users',
    new SecretRegistry(),
    target,
  );
  expect(shown?.headers).toEqual([
    ['Content-Type', 'application/json'],
    ['X-Remote-User', '<21 characters>'],
    ['WWW-Authenticate', 'Bearer realm="…", error="invalid_token"'],
    ['Set-Cookie', '<hidden>'],
  ]);
});

test('the page that shows a new secret is masked, although no selector finds the secret', async () => {
  const profile = await loadProfile('by-the-rfc');
  const target = await emulatorAsLiveTarget(profile, []);
  try {
    const secrets = new SecretRegistry();
    const serviceClient = new ServiceClient(connectWithoutBrowser(target, secrets));
    const { accountArea: area } = target.pages;
    if (area === undefined) throw new Error('no account area');
    const visit = { decision: 'grant', signedIn: true, through: 'page' } as const;
    await serviceClient.authorize(serviceClient.authorization(), visit);
    const wanted = { name: 'another', redirectUri: 'https://client.example.test/callback' };
    const shown = await serviceClient.createApplication({ ...area, clientSecret: '#nowhere' }, wanted);
    expect(shown.clientSecret).toBeUndefined();
    const { entries } = serviceClient.recorder;
    const [, secret = ''] =
      /id="client-secret"[^>]*>([^<]+)</.exec(JSON.stringify(entries).replaceAll('\\', '')) ?? [];
    expect(secret.length).toBeGreaterThan(15);
    const written = JSON.stringify(toEvidence(entries, secrets));
    expect(written).not.toContain(secret);
    expect(written).toContain('<secret#');
    expect(secrets.find(`${shown.clientId}`)).toEqual([]);
  } finally {
    await target.close();
  }
});

test('a member is worded by its value only where that is known to be harmless', () => {
  const words = [
    ['token_type', 'Bearer', '"Bearer"'],
    ['token_type', 'xyz', 'a string of 3 characters'],
    ['expires_in', 3600, '3600'],
    ['expires_in', { a: 'b' }, 'a object'],
    ['scope', 'read write', '"read write"'],
    ['scope', 'jane@corp', 'a string of 9 characters'],
    ['id_token', 'x', 'a string of 1 characters'],
    ['anything', null, 'null'],
    ['constructor', 'x', 'a string of 1 characters'],
    ['__proto__', {}, 'a object'],
  ] as const;
  expect(words.map(([name, value]) => memberText(name, value))).toEqual(words.map(([, , text]) => text));
});
