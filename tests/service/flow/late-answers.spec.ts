/** Services whose store shows a change later than they acknowledge it. The pauses between the looks are simulated. */
import { expect, test } from '@playwright/test';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import { isListRequest, isSuccess, type Transport, type WireResponse } from '../../../src/http/exchange.ts';
import { LateAnswers } from '../../../src/service/flow/late-answers.ts';
import { checkBehind, idsWith } from '../../support/check-live.ts';
import { emulatorAsLiveTarget } from '../../support/emulator-as-live.ts';

/** Each list is as it was before the last change, until it was read so many times. */
const lateLists =
  (times: number) =>
  (inner: Transport): Transport => {
    const before = new Map<string, WireResponse>();
    const left = new Map<string, number>();
    return async (request, signal) => {
      const [project = ''] = /\/projects\/[^/]+/.exec(request.url) ?? [];
      const response = await inner(request, signal);
      if (!isSuccess(response)) return response;
      if (request.method === 'PUT' || request.method === 'DELETE') left.set(project, times);
      if (!isListRequest(request)) return response;
      const reads = left.get(project) ?? 0;
      left.set(project, reads - 1);
      const old = before.get(project);
      if (reads > 0 && old !== undefined) return old;
      before.set(project, response);
      return response;
    };
  };

/** Each new token is refused at its first uses. */
const lateTokens =
  (times: number, of: 'authorization_code' | 'refresh_token') =>
  (inner: Transport): Transport => {
    const left = new Map<string, number>();
    return async (request, signal) => {
      const [scheme, token = ''] = (
        request.headers.find(([name]) => name === 'Authorization')?.[1] ?? ''
      ).split(' ');
      const uses = left.get(token) ?? 0;
      if (scheme === 'Bearer' && uses > 0) {
        left.set(token, uses - 1);
        return { status: 401, headers: [['WWW-Authenticate', 'Bearer']], body: '', bytes: 0 };
      }
      const response = await inner(request, signal);
      if (request.body?.includes(`grant_type=${of}`) && isSuccess(response))
        left.set(JSON.parse(response.body).access_token, times);
      return response;
    };
  };

test('lists that are right at once need no second look', async () => {
  const results = await checkBehind((inner) => inner);
  expect([results.exitCode, idsWith(results, 'warning')]).not.toContain('list.fresh');
  expect(results.requirements.find(({ id }) => id === 'list.fresh')?.result).toBe('pass');
});

test('lists that are late by less than 2 s are one warning, with the delay', async () => {
  const results = await checkBehind(lateLists(1));
  expect([results.exitCode, idsWith(results, 'fail'), results.troubles]).toEqual([0, [], []]);
  const fresh = results.requirements.find(({ id }) => id === 'list.fresh');
  expect(fresh).toMatchObject({ result: 'warning', reason: expect.stringMatching(/at most \d+ ms late/) });
});

test('lists that are late by more than 2 s fail list.fresh alone', async () => {
  const results = await checkBehind(lateLists(6));
  expect([results.exitCode, idsWith(results, 'fail'), results.troubles]).toEqual([1, ['list.fresh'], []]);
});

test('lists that never show a change fail as before', async () => {
  const results = await checkBehind(lateLists(1_000));
  expect(results.exitCode).toBe(1);
  expect(idsWith(results, 'fail')).toContain('assign.adds-user');
});

for (const [of, id] of [
  ['authorization_code', 'exchange.token-acts'],
  ['refresh_token', 'refresh.new-token-acts'],
] as const) {
  test(`a token that acts only later fails ${id} alone (${of})`, async () => {
    const results = await checkBehind(lateTokens(2, of));
    expect([results.exitCode, idsWith(results, 'fail'), results.troubles]).toEqual([1, [id], []]);
  });
}

test('codes that the token endpoint knows only later fail exchange.form-encoded', async () => {
  const results = await checkBehind((inner) => {
    const known = new Set<string>();
    return async (request, signal) => {
      const code = new URLSearchParams(request.body).get('code');
      if (code === null || known.has(code)) return inner(request, signal);
      known.add(code);
      const headers = [['Content-Type', 'application/json']] as const;
      return { status: 400, headers, body: '{"error":"invalid_grant"}', bytes: 25 };
    };
  });
  expect(results.exitCode).toBe(1);
  expect(idsWith(results, 'fail')).toContain('exchange.form-encoded');
  expect(results.requirements.find(({ id }) => id === 'exchange.form-encoded')?.reason).toContain(
    '2 s later',
  );
});

