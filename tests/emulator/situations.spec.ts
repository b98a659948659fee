import { expect, test } from '@playwright/test';
import type { Fault } from '../../src/emulator/control/control-types.ts';
import { loadProfile } from '../../src/emulator/policy/load-profile.ts';
import { codeIn, type Pair, redirectQuery, startClient } from '../support/emulator-client.ts';

test.describe('filtered faults', () => {
  test('hit one grant type, and one user', async () => {
    const client = await startClient();
    const { faults } = client.emulator.control;
    faults.arm({ route: 'token', kind: 'status', grantType: 'refresh_token' });
    const ada = await client.pair();
    expect((await client.refresh({ refresh_token: ada.refresh_token })).status).toBe(503);
    expect((await client.refresh({ refresh_token: ada.refresh_token })).status).toBe(200);

    const mine = await client.pair();
    const cookie = await client.signIn(1);
    const code = codeIn(await client.authorize({}, { cookie })) ?? '';
    const bruno = (await (await client.exchange({ code })).json()) as { access_token: string };
    faults.arm({ route: 'list', kind: 'status', status: 500, user: 'bruno@example.test' });
    const path = client.path(client.emulator.seed.projects[0].id);
    const statuses = [];
    for (const token of [mine.access_token, bruno.access_token, bruno.access_token])
      statuses.push((await client.call('GET', path, token)).status);
    expect(statuses).toEqual([200, 500, 200]);
  });

  test('hit from the nth request to the nth, or without end', async () => {
    const client = await startClient();
    const { faults, journal } = client.emulator.control;
    const page = async () => (await client.send(`${client.emulator.authUrl}/sign-in`)).status;
    const four = async () => [await page(), await page(), await page(), await page()];
    expect(faults.arm({ route: 'page', kind: 'status', from: 2, to: 3 })).toMatchObject({ count: 2 });
    expect(await four()).toEqual([200, 503, 503, 200]);
    faults.arm({ route: 'page', kind: 'status', from: 3, count: 'unlimited' });
    expect(await four()).toEqual([200, 200, 503, 503]);
    expect(faults.armed()).toMatchObject([{ id: 'fault#2', count: 'unlimited' }]);
    expect(journal.entries().map(({ faultId }) => faultId)).toEqual([
      ...[undefined, 'fault#1', 'fault#1', undefined],
      ...[undefined, undefined, 'fault#2', 'fault#2'],
    ]);
  });
});

test('a refusal is the answer of the service itself, to the byte', async () => {
  for (const profile of ['doorkeeper-5', 'by-the-rfc']) {
    const client = await startClient({ profile });
    const { control, seed } = client.emulator;
    const path = client.path(seed.projects[0].id);
    const { access_token } = await client.pair();
    control.faults.arm({ route: 'list', kind: 'refusal', reason: 'token-revoked' });
    const armed = await client.call('GET', path, access_token);
    expect((await client.call('GET', path, access_token)).status).toBe(200);
    control.revoke({ token: access_token });
    const own = await client.call('GET', path, access_token);
    expect(own.status).toBe(401);
    expect(await shown(armed)).toEqual(await shown(own));

    const { refresh_token } = await client.pair();
    control.faults.arm({ route: 'token', kind: 'refusal', grantType: 'refresh_token' });
    const refused = await client.refresh({ refresh_token });
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
      400,
      'invalid_grant',
    ]);
    expect((await client.refresh({ refresh_token })).status).toBe(200);
  }
});

async function shown(answer: Response): Promise<unknown> {
  const varying = new Set(['x-request-id', 'x-runtime', 'date']);
  return [
    answer.status,
    [...answer.headers].filter(([name]) => !varying.has(name)),
    (await answer.text()).replace(/armed fault/g, ''),
  ];
}

test('a delayed answer has had its effect, and waits in sight', async () => {
  const client = await startClient();
  const { faults, journal } = client.emulator.control;
  const code = await client.code();
  faults.arm({ route: 'token', kind: 'delay', milliseconds: 300 });
  const late = client.exchange({ code });
  const why = () => journal.page().pending.map((one) => one.why);
  await expect.poll(why, { intervals: [5] }).toEqual(['fault#1']);
  expect((await late).status).toBe(200);
  const entry = journal.entries().at(-1);
  expect(entry).toMatchObject({ fault: 'delay', effect: 'tokens-issued' });
  expect((entry?.answeredMs ?? 0) - (entry?.arrivedMs ?? 0)).toBeGreaterThanOrEqual(299);
});

