import type { ClientAdapter, ExpectedFailure } from './adapter.ts';
import { FAULTS } from './fault-server.ts';
import type { ScenarioId } from './scenario-ids.ts';

type Entry = readonly [ScenarioId, ExpectedFailure];

function each(ids: readonly ScenarioId[], reason: string, failsWith: string): readonly Entry[] {
  return ids.map((id) => [id, { reason, failsWith }] as const);
}

const ANOTHER_TOKEN_REQUEST = 'nobody expected: POST auth.legacy.test/oauth/token';

/** Fields of a token response that the library takes as they come. */
const UNCHECKED = [
  '200-error-body',
  '200-array',
  'no-access-token',
  'empty-access-token',
  'null-word-tokens',
  'access-token-number',
  'access-token-with-line-break',
  'refresh-token-object',
  'no-refresh-token',
  'token-type-mac',
  'expires-in-negative',
  'expires-in-words',
] as const;

/** What simple-oauth2 5.1.0, used as its README shows, does otherwise than the scenarios demand. */
export const expectedFailures: NonNullable<ClientAdapter['expectedFailures']> = Object.fromEntries([
  ...each(
    ['exchange.code-once', 'exchange.code-once-in-parallel', 'exchange.code-once-after-500'],
    'the library does not remember codes: a callback that runs twice sends its code twice',
    ANOTHER_TOKEN_REQUEST,
  ),
  ...each(
    FAULTS.map((fault) => `exchange.code-once-after.${fault}` as const),
    'the library does not remember codes, also not one whose answer was lost',
    'expected a rejection of a second exchange of the code, but it succeeded',
  ),
  ...each(
    UNCHECKED.map((fault) => `exchange.fault.${fault}` as const),
    'any JSON with status 200 becomes a token: no field is checked, nor whether the body is an error',
    'expected a rejection of an exchange',
  ),
  ...each(
    UNCHECKED.map((fault) => `refresh.fault.${fault}` as const),
    'any JSON with status 200 replaces the stored pair; a refresh token that is left out erases the stored one',
    'Received',
  ),
  ...each(
    ['refresh.single-flight'],
    'each caller that finds the token expired refreshes',
    ANOTHER_TOKEN_REQUEST,
  ),
  ...each(
    ['refresh.refused-not-sent-again'],
    'the library does not remember that a refresh token is dead',
    ANOTHER_TOKEN_REQUEST,
  ),
  ...each(
    ['secrets.errors', 'secrets.echoed'],
    'its errors hold the response, and with that the form that was sent',
    'client-secret-7d2e',
  ),
  ...each(
    ['unauthorized.refresh-and-retry', 'unauthorized.shared-refresh', 'unauthorized.already-refreshed'],
    'calling the resource API is left to the caller, and the README shows nothing for a 401',
    'failed with status 401',
  ),
  ...each(
    ['unauthorized.no-loop'],
    'calling the resource API is left to the caller, and the README shows nothing for a 401',
    'Received length: 1',
  ),
  ...each(
    ['ids-stay-in-path'],
    'encodeURIComponent leaves an empty id and dots as they are',
    'nobody expected: DELETE api.legacy.test/v2/projects/project-1/assigned_users/',
  ),
  ...each(
    ['list.fault.302-sign-in', 'assign.fault.302-sign-in', 'unassign.fault.302-sign-in'],
    'fetch follows redirects unless told otherwise',
    'elsewhere.legacy.test/sign-in',
  ),
  ...each(
    ['list.fault.200-error-body', 'list.fault.200-number', 'list.fault.200-text', 'list.fault.200-no-array'],
    'reading the list is left to the caller, who reads whatever JSON comes',
    'expected a rejection of list',
  ),
]);