test('of lists that are all late by 0.8 s, the first is looked at five times and each other one twice', async () => {
  const live = await emulatorAsLiveTarget(await loadProfile('by-the-rfc'), []);
  const [project] = live.projects;
  const list = `${live.baseUrl}/v2/projects/${project}/assigned_users`;
  let pausedMs = 0;
  let assignedAt = 0;
  let looks = 0;
  const assigned: string[] = [];
  const late: Transport = async ({ method, url }) => {
    if (method === 'GET') looks += 1;
    if (method === 'PUT') {
      assigned.push(url.slice(list.length + 1));
      assignedAt = pausedMs;
    }
    const shown = pausedMs - assignedAt < 800 ? assigned.slice(0, -1) : assigned;
    const body = method === 'POST' ? { access_token: 'token-1' } : shown.map((id) => ({ id }));
    return { status: 200, headers: [], body: JSON.stringify(body), bytes: 40 };
  };
  const pause = async (ms: number) => {
    pausedMs += ms;
  };
  const send = new LateAnswers({ ...live, pause }).guard(late);
  await send({ method: 'POST', url: `${live.authUrl}/oauth/token`, headers: [], body: 'code=1' });
  const headers = [['Authorization', 'Bearer token-1']] as const;
  const counted: number[] = [];
  for (const user of live.users.slice(0, 3)) {
    looks = 0;
    await send({ method: 'PUT', url: `${list}/${user}`, headers });
    await send({ method: 'GET', url: list, headers });
    counted.push(looks);
  }
  expect(counted).toEqual([5, 2, 2]);
});

test('a refused change leaves what the change before it made, so a late list is still asked for again', async () => {
  const live = await emulatorAsLiveTarget(await loadProfile('by-the-rfc'), []);
  const [user, list] = [live.users[0], `${live.baseUrl}/v2/projects/${live.projects[0]}/assigned_users`];
  const bearer = (token: string) => [['Authorization', `Bearer ${token}`]] as const;
  let lists = 0;
  const stale: Transport = async ({ method, headers }) => {
    if (headers.some(([, value]) => value.endsWith('unknown')))
      return { status: 401, headers: [], body: '', bytes: 0 };
    if (method === 'POST') {
      const body = JSON.stringify({ access_token: 'good' });
      return { status: 200, headers: [], body, bytes: body.length };
    }
    if (method !== 'GET') return { status: 204, headers: [], body: '', bytes: 0 };
    lists += 1;
    const body = JSON.stringify(lists === 1 ? [{ id: user }] : []);
    return { status: 200, headers: [], body, bytes: body.length };
  };
  const late = new LateAnswers({ ...live, pause: async () => undefined });
  const send = late.guard(stale);
  await send({ method: 'POST', url: `${live.authUrl}/oauth/token`, headers: [], body: 'code=1' });
  await send({ method: 'DELETE', url: `${list}/${user}`, headers: bearer('good') });
  await send({ method: 'PUT', url: `${list}/${user}`, headers: bearer('unknown') });
  const { body } = await send({ method: 'GET', url: list, headers: bearer('good') });
  await live.close();
  expect([body, late.found.map(({ of }) => of)]).toEqual(['[]', ['list']]);
});

for (const [what, refused] of [
  ['new token', 401],
  ['list', 200],
] as const) {
  test(`a ${what} that is answered 410, 429 or 503 afterwards has not become right later`, async () => {
    const live = await emulatorAsLiveTarget(await loadProfile('by-the-rfc'), []);
    const [user, list] = [live.users[0], `${live.baseUrl}/v2/projects/${live.projects[0]}/assigned_users`];
    const busy = [410, 429, 503];
    let looks = 0;
    const service: Transport = async ({ method }) => {
      const json = (status: number, value: unknown) => {
        const body = JSON.stringify(value);
        return { status, headers: [], body, bytes: body.length };
      };
      if (method === 'POST') return json(200, { access_token: 'new' });
      if (method !== 'GET') return json(204, null);
      looks += 1;
      return json(looks % 2 === 1 ? refused : (busy[looks % 3] ?? 0), []);
    };
    const late = new LateAnswers({ ...live, pause: async () => undefined });
    const send = late.guard(service);
    const headers = [['Authorization', 'Bearer new']] as const;
    await send({ method: 'POST', url: `${live.authUrl}/oauth/token`, headers: [], body: 'code=1' });
    if (what === 'list') await send({ method: 'PUT', url: `${list}/${user}`, headers });
    const { status } = await send({ method: 'GET', url: list, headers });
    await live.close();
    expect([status, late.found]).toEqual([refused, []]);
  });
}
