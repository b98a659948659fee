/** Departures that are seen often: the first line of a finding names the cause, not its effect. */
import { expect, test } from '@playwright/test';
import { defaultSeed } from '../../../src/emulator/store/default-seed.ts';
import type { Transport, WireRequest, WireResponse } from '../../../src/http/exchange.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { checkBehind, checkOpened, idsWith } from '../../support/check-live.ts';

const REFUSED: WireResponse = { status: 401, headers: [], body: '', bytes: 0 };

/** Ends the token of a client's last code with its next one. */
function oneGrantAtATime(inner: Transport): Transport {
  const dead = new Set<string>();
  const last = new Map<string, string>();
  return async (request, signal) => {
    const token = request.headers.find(([name]) => name === 'Authorization')?.[1].split(' ')[1] ?? '';
    if (dead.has(token)) return REFUSED;
    const response = await inner(request, signal);
    const sent = new URLSearchParams(request.body);
    if (sent.get('grant_type') !== 'authorization_code' || response.status !== 200) return response;
    const client = sent.get('client_id') ?? '';
    const before = last.get(client);
    if (before !== undefined) dead.add(before);
    last.set(client, JSON.parse(response.body).access_token);
    return response;
  };
}

/** Shows two users on a page, the newest first or last. */
const inPages =
  (newest: 'first' | 'last') =>
  (inner: Transport): Transport => {
    return async (request, signal) => {
      const response = await inner(request, signal);
      const isList = request.method === 'GET' && request.url.includes('/assigned_users');
      if (!isList || response.status !== 200) return response;
      const all = Object.values(JSON.parse(response.body)).flat();
      const users = newest === 'first' ? all.toReversed() : all;
      const next = users.length > 2 ? `${request.url}?page=2` : null;
      const body = JSON.stringify({ count: users.length, next, results: users.slice(0, 2) });
      return { ...response, body, bytes: body.length };
    };
  };

test('a grant that ends the one before is named in the first line of lifetime.alive-until-7200', async () => {
  const { requirements } = await checkBehind(oneGrantAtATime);
  const failed = requirements.find((one) => one.id === 'lifetime.alive-until-7200');
  const named = expect.stringContaining('to outlive a later grant');
  expect([failed?.result, failed?.reason.split('\n')[0]]).toEqual(['fail', named]);
});

for (const [defect, requirement, named] of [
  [
    'exchange-secret-case-ignored',
    'exchange.client-secret-checked',
    'expected exchange with client_secret in another letter case to be refused',
  ],
  [
    'resource-ids-end-at-nul',
    'resource.odd-ids-contained',
    'expected assign with the user id "<id>\\u0000" to reach no user; got 1 more assigned',
  ],
  ['authorize-scope-order-fixed', 'authorize.scope-combined', '(case: scope write read)'],
] as const) {
  test(`the trigger of ${defect} is named, and nothing beside it`, async () => {
    const { requirements } = await checkBehind((inner) => inner, [requirement], [defect]);
    expect(requirements.find(({ id }) => id === requirement)?.reason).toContain(named);
  });
}

test('a failure names what all failed requests carry, and none that succeeded', async () => {
  const { requirements } = await checkBehind((inner) => async (request, signal) => {
    const isOfCode = request.url.endsWith('/oauth/token') && /\bcode=[^&]*-/.test(request.body ?? '');
    return isOfCode ? { ...REFUSED, status: 400 } : inner(request, signal);
  });
  const failed = requirements.find(({ id }) => id === 'exchange.form-encoded');
  const named = expect.stringContaining('of the first and 0 of the others came with a code that holds `-`');
  expect([failed?.result, failed?.reason]).toEqual(['fail', named]);
});

/** Unassigns each user again who was unassigned before. */
function assignsOnce(inner: Transport): Transport {
  const gone = new Set<string>();
  return async (request, signal) => {
    const response = await inner(request, signal);
    if (request.method === 'DELETE' && response.status < 300) gone.add(request.url);
    if (request.method === 'PUT' && gone.has(request.url))
      await inner({ ...request, method: 'DELETE' }, signal);
    return response;
  };
}

