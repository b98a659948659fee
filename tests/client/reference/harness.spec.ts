import { judge } from '../../support/client-adapters/judge.ts';
import { html, json } from '../../support/client-adapters/replies.ts';
import { AUTH_URL, BASE_URL, ScriptedService } from '../../support/client-adapters/scripted-service.ts';
import { errorOf, expect, test } from './fixtures.ts';

const played = { clientName: 'my client', scenarioId: 'list.array' } as const;
const expected = { reason: 'it reads no arrays', failsWith: 'not an object' } as const;

test('an expected failure that passes makes the list stale', () => {
  const verdict = judge({ ...played, expected, failure: undefined });
  expect(verdict?.message).toBe(
    'the expected failures of my client are stale: list.array is expected to fail (it reads no arrays), but it passed. Take it out of the list',
  );
});

test('an expected failure that fails otherwise makes the list stale', () => {
  const verdict = judge({ ...played, expected, failure: new Error('connection refused') });
  expect(verdict?.message).toContain('with "not an object", but it failed with: connection refused');
});

test('an expected failure that fails as recorded is as it should be', () => {
  expect(
    judge({ ...played, expected, failure: new Error('\u001b[31mnot an object\u001b[39m') }),
  ).toBeUndefined();
});

test('a failure that is not expected stays what it is', () => {
  const failure = new Error('not an object');
  expect(judge({ ...played, expected: undefined, failure })).toBe(failure);
  expect(judge({ ...played, expected: undefined, failure: undefined })).toBeUndefined();
});

test('the scripted service tells of requests that nobody expected, and refuses them', async () => {
  const service = new ScriptedService();
  service.list(json(200, []));
  await fetch(`${BASE_URL}/v2/projects/1/assigned_users`);
  expect(await errorOf(fetch(`${BASE_URL}/v2/projects/1/assigned_users?page=2`))).toBeInstanceOf(Error);
  expect(await errorOf(fetch(`${AUTH_URL}/oauth/token?secret=s`, { method: 'POST' }))).toBeInstanceOf(Error);
  expect(await errorOf(fetch('https://elsewhere.legacy.test/'))).toBeInstanceOf(Error);
  expect(service.close()).toEqual([
    'the client sent a request that nobody expected: GET api.legacy.test/v2/projects/1/assigned_users',
    'the client sent a request that nobody expected: POST auth.legacy.test/oauth/token',
    'the client sent a request that nobody expected: GET elsewhere.legacy.test/',
  ]);
});

test('the scripted service tells of answers that nobody fetched', () => {
  const service = new ScriptedService();
  service.token(html(500));
  expect(service.close()).toEqual([
    'the client never fetched an answer: POST https://auth.legacy.test:443/oauth/token',
  ]);
});
