import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { memoryStore } from '../../../examples/reference-client/client/index.ts';
import { createWebApp } from '../../../examples/reference-client/web-app.ts';
import { withOutput } from '../../support/scripted-client/output.ts';
import { empty, json, tokens, tokensOf } from '../../support/scripted-client/replies.ts';
import { test as base, expect } from './fixtures.ts';

type Visit = (path: string, cookie?: string) => Promise<Response>;

/** The example, served; `visit` is a browser that follows no redirect. */
const test = base.extend<{ readonly visit: Visit }>({
  visit: async ({ make, service }, use) => {
    const app = createWebApp(make({ store: memoryStore() })).listen(0, '127.0.0.1');
    await once(app, 'listening');
    const origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
    await use((path, cookie) =>
      fetch(`${origin}${path}`, { redirect: 'manual', headers: cookie === undefined ? {} : { cookie } }),
    );
    app.close();
    app.closeAllConnections();
    expect(service.requests.filter(({ path }) => path.includes(tokensOf(1).accessToken))).toEqual([]);
  },
});

/** Begins an authorization: the state that went out and the cookie that came. */
async function begin(visit: Visit): Promise<{ state: string; cookie: string }> {
  const response = await visit('/connect');
  const state = new URL(response.headers.get('location') ?? '').searchParams.get('state') ?? '';
  return { state, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

test('the example connects a user and lists who is assigned', async ({ visit, service }) => {
  const { state, cookie } = await begin(visit);
  service.token(tokens(1));
  const back = await visit(`/callback?code=code-1&state=${state}`, cookie);
  expect(back.status).toBe(303);
  expect(back.headers.get('set-cookie')).toContain('Max-Age=0');
  service.list(json(200, [{ id: 'user-1' }]));
  const page = await visit('/projects/project%2F1/users');
  expect(await page.json()).toEqual([{ id: 'user-1' }]);
  expect(service.operations[0]?.path).toBe('/v2/projects/project%2F1/assigned_users');
});

test('the example keeps its state from scripts and other sites', async ({ visit }) => {
  const response = await visit('/connect');
  expect(response.headers.get('set-cookie')).toMatch(/; HttpOnly; Secure; SameSite=Lax;/);
});

test('the example refuses a redirect to another browser', async ({ visit, service }) => {
  const { state } = await begin(visit);
  const output = await withOutput(async () => {
    expect((await visit(`/callback?code=code-1&state=${state}`)).status).toBe(502);
  });
  expect(output).toMatch(/^StateMismatch: /);
  expect(service.requests).toHaveLength(0);
});

test('the example takes a denial as an answer', async ({ visit }) => {
  const { state, cookie } = await begin(visit);
  const response = await visit(`/callback?error=access_denied&state=${state}`, cookie);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('You did not grant access');
});

test('the example sends the user to authorize again when the token is refused for good', async ({
  visit,
  service,
}) => {
  const { state, cookie } = await begin(visit);
  service.token(tokens(1), tokens(2));
  await visit(`/callback?code=code-1&state=${state}`, cookie);
  service.list(empty(401), empty(401));
  const response = await visit('/projects/project-1/users');
  expect(response.headers.get('location')).toBe('/connect');
});