test('without a clock, a user who cannot be assigned a second time is lost, and no list is late', async () => {
  const { requirements } = await checkBehind(assignsOnce, [], [], (target) => ({
    ...target,
    clock: undefined,
  }));
  const failed = requirements.filter(({ result }) => result === 'fail').map(({ id }) => id);
  expect(failed).toContain('assign.adds-user');
  expect(failed).not.toContain('list.fresh');
});

test('a list that each token is served from a cache of its own is late, and the unassign did its work', async () => {
  const only = ['unassign.removes-user', 'list.fresh'];
  const { requirements } = await checkBehind((inner) => inner, only, ['list-kept-by-each-token']);
  expect(requirements.map(({ id, result }) => [id, result])).toEqual([
    ['unassign.removes-user', 'blocked'],
    ['list.fresh', 'fail'],
  ]);
});

/** Says of each refresh's response that it is compressed, and it is not. */
function mislabelled(inner: Transport): Transport {
  return async (request, signal) => {
    const response = await inner(request, signal);
    if (!request.body?.includes('grant_type=refresh_token') || response.status !== 200) return response;
    const headers = [...response.headers, ['Content-Encoding', 'gzip'] as const];
    return { ...response, headers, body: '(300 bytes that are not gzip, as Content-Encoding says)' };
  };
}

test('a response that is not encoded as it says is named by its header', async () => {
  const { requirements } = await checkBehind(mislabelled, ['refresh.token-response']);
  expect(requirements.find(({ id }) => id === 'refresh.token-response')?.reason).toContain(
    'status 200 without tokens that can be read, with Content-Encoding: gzip',
  );
});

/** Two instances, of which one does not know the tokens of the other. */
function everyOtherRefused(inner: Transport): Transport {
  let lists = 0;
  return async (request, signal) => {
    const isList = request.method === 'GET' && request.url.includes('/assigned_users');
    if (isList) lists += 1;
    return isList && lists % 2 === 0 ? REFUSED : inner(request, signal);
  };
}

test('a token that is refused right after it was accepted is no wrong project', async () => {
  const { exitCode, troubles } = await checkBehind(everyOtherRefused, ['list.safe']);
  expect([exitCode, troubles.map(({ message }) => message).join('\n')]).toEqual([
    3,
    expect.stringContaining('the service accepted this token a moment ago'),
  ]);
});

/** Grants the last of several scopes alone, and says so. */
function lastScopeAlone(inner: Transport): Transport {
  return (request, signal) => {
    const url = new URL(request.url);
    const last = url.searchParams.get('scope')?.split(' ').at(-1);
    if (last !== undefined && !request.body) url.searchParams.set('scope', last);
    return inner({ ...request, url: url.href }, signal);
  };
}

test('a token response with fewer scopes than were asked for says which', async () => {
  const { exitCode, troubles } = await checkBehind(lastScopeAlone, ['list.safe']);
  expect([exitCode, troubles.map(({ message }) => message).join('\n')]).toEqual([
    3,
    expect.stringContaining('the token response has only the scope'),
  ]);
});

test('a list in pages, which the document leaves open, fails nothing: exit 3 says what to configure', async () => {
  const results = await checkBehind(inPages('last'));
  expect([results.exitCode, idsWith(results, 'fail')]).toEqual([3, []]);
  const { result, reason } = results.requirements.find(({ id }) => id === 'assign.adds-user') ?? {};
  expect([result, reason]).toEqual([
    'not-run',
    expect.stringContaining('the list continues on another page, where the user may be; configure a project'),
  ]);
});

test('an unassigned user whom a page still shows is a failure', async () => {
  const results = await checkBehind(inPages('first'), ['unassign.removes-user'], ['unassign-not-stored']);
  expect([results.exitCode, idsWith(results, 'fail')]).toEqual([1, ['unassign.removes-user']]);
});

