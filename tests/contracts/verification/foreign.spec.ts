import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findPacts } from '../../../src/contracts/pact/read-pact.ts';
import { concludeVerification } from '../../../src/contracts/verify/outcome.ts';
import { BEARER, FOREIGN, only, pactOf, verifyOnEmulator } from '../../support/contracts/verifying.ts';

/** Pacts of consumers in other languages, which know nothing of the suite but its provider states. */

const foreign = (name: string) => findPacts([join(FOREIGN, name)]);

const STATES = [{ name: 'a token pair was issued' }, { name: 'a user is assigned to a project' }];

test('version 3, one provider for both addresses, a shape of its own, a scope, an expired token', async () => {
  const { verified, others } = await verifyOnEmulator(await foreign('shop-both-addresses.v3.json'));
  expect(others).toEqual({});
  expect(verified).toEqual([
    'a request for tokens',
    'the members of a project',
    'assigning with a token that may only read',
    'the members of a project, with an expired token',
  ]);
});

test('version 4, a name of its own for the provider, and what is pending may fail', async () => {
  const pacts = await foreign('billing-auth.v4.json');
  const { verification, verified, others } = await verifyOnEmulator(pacts);
  expect(verified).toEqual(['a code that nobody granted']);
  expect(Object.values(others)).toEqual([expect.stringContaining('failed; the status: expected 200')]);
  expect(concludeVerification(verification).exitCode).toBe(0);
});

test('version 2, with one state and a path of its own', async () => {
  const { verified } = await verifyOnEmulator(await foreign('reader.v2.json'));
  expect(verified).toEqual(['a list without a token']);
});

test('who can only say `Bearer` fails on a service that wants the token elsewhere', async () => {
  const pacts = only(await foreign('shop-both-addresses.v3.json'), 'the members of a project');
  const { others } = await verifyOnEmulator(pacts, { profile: 'adversarial' });
  expect(others['the members of a project']).toContain('the status: expected 200, got 401');
});

test('another shape than the consumer relies on: the place in the body, and exit 1', async () => {
  const pact = pactOf({
    providerStates: STATES,
    request: { method: 'GET', path: '/', headers: { Authorization: '' }, generators: BEARER },
    response: { status: 200, body: { users: [{ id: 1 }] } },
  });
  const { verification, others } = await verifyOnEmulator([pact]);
  expect(others['an interaction']).toContain('the body: Type mismatch');
  expect(concludeVerification(verification).exitCode).toBe(1);
});

test('tokens that came are told by their ordinals', async () => {
  const pacts = await foreign('shop-both-addresses.v3.json');
  const [pact] = only(pacts, 'a request for tokens');
  const strict = JSON.parse(JSON.stringify(pact).replace('"match":"type"', '"match":"equality"'));
  const { others, verification, secrets } = await verifyOnEmulator([strict]);
  expect(others['a request for tokens']).toMatch(/\$\.access_token: Expected '<access_token#\d+>'/);
  expect(secrets.find(JSON.stringify(verification))).toEqual([]);
});

test('the user whom a pact assigned is unassigned before the next interaction', async () => {
  const path = {
    type: 'ProviderState',
    expression: `/v2/projects/\${project_id}/assigned_users/\${user_id}`,
  };
  const assign = pactOf({
    description: 'assign',
    providerStates: [STATES[0], { name: 'a user is not assigned to a project' }],
    request: { method: 'PUT', path: '/', headers: { Authorization: '' }, generators: { ...BEARER, path } },
  });
  const again = { ...assign, source: 'again.json' };
  const { verified } = await verifyOnEmulator([assign, again], { profile: 'doorkeeper-5' });
  expect(verified).toEqual(['assign', 'assign']);
});

for (const [file, descriptions] of [
  ['pact-python.v4.json', ['a code is exchanged', 'the members of a project']],
  ['pact-go.v3.json', ['a code is exchanged']],
  ['pact-php.v3.json', ['a token pair is refreshed']],
  ['pact-jvm.v3.json', ['a code is exchanged']],
  ['pact-ruby.v2.json', ['a code that was never granted', 'the members of a project, without a token']],
] as const) {
  test(`as ${file.split('.')[0]} writes it: form bodies, values of states, matchers`, async () => {
    const pacts = findPacts([join(FOREIGN, 'libraries', file)]);
    const { verified, others } = await verifyOnEmulator(pacts);
    expect(others).toEqual({});
    expect(verified).toEqual(descriptions);
  });
}

const RULE = ': take every secret and every id from a provider state (rule 2 in docs/pacts.md)';
const UNUSED_PROJECT = `the state "a user is assigned to a project" injects project_id, user_id, and the interaction uses none of them${RULE}`;

for (const [what, providerStates, request, hints] of [
  [
    'a token and a project of its own',
    [STATES[1]],
    { path: '/v2/projects/42/assigned_users', headers: { authorization: 'Bearer abc' } },
    [`the interaction sends the Authorization of its example${RULE}`, UNUSED_PROJECT],
  ],
  [
    'a project of its own',
    STATES,
    {
      path: '/v2/projects/42/assigned_users',
      headers: { Authorization: '' },
      generators: { header: BEARER.header },
    },
    [UNUSED_PROJECT],
  ],
  [
    'no value of its own',
    STATES,
    { path: '/', headers: { Authorization: '' }, generators: BEARER, query: { page: ['x'] } },
    [],
  ],
] as const) {
  test(`a failed interaction that sends ${what}: the rule that it breaks`, async () => {
    const pact = pactOf({
      providerStates,
      request: { method: 'GET', ...request },
      response: { status: 299 },
    });
    const { verification } = await verifyOnEmulator([pact]);
    const [outcome] = verification.pacts.flatMap(({ interactions }) => interactions);
    expect(outcome?.reasons.slice(1)).toEqual(hints);
  });
}