test('the fields of a list are those of each user; bare ids stay as they are', async () => {
  const base = await loadProfile('by-the-rfc');
  const bare = { 'list-shape.user-id-pointer': '' };
  const listed = async (answers: typeof base.answers) => {
    const client = await startClient({ profile: { ...base, answers } });
    const { control, seed } = client.emulator;
    control.faults.arm({ route: 'list', kind: 'fields', fields: { note: 'new' }, count: 'unlimited' });
    const { access_token } = await client.pair();
    return (await client.call('GET', client.path(seed.projects[0].id), access_token)).json();
  };
  expect(await listed(base.answers)).toContainEqual({ id: '501', name: 'Chidi Okafor', note: 'new' });
  expect(await listed({ ...base.answers, ...bare })).toContain('501');
});

test('answers with another Content-Type, with other fields, with a body and headers of their own', async () => {
  const client = await startClient();
  const { faults } = client.emulator.control;
  const exchange = async (fault: Fault) => {
    faults.arm(fault);
    return client.exchange({ code: await client.code() });
  };
  const typed = await exchange({ route: 'token', kind: 'content-type', contentType: 'text/html' });
  expect(typed.headers.get('content-type')).toBe('text/html');
  expect(await typed.json()).toMatchObject({ token_type: 'bearer' });

  const fields = { token_type: 'BEARER', shoe_size: 43, refresh_token: null };
  const other = await exchange({ route: 'token', kind: 'fields', fields });
  const body = (await other.json()) as Record<string, unknown>;
  expect([body.token_type, body.shoe_size, 'refresh_token' in body]).toEqual(['BEARER', 43, false]);

  const gone = await exchange({
    route: 'token',
    kind: 'status',
    status: 410,
    body: '{"error":"retired"}',
    contentType: 'application/json',
    headers: { Sunset: 'Mon, 01 Mar 2027 00:00:00 GMT' },
  });
  expect([gone.status, await gone.json(), gone.headers.get('sunset')]).toEqual([
    410,
    { error: 'retired' },
    'Mon, 01 Mar 2027 00:00:00 GMT',
  ]);
});

test('Retry-After is told in seconds, or as a date of the clock that Date tells', async () => {
  const client = await startClient();
  const { faults, clock } = client.emulator.control;
  clock.advance(7_200);
  for (const retryAfterForm of ['seconds', 'date'] as const)
    faults.arm({ route: 'page', kind: 'status', status: 429, retryAfter: 30, retryAfterForm });
  const seconds = await client.send(`${client.emulator.authUrl}/`);
  const date = await client.send(`${client.emulator.authUrl}/`);
  expect(seconds.headers.get('retry-after')).toBe('30');
  const at = (name: string) => Date.parse(date.headers.get(name) ?? '') / 1_000;
  expect([at('date'), at('retry-after')]).toEqual([clock.now(), clock.now() + 30]);
});

test('a fault that could not do what it says is refused', async () => {
  const { faults } = (await startClient()).emulator.control;
  for (const [fault, message] of [
    [{ kind: 'status', milliseconds: 5 }, /milliseconds.*does not go with status/],
    [{ kind: 'delay' }, /milliseconds.*nothing/],
    [{ kind: 'status', status: 100 }, /status.*>= 200.*100/],
    [{ kind: 'status', count: 2, to: 3 }, /either count or to/],
    [{ kind: 'status', from: 3, to: 2 }, /to.*from 3.*2/],
    [{ kind: 'status', retryAfterForm: 'date' }, /retryAfterForm.*retryAfter/],
    [{ kind: 'status', headers: { 'a b': 'c' } }, /headers.*a b: c/],
    [{ kind: 'status', headers: { ok: 'two\r\nlines' } }, /headers/],
    [{ kind: 'fields' }, /fields.*object/],
    [{ kind: 'refusal', reason: 'project-unknown' }, /reason.*code-used.*project-unknown/],
    [{ kind: 'refusal', route: 'any' }, /route.*token, assign, unassign or list.*any/],
  ] as const)
    expect(() => faults.arm({ route: 'token', ...fault } as Fault)).toThrow(message);
  expect(faults.armed()).toEqual([]);
});