test('a service may end a refresh token that comes with another secret', async () => {
  const results = await checkBehind((inner) => {
    const spoiled = new Set<string>();
    const secrets = new Map<string, string>();
    return async (request, signal) => {
      const form = new URLSearchParams(request.body);
      const [sent, id, secret] = ['refresh_token', 'client_id', 'client_secret'].map(
        (name) => form.get(name) ?? '',
      );
      if (!request.url.endsWith('/oauth/token') || !sent || !id || !secret) return inner(request, signal);
      const known = secrets.get(id);
      if (known === secret && spoiled.has(sent))
        return { status: 400, headers: [], body: '{"error":"invalid_grant"}', bytes: 25 };
      const response = await inner(request, signal);
      if (response.status === 200) secrets.set(id, secret);
      else if (known !== secret) spoiled.add(sent);
      return response;
    };
  });
  expect([results.exitCode, idsWith(results, 'fail')]).toEqual([0, []]);
});

/** States a second less in each nth token response. */
const countsDown =
  (n: number) =>
  (inner: Transport): Transport => {
    let responses = 0;
    return async (request, signal) => {
      const response = await inner(request, signal);
      if (!request.url.endsWith('/oauth/token') || response.status !== 200) return response;
      responses += 1;
      if (responses % n !== n - 1) return response;
      const body = response.body.replace('"expires_in":7200', '"expires_in":7199');
      return { ...response, body };
    };
  };

for (const [n, exit] of [
  [200, 0],
  [7, 1],
] as const) {
  test(`a second that passes while each ${n}th token response is made: exit ${exit}`, async () => {
    const results = await checkBehind(countsDown(n));
    expect(results.exitCode).toBe(exit);
    // Which requirement meets the short response first depends on the order of requests.
    for (const { result, reason } of results.requirements)
      if (result === 'fail') expect(reason).toMatch(/expected expires_in to be (the integer )?7200/);
  });
}

test('a service may end a refresh token that another application sends', async () => {
  const results = await checkBehind((inner) => {
    const owners = new Map<string, string>();
    const spoiled = new Set<string>();
    return async (request, signal) => {
      const form = new URLSearchParams(request.body);
      const [sent = '', id = ''] = ['refresh_token', 'client_id'].map((name) => form.get(name) ?? '');
      if (spoiled.has(sent))
        return { status: 400, headers: [], body: '{"error":"invalid_grant"}', bytes: 25 };
      const response = await inner(request, signal);
      const owner = owners.get(sent);
      if (owner !== undefined && owner !== id) spoiled.add(sent);
      if (request.url.endsWith('/oauth/token') && response.status === 200)
        owners.set(JSON.parse(response.body).refresh_token, id);
      return response;
    };
  });
  expect([results.exitCode, idsWith(results, 'fail')]).toEqual([0, []]);
});

test('a code for the last of two redirect addresses, of which the service checks the first alone, is named', async () => {
  const results = await checkBehind(
    (inner) => {
      let last = '';
      return async (request, signal) => {
        const url = new URL(request.url);
        const [first, second] = url.searchParams.getAll('redirect_uri');
        if (first !== undefined) last = '';
        if (first !== undefined && second !== undefined) {
          url.searchParams.set('redirect_uri', first);
          last = second;
        }
        const response = await inner({ ...request, url: url.href }, signal);
        const headers = response.headers.map(
          ([name, value]) =>
            [
              name,
              name.toLowerCase() === 'location' && last !== '' && value.includes('code=')
                ? `${last}${new URL(value).search}`
                : value,
            ] as const,
        );
        return { ...response, headers };
      };
    },
    ['authorize.redirect-uri-authorized', 'authorize.duplicate-parameter'],
  );
  expect(idsWith(results, 'fail')).toEqual(['authorize.redirect-uri-authorized']);
});

test('one unassign that leaves a second row of two assigns at once is named', async () => {
  const results = await checkBehind(
    (inner) => {
      const underWay = new Map<string, number>();
      const twice = new Set<string>();
      return async (request, signal) => {
        const { url, method } = request;
        if (method === 'DELETE' && twice.delete(url)) return { status: 204, headers: [], body: '', bytes: 0 };
        if (method !== 'PUT') return inner(request, signal);
        const others = underWay.get(url) ?? 0;
        if (others > 0) twice.add(url);
        underWay.set(url, others + 1);
        const response = await inner(request, signal);
        underWay.set(url, (underWay.get(url) ?? 1) - 1);
        return response;
      };
    },
    ['unassign.removes-user'],
  );
  expect(idsWith(results, 'fail')).toEqual(['unassign.removes-user']);
  expect(results.requirements[0]?.reason).toContain('after the same assign twice at once');
});

