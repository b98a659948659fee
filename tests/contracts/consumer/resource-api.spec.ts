import { expect } from '@playwright/test';
import { OperationRefused } from '../../../examples/reference-client/client/index.ts';
import { RESOURCE_API } from '../../../src/contracts/providers.ts';
import {
  clientOf,
  consumerTests,
  EXAMPLE,
  injected,
  pathWith,
  storeWithPair,
} from '../../support/contracts/consumer.ts';
import { ANY_REFUSAL, ANY_SUCCESS } from '../../support/contracts/statuses.ts';

/** The reference client relies on these answers of the resource API (clause 4.4). */

const LIST = `/v2/projects/\${project_id}/assigned_users`;
const USER = `${LIST}/\${user_id}`;
const { project_id: PROJECT, user_id: USER_ID } = EXAMPLE;

/** Clause 5.6 does not show the place of the token, so the state says it. */
const TOKEN = { Authorization: injected('authorization') };
const JSON_WANTED = { Accept: 'application/json' };
const LISTING = { method: 'GET', path: pathWith(LIST), headers: { ...TOKEN, ...JSON_WANTED } };
const SUCCESS = { status: ANY_SUCCESS };
const REFUSAL = { status: ANY_REFUSAL };

/** The body of a list is not shown, so the pact has none; the client is handed one of the shapes that it reads. */
const withBody = async (request: Request): Promise<Response> => {
  const { status } = await fetch(request);
  return new Response('[]', { status, headers: { 'Content-Type': 'application/json' } });
};

const client = (url: string, options = {}) => clientOf(url, storeWithPair(), options);

consumerTests(RESOURCE_API, {
  'a user is assigned': {
    states: ['a token pair was issued', 'a user is not assigned to a project'],
    request: { method: 'PUT', path: pathWith(USER), headers: TOKEN },
    response: SUCCESS,
    play: (url) => client(url).assign(PROJECT, USER_ID),
  },
  'a user is unassigned': {
    states: ['a token pair was issued', 'a user is assigned to a project'],
    request: { method: 'DELETE', path: pathWith(USER), headers: TOKEN },
    response: SUCCESS,
    play: (url) => client(url).unassign(PROJECT, USER_ID),
  },
  'the assigned users are listed': {
    states: ['a token pair was issued', 'a user is assigned to a project'],
    request: LISTING,
    response: SUCCESS,
    play: async (url) => expect(await client(url, { fetch: withBody }).list(PROJECT)).toEqual([]),
  },
  'the assigned users are listed without a token': {
    states: ['a project exists'],
    request: { ...LISTING, headers: JSON_WANTED },
    response: REFUSAL,
    play: async (url) => {
      const presentToken = (request: Request) => request;
      await expect(client(url, { presentToken }).list(PROJECT)).rejects.toBeInstanceOf(OperationRefused);
    },
  },
  'the assigned users of an unknown project are listed': {
    states: ['a token pair was issued', 'no such project exists'],
    request: LISTING,
    response: REFUSAL,
    play: (url) => expect(client(url).list(PROJECT)).rejects.toBeInstanceOf(OperationRefused),
  },
  'an unknown user is assigned': {
    states: ['a token pair was issued', 'a project exists', 'no such user exists'],
    request: { method: 'PUT', path: pathWith(USER), headers: TOKEN },
    response: REFUSAL,
    play: (url) => expect(client(url).assign(PROJECT, USER_ID)).rejects.toBeInstanceOf(OperationRefused),
  },
});
