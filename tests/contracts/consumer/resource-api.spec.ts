import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { OperationRefused } from '../../../src/client/index.ts';
import { RESOURCE_API } from '../../../src/contracts/providers.ts';
import type { StateName } from '../../../src/contracts/states.ts';
import {
  clientOf,
  EXAMPLE,
  given,
  injected,
  pactWith,
  pathWith,
  storeWithPair,
  writtenPact,
} from '../../support/contracts/consumer.ts';
import { ANY_REFUSAL, ANY_SUCCESS } from '../../support/contracts/statuses.ts';

/** What the reference client relies on at the resource API (clause 4.4). */

const DESCRIPTIONS = [
  'a user is assigned',
  'a user is unassigned',
  'the assigned users are listed',
  'the assigned users are listed without a token',
  'the assigned users of an unknown project are listed',
  'an unknown user is assigned',
];

const LIST = `/v2/projects/\${project_id}/assigned_users`;
const USER = `${LIST}/\${user_id}`;
const { project_id: PROJECT, user_id: USER_ID } = EXAMPLE;

/** How the token is presented is not shown (clause 5.6), so the state says it. */
const TOKEN = { Authorization: injected('authorization') };
const JSON_WANTED = { Accept: 'application/json' };

test.describe.configure({ mode: 'serial' });

// Writing merges with what is there, so the folder must be a new one.
let dir = '';
test.beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'legacy-conformance-pacts-'));
});
test.afterAll(() => rmSync(dir, { recursive: true, force: true }));

const interaction = (description: string, ...states: readonly StateName[]) =>
  given(pactWith(RESOURCE_API, dir), ...states).uponReceiving(description);

/** The body of a list is not shown, so the pact has none; the client is handed one of the shapes that it reads. */
const withBody = async (request: Request): Promise<Response> => {
  const { status } = await fetch(request);
  return new Response('[]', { status, headers: { 'Content-Type': 'application/json' } });
};

test('a user is assigned', async () => {
  await interaction('a user is assigned', 'a token pair was issued', 'a user is not assigned to a project')
    .withRequest({ method: 'PUT', path: pathWith(USER), headers: TOKEN })
    .willRespondWith({ status: ANY_SUCCESS })
    .executeTest(async ({ url }) => {
      await clientOf(url, storeWithPair()).assign(PROJECT, USER_ID);
    });
});

test('a user is unassigned', async () => {
  await interaction('a user is unassigned', 'a token pair was issued', 'a user is assigned to a project')
    .withRequest({ method: 'DELETE', path: pathWith(USER), headers: TOKEN })
    .willRespondWith({ status: ANY_SUCCESS })
    .executeTest(async ({ url }) => {
      await clientOf(url, storeWithPair()).unassign(PROJECT, USER_ID);
    });
});

test('the assigned users are listed', async () => {
  const states = ['a token pair was issued', 'a user is assigned to a project'] as const;
  await interaction('the assigned users are listed', ...states)
    .withRequest({ method: 'GET', path: pathWith(LIST), headers: { ...TOKEN, ...JSON_WANTED } })
    .willRespondWith({ status: ANY_SUCCESS })
    .executeTest(async ({ url }) => {
      expect(await clientOf(url, storeWithPair(), { fetch: withBody }).list(PROJECT)).toEqual([]);
    });
});

test('refused: no token', async () => {
  await interaction('the assigned users are listed without a token', 'a project exists')
    .withRequest({ method: 'GET', path: pathWith(LIST), headers: JSON_WANTED })
    .willRespondWith({ status: ANY_REFUSAL })
    .executeTest(async ({ url }) => {
      const client = clientOf(url, storeWithPair(), { presentToken: (request) => request });
      await expect(client.list(PROJECT)).rejects.toBeInstanceOf(OperationRefused);
    });
});

test('refused: an unknown project', async () => {
  const states = ['a token pair was issued', 'no such project exists'] as const;
  await interaction('the assigned users of an unknown project are listed', ...states)
    .withRequest({ method: 'GET', path: pathWith(LIST), headers: { ...TOKEN, ...JSON_WANTED } })
    .willRespondWith({ status: ANY_REFUSAL })
    .executeTest(async ({ url }) => {
      await expect(clientOf(url, storeWithPair()).list(PROJECT)).rejects.toBeInstanceOf(OperationRefused);
    });
});

test('refused: an unknown user', async () => {
  const states = ['a token pair was issued', 'a project exists', 'no such user exists'] as const;
  await interaction('an unknown user is assigned', ...states)
    .withRequest({ method: 'PUT', path: pathWith(USER), headers: TOKEN })
    .willRespondWith({ status: ANY_REFUSAL })
    .executeTest(async ({ url }) => {
      const client = clientOf(url, storeWithPair());
      await expect(client.assign(PROJECT, USER_ID)).rejects.toBeInstanceOf(OperationRefused);
    });
});

test('the pact holds each of them, and is the committed one byte for byte', () => {
  const { text, descriptions, committed } = writtenPact(dir);
  expect([...descriptions].sort()).toEqual([...DESCRIPTIONS].sort());
  expect(text === committed, 'run `npm run contracts:write` and look at what changed').toBe(true);
});
