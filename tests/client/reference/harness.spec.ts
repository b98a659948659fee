import { html, json } from '../../support/scripted-client/replies.ts';
import { AUTH_URL, BASE_URL, ScriptedService } from '../../support/scripted-client/scripted-service.ts';
import { errorOf, expect, test } from './fixtures.ts';

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
