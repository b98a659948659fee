/** Which answers are a gateway's and which the service's own, by answers that gateways and services are known to give. */
import { expect, test } from '@playwright/test';
import type { Header, WireResponse } from '../../src/exchange/exchange.ts';
import { edgeRefusal } from '../../src/flow/edge-refusal.ts';
import type { Target } from '../../src/targets/target.ts';

const AUTH = 'https://auth.staging.example';
const API = 'https://api.staging.example';
const PAGE = `${AUTH}/oauth/authorize?response_type=code`;
const TOKEN = `${AUTH}/oauth/token`;
const CALL = `${API}/v2/projects/1/assigned_users`;

const target = {
  authUrl: AUTH,
  baseUrl: API,
  application: { clientId: 'a', clientSecret: 'b', redirectUris: ['https://client.example/callback'] },
  pages: { signInOrigins: ['https://login.staging.example'] },
} as unknown as Target;

function answer(status: number, body = '', ...headers: readonly Header[]): WireResponse {
  return { status, headers, body, bytes: body.length };
}

const HTML: Header = ['Content-Type', 'text/html; charset=utf-8'];
const JSON_TYPE: Header = ['Content-Type', 'application/json'];
const BASIC: Header = ['WWW-Authenticate', 'Basic realm="staging"'];
const location = (to: string): Header => ['Location', to];
const NOT_FOUND = answer(404, 'not found');

const CASES: readonly (readonly [
  title: string,
  url: string,
  response: WireResponse,
  elsewhere: WireResponse,
  key: string | undefined,
])[] = [
  [
    'nginx without a certificate',
    PAGE,
    answer(400, '<center>No required SSL certificate was sent</center>', HTML),
    NOT_FOUND,
    'tls.client',
  ],
  [
    'nginx with another certificate',
    CALL,
    answer(400, '<center>The SSL certificate error</center>', HTML),
    NOT_FOUND,
    'tls.client',
  ],
  [
    'nginx auth_basic',
    PAGE,
    answer(401, '<h1>401 Authorization Required</h1>', HTML, BASIC),
    NOT_FOUND,
    'edge.basic',
  ],
  [
    'Kong basic-auth',
    PAGE,
    answer(401, '{"message":"Unauthorized"}', JSON_TYPE, BASIC),
    NOT_FOUND,
    'edge.basic',
  ],
  [
    'two challenges, Basic second',
    PAGE,
    answer(401, '', ['WWW-Authenticate', 'Negotiate, Basic realm="x"']),
    NOT_FOUND,
    'edge.basic',
  ],
  [
    'Cloudflare Access',
    PAGE,
    answer(302, '', location('https://acme.cloudflareaccess.com/cdn-cgi/access/login')),
    NOT_FOUND,
    'requests.headers',
  ],
  [
    'a 403 with the id of the request',
    PAGE,
    answer(403, '<p>Request 7f3a9</p>', HTML),
    answer(403, '<p>Request 1b2c4</p>', HTML),
    'requests.headers',
  ],
  [
    'an API gateway before pages',
    PAGE,
    answer(403, '{"message":"Forbidden"}', JSON_TYPE),
    answer(403, '{"message":"Forbidden"}', JSON_TYPE),
    'requests.headers',
  ],
  [
    'a page of 403 at the API',
    CALL,
    answer(403, '<h1>Forbidden</h1>', HTML),
    answer(403, '<h1>Forbidden</h1>', HTML),
    'requests.headers',
  ],
  [
    'the service refuses the client by Basic',
    TOKEN,
    answer(401, '{"error":"invalid_client"}', JSON_TYPE, BASIC),
    NOT_FOUND,
    undefined,
  ],
  [
    'the service does not know the client',
    PAGE,
    answer(401, '<p>invalid_client</p>', HTML),
    NOT_FOUND,
    undefined,
  ],
  [
    'the service forbids the owner',
    PAGE,
    answer(403, '<p>Forbidden</p>', HTML),
    answer(404, '<p>Not found</p>', HTML),
    undefined,
  ],
  [
    'the service wants a token',
    CALL,
    answer(401, '{"error":"unauthorized"}', JSON_TYPE, ['WWW-Authenticate', 'Bearer']),
    NOT_FOUND,
    undefined,
  ],
  [
    'an API that refuses everything without a token',
    CALL,
    answer(401, '{"message":"no token"}', JSON_TYPE),
    answer(401, '{"message":"no token"}', JSON_TYPE),
    undefined,
  ],
  [
    'a redirect to the client',
    PAGE,
    answer(302, '', location('https://client.example/callback?error=x')),
    NOT_FOUND,
    undefined,
  ],
  [
    'a sign-in on a known origin',
    PAGE,
    answer(302, '', location('https://login.staging.example/login')),
    NOT_FOUND,
    undefined,
  ],
  ['a sign-in page of the same origin', PAGE, answer(302, '', location('/login')), NOT_FOUND, undefined],
  ['a page', PAGE, answer(200, '<form>', HTML), NOT_FOUND, undefined],
];

for (const [title, url, response, elsewhere, key] of CASES)
  test(`${title}: ${key ?? 'the service itself'}`, async () => {
    const refusal = await edgeRefusal(target, url, response, async () => elsewhere);
    if (key === undefined) expect(refusal).toBeUndefined();
    else expect(refusal?.remedy).toContain(`\`${key}\``);
  });

test('a saved session knows its way through another origin', async () => {
  const known = { ...target, pages: { ...target.pages, savedSession: true } };
  const response = answer(302, '', location('https://sso.example/login'));
  expect(await edgeRefusal(known, PAGE, response, async () => NOT_FOUND)).toBeUndefined();
});
