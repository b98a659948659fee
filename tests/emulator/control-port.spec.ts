import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import type { EmulatorOptions } from '../../src/emulator/emulator-options.ts';
import { startClient } from '../support/emulator-client.ts';

const SPECIFICATION = parse(
  readFileSync(new URL('../../spec/control.openapi.yaml', import.meta.url), 'utf8'),
) as { readonly paths: Record<string, Record<string, object>> };

async function controlled(options: EmulatorOptions = {}) {
  const client = await startClient({ control: { token: 'control-token' }, ...options });
  const { controlUrl = '' } = client.emulator;
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await client.send(controlUrl + path, {
      method,
      headers: { authorization: 'Bearer control-token' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };
  return { client, ask };
}

test('the port has exactly the operations of its specification', async () => {
  const { client, ask } = await controlled();
  const specified = Object.entries(SPECIFICATION.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const { json } = await ask('GET', '/nowhere');
  const [, listed = ''] = /^Expected one of (.*); got/.exec(String(json.error)) ?? [];
  expect([...listed.split(', '), 'GET /health'].sort()).toEqual(specified.sort());
  const health = await client.send(`${client.emulator.controlUrl}/health`);
  expect([health.status, await health.json()]).toEqual([200, { status: 'ready', profile: 'doorkeeper-5' }]);
});

test('a situation is brought about, marked, read on and taken back, over the port alone', async () => {
  const { client, ask } = await controlled();
  await ask('PUT', '/mark', { mark: 'five at expiry' });
  const { json: hold } = await ask('POST', '/holds', { route: 'token', until: 2, limitMs: 5_000 });
  expect(hold).toMatchObject({ id: 'hold#1', limitMs: 5_000, phase: 'answer', waiting: 0 });
  await ask('POST', '/faults', { route: 'token', kind: 'refusal', reason: 'code-used', to: 2 });
  const news = ask('GET', '/journal?since=0&wait=60');
  const code = 'made-up';
  await Promise.all([client.exchange({ code }), client.exchange({ code })]);
  const first = (await news).json as { entries: unknown[]; next: number };
  const { json: rest } = await ask('GET', `/journal?since=${first.next}`);
  const entries = [...first.entries, ...(rest.entries as unknown[])];
  expect(entries).toMatchObject(
    Array(2).fill({
      mark: 'five at expiry',
      presented: { code: 'unissued_code#1' },
      fault: 'refusal',
      held: { releasedBy: 'count' },
      refusal: { refused: 'code-used' },
    }),
  );
  await ask('PUT', '/lifetime', { expiresIn: 5 });
  await ask('PUT', '/token-form', { form: 'every-character' });
  await ask('PUT', '/auto-consent', { user: 'ada@example.test', decision: 'deny' });
  const { access_token, expires_in } = await pairDespite(client, ask);
  expect([expires_in, access_token.endsWith('=')]).toEqual([5, true]);
  expect((await ask('POST', '/revoke', { token: 'access_token#1' })).json).toEqual({
    revoked: 'access_token#1',
  });
  await ask('POST', '/reset');
  const { json: state } = await ask('GET', '/state');
  expect(state).toMatchObject({ lifetime: { documented: true }, autoConsent: { user: null }, holds: [] });
  expect([(await ask('GET', '/mark')).json, (await ask('GET', '/token-form')).json]).toEqual([
    { mark: null },
    { form: 'profile' },
  ]);
});

test('every recipe of the documentation is understood', async () => {
  // A reset takes the session away with everything else.
  const { client, ask } = await controlled({ autoConsent: true });
  const pages = ['emulator-control', 'emulator-journal'].map((name) =>
    readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'),
  );
  const recipes = [...pages.join('\n').matchAll(/^control (\w+) '?([^\s']+)'?(?: '([^']*)')?/gm)];
  expect(recipes.length).toBeGreaterThan(20);
  for (const [recipe, method = '', path = '', body] of recipes) {
    await ask('POST', '/reset');
    await client.pair();
    const { status, json } = await ask(method, path, body === undefined ? undefined : JSON.parse(body));
    expect([recipe, status, json.error]).toEqual([recipe, 200, undefined]);
  }
});

async function pairDespite(
  client: Awaited<ReturnType<typeof controlled>>['client'],
  ask: Awaited<ReturnType<typeof controlled>>['ask'],
) {
  const denied = await client.authorize();
  expect(denied.headers.get('location')).toContain('error=access_denied');
  await ask('PUT', '/auto-consent', { user: 'ada@example.test' });
  return client.pair();
}

test('what cannot be understood is refused with 400, and the member is named', async () => {
  const { ask } = await controlled();
  for (const [method, path, body, message] of [
    ['POST', '/holds', { route: 'nowhere' }, /route: expected one of "any", "authorize".*"nowhere"/],
    ['POST', '/holds', { route: 'token', until: '5' }, /until: expected integer, got "5"/],
    ['POST', '/holds', { route: 'token', untill: 5 }, /untill: expected no further key/],
    ['POST', '/holds', { route: 'token', phase: 'both' }, /phase: expected one of "answer", "request"/],
    ['POST', '/holds/release', { id: 'hold#7' }, /hold#7/],
    ['POST', '/faults', { route: 'token', kind: 'delay', headers: {} }, /headers.*delay/],
    ['POST', '/faults', { route: 'token', kind: 'status', headers: { a: 1 } }, /headers.a: expected string/],
    ['POST', '/faults', { route: 'token', kind: 'status', grantType: 'implicit' }, /grantType.*"implicit"/],
    ['POST', '/revoke', { token: 'access_token#1', grant: 'grant#1' }, /exactly one/],
    ['PUT', '/lifetime', { expiresIn: '5' }, /expiresIn: expected integer or null, got "5"/],
    ['PUT', '/lifetime', {}, /expiresIn.*nothing/],
    ['PUT', '/token-form', { form: 'odd' }, /form: expected one of "profile", "every-character"/],
    ['PUT', '/mark', { mark: 5 }, /mark: expected string or null/],
    ['PUT', '/auto-consent', { user: 'nobody' }, /ada@example.test.*nobody/],
    ['GET', '/journal?since=-1', undefined, /since: expected a whole number from 0, got "-1"/],
    ['GET', '/journal?wait=61', undefined, /wait: expected 0 to 60/],
    ['GET', '/journal?limit=0', undefined, /limit: expected a whole number from 1/],
    ['GET', '/journal?sinse=1', undefined, /since, wait and limit, got sinse/],
  ] as const) {
    const { status, json } = await ask(method, path, body);
    expect([status, json.error]).toEqual([400, expect.stringMatching(message)]);
  }
});