/** Decides the consent page of a request as its owner would, without showing it. */
async function granted(
  transport: Transport,
  request: WireRequest,
  signal?: AbortSignal,
): Promise<WireResponse> {
  const page = await transport({ ...request, method: 'GET' }, signal);
  const fields = [...page.body.matchAll(/<input[^>]*name="(\w+)"[^>]*value="([^"]*)"/g)];
  const form = new URLSearchParams(
    fields.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]),
  );
  form.set('decision', 'grant');
  const headers = [...request.headers, ['Content-Type', 'application/x-www-form-urlencoded']] as const;
  const { href } = new URL('/oauth/authorize', request.url);
  return transport({ method: 'POST', url: href, headers, body: `${form}` }, signal);
}

async function grantNeededBehind(behind: (inner: Transport) => Transport): Promise<string | undefined> {
  const { requirements } = await checkOpened(
    async () => {
      const target = await emulatorTarget({ profile: 'by-the-rfc', defects: [], sockets: true });
      return { ...target, transport: behind(target.transport) };
    },
    { only: ['authorize.grant-needed'] },
  );
  return requirements.find(({ result }) => result === 'fail')?.reason;
}

test('HEAD at the authorization address is no consent', async () => {
  const reason = await grantNeededBehind(
    (inner) => async (request, signal) =>
      request.method === 'HEAD' ? granted(inner, request, signal) : inner(request, signal),
  );
  expect(reason).toContain('expected no code for HEAD');
});

test('a code without a consent page is not told as the doing of HEAD', async () => {
  const reason = await grantNeededBehind((inner) => async (request, signal) => {
    const asksForAll = /scope=read(?:\+|%20)write(?:\+|%20)destroy/.test(request.url);
    return asksForAll && request.method !== 'POST' ? granted(inner, request, signal) : inner(request, signal);
  });
  expect(reason).toContain('expected no code for a page that the owner leaves');
});

test('a project that lists everybody is not blamed on another run alone', async () => {
  const results = await checkBehind((inner) => async (request, signal) => {
    const response = await inner(request, signal);
    const isList = request.method === 'GET' && request.url.includes('/assigned_users');
    if (!isList || response.status !== 200) return response;
    const everybody = JSON.stringify(defaultSeed.users.map(({ id }) => ({ id })));
    return { ...response, body: everybody, bytes: everybody.length };
  });
  expect(results.exitCode).toBe(3);
  expect(results.troubles.map(({ message }) => message).join('\n')).toContain(
    'neither: set `list.userId` to the right place; or the service lists users who are not assigned',
  );
});

/** Validates as many frameworks do: a refused token request is answered with what was sent. */
const echoing =
  (inner: Transport): Transport =>
  async (request, signal) => {
    const response = await inner(request, signal);
    if (!request.url.includes('/oauth/token') || response.status < 400) return response;
    const sent = Object.fromEntries(new URLSearchParams(request.body));
    const error = /"error":"([^"]*)"/.exec(response.body)?.[1];
    const body = JSON.stringify({ error, detail: [{ type: 'missing', loc: ['body'], input: sent }] });
    return { ...response, body, bytes: body.length };
  };

test('a refusal that repeats the refresh token it got gives none: only that it leaks is said', async () => {
  const results = await checkBehind(echoing);
  expect([results.exitCode, idsWith(results, 'fail')]).toEqual([0, []]);
  expect(idsWith(results, 'warning')).toContain('token.error-leaks-nothing');
});