test('one access token, one refresh token or a grant is revoked, and nothing else', async () => {
  const client = await startClient({ profile: 'by-the-rfc' });
  const { control, seed } = client.emulator;
  const path = client.path(seed.projects[0].id);
  const fate = async ({ access_token, refresh_token }: { access_token: string; refresh_token: string }) => [
    (await client.call('GET', path, access_token)).status,
    (await client.refresh({ refresh_token })).status,
  ];
  const pairs = [await client.pair(), await client.pair(), await client.pair(), await client.pair()] as const;
  expect(control.revoke({ token: 'access_token#1' })).toBe('access_token#1');
  expect(control.revoke({ token: pairs[1].refresh_token })).toBe('refresh_token#2');
  expect(control.revoke({ grant: 'grant#3' })).toBe('grant#3');
  expect(await Promise.all(pairs.map(fate))).toEqual([
    [401, 200],
    [200, 400],
    [401, 400],
    [200, 200],
  ]);
  expect(() => control.revoke({ token: 'access_token#99' })).toThrow(RangeError);
  expect(() => control.revoke({ grant: 'grant#99' })).toThrow(/grant#99/);
  expect(() => control.revoke({})).toThrow(/exactly one/);
});

test('a told lifetime is what the answer says and what the token has, until it is taken back', async () => {
  const client = await startClient({ expiresIn: 5 });
  const { control, seed } = client.emulator;
  const path = client.path(seed.projects[0].id);
  const pair = await client.pair();
  expect([pair.expires_in, control.lifetime.read()]).toEqual([5, { expiresIn: 5, documented: false }]);
  expect(control.journal.page().expiresIn).toBe(5);
  control.clock.advance(4);
  expect((await client.call('GET', path, pair.access_token)).status).toBe(200);
  control.clock.advance(1);
  expect((await client.call('GET', path, pair.access_token)).status).toBe(401);
  expect(await (await client.send(`${client.emulator.authUrl}/`)).text()).toContain('5 seconds');
  control.lifetime.set(undefined);
  expect((await client.pair()).expires_in).toBe(7_200);
  const next = (await (await client.refresh({ refresh_token: pair.refresh_token })).json()) as Pair;
  control.clock.advance(7_199);
  expect([next.expires_in, (await client.call('GET', path, next.access_token)).status]).toEqual([7_200, 200]);
  control.clock.advance(1);
  expect((await client.call('GET', path, next.access_token)).status).toBe(401);
  control.reset();
  expect(control.lifetime.read().expiresIn).toBe(5);
  for (const wrong of [0, 1.5, -1, 1e9])
    await expect(startClient({ expiresIn: wrong })).rejects.toThrow(/expiresIn.*whole seconds from 1/);
});

test('codes and tokens have every character that may be in one', async () => {
  const client = await startClient();
  const { control, seed } = client.emulator;
  control.tokenForm.set('every-character');
  const { access_token, refresh_token } = await client.pair();
  expect(access_token).toMatch(/-\._~\+\/=$/);
  const again = await client.exchange({ code: await client.code() });
  expect(await again.text()).toMatch(/"access_token":"[^"]*-\._~\\u002b\\\/=",/);
  expect(refresh_token).toMatch(/-\._~\+\/%2B&=$/);
  expect((await client.call('GET', client.path(seed.projects[0].id), access_token)).status).toBe(200);
  expect((await client.refresh({ refresh_token })).status).toBe(200);
});

test('tokens have 2,000 characters, and a code no more than fit into an address', async () => {
  const client = await startClient();
  const { control, seed } = client.emulator;
  control.tokenForm.set('long');
  const code = await client.code();
  const { access_token, refresh_token } = await client.pair();
  expect([access_token, refresh_token, code].map(({ length }) => length)).toEqual([2_000, 2_000, 1_000]);
  expect((await client.call('GET', client.path(seed.projects[0].id), access_token)).status).toBe(200);
});

test('an owner decides without a form', async () => {
  const client = await startClient({ autoConsent: 'bruno@example.test' });
  const { control, seed, authUrl } = client.emulator;
  const ask = async () => {
    const query = new URLSearchParams({
      client_id: seed.applications[0].clientId,
      redirect_uri: seed.applications[0].redirectUris[0] ?? '',
      response_type: 'code',
      scope: 'read',
      state: 'kept',
    });
    return redirectQuery(await client.send(`${authUrl}/oauth/authorize?${query}`));
  };
  const granted = await ask();
  expect([granted?.has('code'), granted?.get('state')]).toEqual([true, 'kept']);
  expect(control.journal.entries().at(-1)).toMatchObject({
    user: 'bruno@example.test',
    effect: 'code-issued',
  });
  control.autoConsent.set('ada@example.test', 'deny');
  expect((await ask())?.get('error')).toBe('access_denied');
  control.autoConsent.set(undefined);
  expect((await ask())?.has('code')).not.toBe(true);
  control.reset();
  expect(control.autoConsent.read()).toEqual({ user: 'bruno@example.test', decision: 'grant' });
  await expect(startClient({ autoConsent: 'nobody' })).rejects.toThrow(/ada@example.test.*nobody/);
});
