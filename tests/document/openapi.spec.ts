import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import {
  validateAssignedUsers,
  validateScope,
  validateTokenRequest,
  validateTokenResponse,
} from '../../generated/validators.js';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';

type Json = Readonly<Record<string, unknown>>;

/** The parts of the specification that these tests look at. */
interface Specification {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Json>>;
    readonly responses: Readonly<Record<string, Json>>;
    readonly schemas: Readonly<Record<string, Json>>;
  };
}

const specification = parse(
  readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8'),
) as Specification;

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];
const operations = Object.entries(specification.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) =>
    methods.includes(method) ? [{ path, method, operation }] : [],
  ),
);

test('the specification has the five documented operations at their addresses and no other', () => {
  const found = operations.map(({ path, method, operation }) => [
    operation.operationId,
    `${method.toUpperCase()} ${(operation.servers as { url: string }[] | undefined)?.[0]?.url ?? '{base_url}'}${path}`,
  ]);
  expect(Object.fromEntries(found)).toEqual({
    authorize: 'GET {auth_url}/oauth/authorize',
    token: 'POST {auth_url}/oauth/token',
    list: 'GET {base_url}/v2/projects/{id}/assigned_users',
    assign: 'PUT {base_url}/v2/projects/{id}/assigned_users/{user_id}',
    unassign: 'DELETE {base_url}/v2/projects/{id}/assigned_users/{user_id}',
  });
});

test('every operation, parameter, response and schema cites a clause of the catalogue', () => {
  const clauses = new Set<string>(loadCatalogue().clauses.map(({ clause }) => clause));
  const { parameters, responses, schemas } = specification.components;
  const parts = [
    ...operations.map(({ path, method, operation }) => [`${method} ${path}`, operation] as const),
    ...[parameters, responses, schemas].flatMap((group) => Object.entries(group)),
    ...operations.flatMap(({ path, method, operation }) =>
      Object.entries(operation.responses as Record<string, Json>)
        .filter(([, response]) => !('$ref' in response))
        .map(([status, response]) => [`${method} ${path} ${status}`, response] as const),
    ),
  ];
  const uncited = parts.filter(([, part]) => !clauses.has(String(part['x-clause']))).map(([name]) => name);
  expect(uncited).toEqual([]);
});

test('no operation names a status that the document does not show', () => {
  const statuses = new Set(operations.flatMap(({ operation }) => Object.keys(operation.responses as Json)));
  expect([...statuses].sort()).toEqual(['2XX', '3XX', 'default']);
});

const response = { access_token: 'a', token_type: 'bearer', expires_in: 7200, refresh_token: 'r' };

test('a token response as documented is valid, with further fields too', () => {
  expect(validateTokenResponse(response)).toBe(true);
  expect(validateTokenResponse({ ...response, scope: 'read', created_at: 1 })).toBe(true);
});

for (const [name, broken, path] of [
  ['an empty access token', { access_token: '' }, '/access_token'],
  ['an empty refresh token', { refresh_token: '' }, '/refresh_token'],
  ['a token that is a number', { refresh_token: 7 }, '/refresh_token'],
  ['another letter case of bearer', { token_type: 'Bearer' }, '/token_type'],
  ['a lifetime as text', { expires_in: '7200' }, '/expires_in'],
  ['another lifetime', { expires_in: 3600 }, '/expires_in'],
] as const) {
  test(`a token response with ${name} is not valid`, () => {
    expect(validateTokenResponse({ ...response, ...broken })).toBe(false);
    expect(new Set(validateTokenResponse.errors?.map((error) => error.instancePath))).toEqual(
      new Set([path]),
    );
  });
}

test('a token response without one of its four fields is not valid', () => {
  for (const field of Object.keys(response)) {
    expect(validateTokenResponse({ ...response, [field]: undefined }), field).toBe(false);
  }
});

test('the two token requests are told apart by grant_type', () => {
  const client = { client_id: 'id', client_secret: 'secret' };
  const exchange = {
    ...client,
    code: 'c',
    grant_type: 'authorization_code',
    redirect_uri: 'https://client.invalid/back',
  };
  const refresh = { ...client, refresh_token: 'r', grant_type: 'refresh_token' };
  expect(validateTokenRequest(exchange)).toBe(true);
  expect(validateTokenRequest(refresh)).toBe(true);
  expect(validateTokenRequest({ ...exchange, grant_type: 'refresh_token' })).toBe(false);
  expect(validateTokenRequest({ ...refresh, grant_type: 'authorization_code' })).toBe(false);
  expect(validateTokenRequest({ ...refresh, grant_type: 'password' })).toBe(false);
  expect(validateTokenRequest({ ...exchange, client_secret: '' })).toBe(false);
});

test('a scope is one or more of the three', () => {
  for (const scope of ['read', 'write', 'destroy', 'read write', 'destroy read write']) {
    expect(validateScope(scope), scope).toBe(true);
  }
  for (const scope of ['', 'admin', 'read admin', 'read+write', 'read  write', ' read']) {
    expect(validateScope(scope), scope).toBe(false);
  }
});

test('whatever a list looks like, it is not evaluated', () => {
  for (const list of [[], [{ id: 1 }], ['1'], { assigned_users: [] }, null, 'text']) {
    expect(validateAssignedUsers(list)).toBe(true);
  }
});