/** Knows the request of the last consent page alone: an older page decides that one, or `nothing`. */
const oneRequestASession =
  (older: 'the last' | 'nothing') =>
  (inner: Transport): Transport => {
    let last = '';
    return async (request, signal) => {
      const { pathname, search } = new URL(request.url);
      if (pathname !== '/oauth/authorize') return inner(request, signal);
      const form = new URLSearchParams(request.body);
      if (request.method === 'POST' && form.get('request') !== last && older === 'nothing')
        return { status: 400, headers: [['Content-Type', 'text/html']], body: 'expired', bytes: 7 };
      if (request.method === 'POST') form.set('request', last);
      const response = await inner(
        request.method === 'POST' ? { ...request, body: `${form}` } : request,
        signal,
      );
      if (request.method === 'GET' && response.status === 200) last = search.slice(1);
      return response;
    };
  };

for (const [older, failed] of [
  ['the last', ['authorize.grant-needed']],
  ['nothing', []],
] as const) {
  test(`a consent page, after another tab opened one, decides ${older} request: ${failed}`, async () => {
    const results = await checkOpened(
      async () => {
        const target = await emulatorTarget({ profile: 'by-the-rfc', defects: [], sockets: true });
        return { ...target, transport: oneRequestASession(older)(target.transport) };
      },
      { only: ['authorize.grant-needed'] },
    );
    expect(idsWith(results, 'fail')).toEqual(failed);
    expect(idsWith(results, 'pass')).toEqual(failed.length === 0 ? ['authorize.grant-needed'] : []);
  });
}

const isCall = (request: WireRequest) => request.url.includes('/projects/');
const withToken = (request: WireRequest, token: string): WireRequest => ({
  ...request,
  headers: request.headers.map(([name, value]) => [
    name,
    name === 'Authorization' ? `Bearer ${token}` : value,
  ]),
});

/** Sends a call with the token of all scopes where `mistakes` says so. */
function mistakingScopes(
  mistakes: (token: string, passed: ReadonlySet<string>, underWay: number) => boolean,
) {
  return (inner: Transport): Transport => {
    const passed = new Set<string>();
    let [whole, underWay] = ['', 0];
    return async (request, signal) => {
      const token = request.headers.find(([name]) => name === 'Authorization')?.[1].split(' ')[1] ?? '';
      if (!isCall(request) || token === '') {
        const response = await inner(request, signal);
        if (response.body.includes('"scope":"read write destroy"'))
          whole = JSON.parse(response.body).access_token;
        return response;
      }
      const isMistaken = mistakes(token, passed, underWay);
      if (token === whole) underWay += 1;
      const response = await inner(isMistaken ? withToken(request, whole) : request, signal);
      if (token === whole) underWay -= 1;
      if (response.status !== 403) passed.add(token);
      return response;
    };
  };
}

/** Takes the client of a refresh without credentials from its token. */
function refreshingForNobody(inner: Transport): Transport {
  let credentials: readonly (readonly [string, string])[] = [];
  return async (request, signal) => {
    const sent = new URLSearchParams(request.body);
    const own = [...sent].filter(([name]) => name.startsWith('client_'));
    if (!request.url.endsWith('/oauth/token')) return inner(request, signal);
    if (own.length > 0 || !sent.has('refresh_token')) {
      const response = await inner(request, signal);
      if (response.status === 200) credentials = own;
      return response;
    }
    for (const [name, value] of credentials) sent.set(name, value);
    return inner({ ...request, body: `${sent}` }, signal);
  };
}

for (const [what, behind, failed] of [
  [
    'a token may do everything after one request',
    mistakingScopes((token, passed) => passed.has(token)),
    'authorize.grant-needed',
  ],
  [
    'a token may do what meets a wider one',
    mistakingScopes((_, __, underWay) => underWay > 0),
    'authorize.grant-needed',
  ],
  ['a refresh needs neither id nor secret', refreshingForNobody, 'refresh.requires-client-id'],
] as const) {
  test(`${what}: ${failed}`, async () => {
    const results = await checkOpened(
      async () => {
        // Its list needs the scope `read`.
        const target = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: true });
        return { ...target, transport: behind(target.transport) };
      },
      { only: [failed] },
    );
    expect(idsWith(results, 'fail')).toEqual([failed]);
  });
}
