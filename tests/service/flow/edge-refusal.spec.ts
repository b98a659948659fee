/** Which answers are a gateway's and which the service's own, by answers that gateways and services are known to give. */
import { expect, test } from '@playwright/test';
import type { Header, WireResponse } from '../../../src/http/exchange.ts';
import { edgeRefusal } from '../../../src/service/flow/edge-refusal.ts';
import type { Target } from '../../../src/service/target.ts';

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
const page = (status: number, text: string, ...headers: readonly Header[]) =>
  answer(status, text, HTML, ...headers);
const json = (status: number, text: string, ...headers: readonly Header[]) =>
  answer(status, text, JSON_TYPE, ...headers);
const redirect = (to: string) => answer(302, '', ['Location', to]);
const NEGOTIATE: Header = ['WWW-Authenticate', 'Negotiate, Basic realm="x"'];
const BEARER: Header = ['WWW-Authenticate', 'Bearer'];
const NOT_FOUND = answer(404, 'not found');
const FORBIDDEN = '{"message":"Forbidden"}';

/** Answers of gateways with the key that passes each; the last one is to a path that the service does not have. */
const OF_GATEWAYS: readonly (readonly [string, key: string, url: string, WireResponse, WireResponse?])[] = [
  ['nginx without a certificate', 'tls.client', PAGE, page(400, 'No required SSL certificate was sent')],
  ['nginx with another certificate', 'tls.client', CALL, page(400, 'The SSL certificate error')],
  ['nginx auth_basic', 'edge.basic', PAGE, page(401, '<h1>401 Authorization Required</h1>', BASIC)],
  ['Kong basic-auth', 'edge.basic', PAGE, json(401, '{"message":"Unauthorized"}', BASIC)],
  ['two challenges, Basic second', 'edge.basic', PAGE, answer(401, '', NEGOTIATE)],
  ['Cloudflare Access', 'requests.headers', PAGE, redirect('https://acme.cloudflareaccess.com/login')],
  [
    'a 403 with the id of the request',
    'requests.headers',
    PAGE,
    page(403, 'Id 7f3a9'),
    page(403, 'Id 1b2c4'),
  ],
  ['an API gateway before pages', 'requests.headers', PAGE, json(403, FORBIDDEN), json(403, FORBIDDEN)],
  ['a portal at the API', 'baseUrl', CALL, page(200, '<title>Company portal</title>')],
  ['a page of 403 at the API', 'requests.headers', CALL, page(403, 'Forbidden'), page(403, 'Forbidden')],
];

for (const [title, key, url, response, elsewhere = NOT_FOUND] of OF_GATEWAYS)
  test(`${title}: ${key}`, async () => {
    const refusal = await edgeRefusal({ ...target, transport: async () => elsewhere }, url, response);
    expect(refusal?.remedy).toContain(`\`${key}\``);
  });

const NO_TOKEN = '{"message":"no token"}';

const OF_THE_SERVICE: readonly (readonly [string, url: string, WireResponse, WireResponse?])[] = [
  ['refuses the client by Basic', TOKEN, json(401, '{"error":"invalid_client"}', BASIC)],
  ['does not know the client', PAGE, page(401, '<p>invalid_client</p>')],
  ['forbids the owner', PAGE, page(403, '<p>Forbidden</p>'), page(404, '<p>Not found</p>')],
  ['wants a token', CALL, json(401, '{"error":"unauthorized"}', BEARER)],
  ['refuses everything without a token', CALL, json(401, NO_TOKEN), json(401, NO_TOKEN)],
  ['redirects to the client', PAGE, redirect('https://client.example/callback?error=x')],
  ['redirects to a sign-in on a known origin', PAGE, redirect('https://login.staging.example/login')],
  ['redirects to a sign-in page of the same origin', PAGE, redirect('/login')],
  ['shows a page', PAGE, page(200, '<form>')],
];

for (const [title, url, response, elsewhere = NOT_FOUND] of OF_THE_SERVICE)
  test(`the service itself ${title}`, async () => {
    expect(await edgeRefusal({ ...target, transport: async () => elsewhere }, url, response)).toBeUndefined();
  });

test('a saved session knows its way through another origin', async () => {
  const known = { ...target, pages: { ...target.pages, savedSession: true } };
  const response = redirect('https://sso.example/login');
  expect(await edgeRefusal({ ...known, transport: async () => NOT_FOUND }, PAGE, response)).toBeUndefined();
});
