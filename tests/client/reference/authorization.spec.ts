import {
  AuthorizationDenied,
  AuthorizationFailed,
  type Scope,
  StateMismatch,
  UnexpectedAnswer,
} from '../../../examples/reference-client/client/index.ts';
import { AUTH_URL } from '../../support/scripted-client/scripted-service.ts';
import { expect, test } from './fixtures.ts';

const STATE = 'a-state-that-was-kept-2b6f91d0';

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

test('the request has the four documented parameters and a state, and a plus sign separates the scopes', ({
  make,
}) => {
  const { url, state } = make().authorizationRequest(['read', 'write', 'destroy']);
  const { origin, pathname, search, searchParams } = new URL(url);
  expect(`${origin}${pathname}`).toBe(`${AUTH_URL}/oauth/authorize`);
  expect(search).toMatch(/[?&]scope=read\+write\+destroy(&|$)/);
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'client-id-1',
    redirect_uri: 'https://client.legacy.test/callback',
    response_type: 'code',
    scope: 'read write destroy',
    state,
  });
});

test('each request has a state of its own, too long to guess', ({ make }) => {
  const states = [1, 2, 3].map(() => make().authorizationRequest(['read']).state);
  expect(new Set(states).size).toBe(3);
  // 22 characters of base64url, the densest form in use, hold 128 bits.
  for (const state of states) expect(state.length).toBeGreaterThanOrEqual(22);
});

for (const [query, expected, reason] of [
  [`code=c&state=${STATE}x`, STATE, 'different'],
  [`code=c&state=${STATE}&state=other`, STATE, 'different'],
  ['code=c', STATE, 'absent'],
  ['code=c&state=', STATE, 'absent'],
  ['code=c&state=', '', 'unexpected'],
  [`code=c&state=${STATE}`, undefined, 'unexpected'],
  [`error=access_denied&state=${STATE}x`, STATE, 'different'],
] as const) {
  test(`the redirect ?${query} where ${JSON.stringify(expected)} was kept: StateMismatch (${reason})`, ({
    make,
  }) => {
    const thrown = thrownBy(() => make().readCallback(`/callback?${query}`, expected));
    expect(thrown).toBeInstanceOf(StateMismatch);
    expect(thrown).toMatchObject({ reason, clause: '4.1' });
    expect(String(thrown)).not.toContain(STATE);
  });
}

for (const [query, type, fields] of [
  ['error=access_denied', AuthorizationDenied, {}],
  ['error=invalid_scope', AuthorizationFailed, { error: 'invalid_scope' }],
  ['error=%3Cscript%3E', AuthorizationFailed, { error: 'unreadable' }],
  ['error=temporarily_unavailable&code=c', AuthorizationFailed, { error: 'temporarily_unavailable' }],
  ['', UnexpectedAnswer, { operation: 'authorize' }],
  ['code=', UnexpectedAnswer, { operation: 'authorize' }],
  ['code=a&code=b', UnexpectedAnswer, { operation: 'authorize' }],
] as const) {
  test(`the redirect ?${query} with its state: ${type.name}`, ({ make }) => {
    const thrown = thrownBy(() => make().readCallback(`/callback?${query}&state=${STATE}`, STATE));
    expect(thrown).toBeInstanceOf(type);
    expect(thrown).toMatchObject(fields);
  });
}

test('a redirect may be given whole, as path and query, or as a URL', ({ make }) => {
  const client = make();
  const path = `/callback?code=a%2Fb%2Bc%3D&state=${STATE}`;
  for (const url of [path, `https://client.legacy.test${path}`, new URL(path, 'http://127.0.0.1:8080')]) {
    expect(client.readCallback(url, STATE)).toBe('a/b+c=');
  }
});

test('a code in the fragment is none', ({ make }) => {
  const thrown = thrownBy(() => make().readCallback(`/callback?state=${STATE}#code=c`, STATE));
  expect(thrown).toBeInstanceOf(UnexpectedAnswer);
});

for (const scopes of [[], ['admin'], ['read', 'read write']]) {
  test(`the scopes ${JSON.stringify(scopes)} are refused`, ({ make }) => {
    expect(() => make().authorizationRequest(scopes as Scope[])).toThrow(
      /^scopes: expected one or more of read, write/,
    );
  });
}

test('a scope named twice is asked for once', ({ make }) => {
  const { url } = make().authorizationRequest(['write', 'read', 'write']);
  expect(new URL(url).searchParams.get('scope')).toBe('write read');
});
