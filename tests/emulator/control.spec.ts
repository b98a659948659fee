import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import type { JournalEntry } from '../../src/emulator/control/control-types.ts';
import type { EmulatorOptions } from '../../src/emulator/start/emulator-options.ts';
import type { ResolvedSeed } from '../../src/emulator/store/seed.ts';
import { clientOf, type EmulatorClient, startClient } from '../support/emulator-client.ts';

const SPECIFICATION = parse(
  readFileSync(new URL('../../spec/control.openapi.yaml', import.meta.url), 'utf8'),
) as { readonly paths: Record<string, Record<string, { readonly tags?: readonly string[] }>> };

/** A defect: token responses say 3600. */
const SHORT = 'exchange-expires-in-3600';

interface Told {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>> & {
    readonly error?: string;
    readonly now: number;
    readonly next: number;
    readonly armed: readonly unknown[];
    readonly entries: readonly JournalEntry[];
    readonly seed: ResolvedSeed;
  };
}

async function controlled(options: EmulatorOptions = {}) {
  const client = await startClient({ control: { token: 'control-token' }, ...options });
  const { controlUrl = '' } = client.emulator;
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    token = 'control-token',
  ): Promise<Told> => {
    const response = await client.send(`${controlUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as Told['json'] };
  };
  return { client, ask };
}

test('there is no control port unless asked for', async () => {
  const client = await startClient();
  expect(client.emulator.controlUrl).toBeUndefined();
  await expect(client.send('http://control.emulator.test/state')).rejects.toThrow(/answers at/);
});

test('nothing is told or done without the token', async () => {
  const { client, ask } = await controlled({ listen: true });
  expect(new URL(client.emulator.controlUrl ?? '').hostname).toBe('127.0.0.1');
  for (const token of ['', 'control-toke', 'control-token2', 'CONTROL-TOKEN']) {
    for (const [method, path] of [
      ['GET', '/state'],
      ['GET', '/journal'],
      ['POST', '/reset'],
      ['GET', '/nowhere'],
    ]) {
      const { status, json } = await ask(method ?? '', path ?? '', undefined, token);
      expect([status, JSON.stringify(json).includes('control-token')]).toEqual([401, false]);
    }
  }
  const made = await startClient({ control: {} });
  expect(made.emulator.controlToken).toMatch(/^[A-Za-z0-9_-]{32,}$/);
  await client.emulator.close();
});

for (const listen of [false, true]) {
  test.describe(listen ? 'over a socket' : 'in-process', () => {
    let client: EmulatorClient;
    let ask: Awaited<ReturnType<typeof controlled>>['ask'];

    test.beforeEach(async () => {
      ({ client, ask } = await controlled({ listen }));
    });
    test.afterEach(() => client.emulator.close());

    test('moves the clock, forward only', async () => {
      const { json } = await ask('GET', '/clock');
      expect((await ask('POST', '/clock/advance', { seconds: 7_200 })).json).toEqual({
        now: json.now + 7_200,
      });
      expect(client.emulator.control.clock.now()).toBe(json.now + 7_200);
      for (const seconds of [-1, '5', null]) {
        expect((await ask('POST', '/clock/advance', { seconds })).status).toBe(400);
      }
      expect((await ask('GET', '/clock')).json).toEqual({ now: json.now + 7_200 });
    });

    test('switches defects on and off', async () => {
      const { json } = await ask('GET', '/defects');
      expect([json.active, json.known]).toEqual([
        [],
        expect.arrayContaining([SHORT, 'refresh-token-not-rotated']),
      ]);
      await ask('PUT', '/defects', { active: [SHORT] });
      expect((await client.pair()).expires_in).toBe(3_600);
      const landing = await client.send(`${client.emulator.authUrl}/`);
      expect(await landing.text()).toContain(SHORT);
      await ask('PUT', '/defects', { active: [] });
      expect((await client.pair()).expires_in).toBe(7_200);
      const refused = await ask('PUT', '/defects', { active: ['test.unknown'] });
      expect([refused.status, refused.json.error]).toEqual([
        400,
        expect.stringMatching(/expected ids that .* lists, got "test\.unknown"/),
      ]);
    });

    test('arms faults, shows them and disarms them', async () => {
      await ask('POST', '/faults', { route: 'token', count: 2, kind: 'status', status: 429, retryAfter: 3 });
      const first = await client.exchange({ code: 'x' });
      expect([first.status, first.headers.get('retry-after')]).toEqual([429, '3']);
      expect((await ask('GET', '/faults')).json.armed).toMatchObject([{ route: 'token', count: 1 }]);
      await ask('DELETE', '/faults');
      expect((await client.exchange({ code: 'x' })).status).toBe(400);
      for (const [fault, key] of [
        [{ route: 'nowhere', count: 1, kind: 'reset' }, 'route'],
        [{ route: 'token', count: 1, kind: 'explode' }, 'kind'],
        [{ route: 'token', count: 0, kind: 'reset' }, 'count'],
        [{ route: 'token', count: 1, kind: 'status', status: 100 }, 'status'],
        [{ route: 'token', count: 1, kind: 'status', status: '503' }, 'status'],
      ] as const) {
        const { status, json } = await ask('POST', '/faults', fault);
        expect([status, json.error]).toEqual([400, expect.stringContaining(key)]);
      }
    });

    test('shows the journal, with secrets, and empties it', async () => {
      await client.exchange({ code: 'never-issued' });
      const { json } = await ask('GET', '/journal');
      const entry = json.entries.at(-1);
      expect(entry).toMatchObject({ endpoint: 'token', method: 'POST', target: '/oauth/token', status: 400 });
      expect(entry?.refusal?.refused).toBe('code-unknown');
      expect(entry?.body).toContain(client.emulator.seed.applications[0].clientSecret);
      expect((await ask('DELETE', '/journal')).json).toEqual({ entries: [] });
      expect(client.emulator.control.journal.entries()).toEqual([]);
    });

    test('resets, and takes another seed', async () => {
      const pair = await client.pair();
      const { now } = (await ask('GET', '/clock')).json;
      const defects = (await ask('GET', '/defects')).json;
      await ask('POST', '/clock/advance', { seconds: 86_400 });
      await ask('PUT', '/defects', { active: [SHORT] });
      await ask('POST', '/reset');
      expect((await ask('GET', '/clock')).json).toEqual({ now });
      expect((await ask('GET', '/defects')).json).toEqual(defects);
      const [project] = client.emulator.seed.projects;
      expect((await client.call('GET', client.path(project.id), pair.access_token)).status).toBe(401);
      const seed = {
        owners: [{ name: 'Nobody', email: 'nobody@example.test', password: 'quiet' }],
        applications: [
          { name: 'Only one', redirectUris: ['https://only.example.test/cb'], clientId: 'only' },
        ],
        projects: [{ id: '7', name: 'Seventh', assignedUsers: ['2'] }],
        users: [
          { id: '1', name: 'One', email: 'one@example.test' },
          { id: '2', name: 'Two', email: 'two@example.test' },
        ],
      };
      expect((await ask('POST', '/seed', seed)).json.seed.applications).toMatchObject([{ clientId: 'only' }]);
      const fresh = clientOf(client.emulator);
      expect(await fresh.list('7', (await fresh.pair()).access_token)).toEqual(['2']);
      const { users: _users, ...lacking } = seed;
      for (const [wrong, key] of [
        [lacking, 'users'],
        [{ ...seed, owners: [] }, 'owners'],
        [{ ...seed, projects: [{ id: 'x', name: 'X' }] }, 'projects[0].id'],
        [{ ...seed, projects: [{ id: '7', name: 'X', assignedUsers: ['9'] }] }, 'assignedUsers'],
        [{ ...seed, applications: [{ name: 'X', redirectUris: 'https://x.test' }] }, 'redirectUris'],
      ] as const) {
        const { status, json } = await ask('POST', '/seed', wrong);
        expect([status, json.error]).toEqual([400, expect.stringContaining(key)]);
      }
      expect((await fresh.pair()).token_type).toBe('bearer');
    });

    test('forgets consent, and tells the state', async () => {
      await client.pair();
      expect((await ask('GET', '/state')).json).toMatchObject({
        profile: 'doorkeeper-5',
        addresses: { authUrl: client.emulator.authUrl, controlUrl: client.emulator.controlUrl },
        stats: { tokenPairs: 1, sessions: 1, codes: 1 },
      });
      await ask('POST', '/consent/forget', { email: client.emulator.seed.owners[0].email });
      expect((await client.authorize({}, { decision: 'deny' })).headers.get('location')).toContain(
        'access_denied',
      );
      expect((await ask('POST', '/consent/forget', { email: 'stranger@example.test' })).status).toBe(400);
    });

    test('says what it expects of a path, a method and a body', async () => {
      for (const [method, path, body] of [
        ['GET', '/nowhere', undefined],
        ['DELETE', '/clock', undefined],
      ] as const) {
        const { status, json } = await ask(method, path, body);
        expect([status, json.error]).toEqual([404, expect.stringContaining('POST /clock/advance')]);
      }
      for (const body of ['{', '[]', '3', 'null']) {
        expect((await ask('POST', '/clock/advance', body)).status).toBe(400);
      }
    });
  });
}

test('the port has exactly the operations of its specification', async () => {
  const { client, ask } = await controlled();
  // `emulate` adds those about clients: the emulator itself evaluates nothing.
  const specified = Object.entries(SPECIFICATION.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags }]) => !tags?.includes('Client'))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
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
  const first = (await news).json;
  const { json: rest } = await ask('GET', `/journal?since=${first.next}`);
  const entries = [...first.entries, ...rest.entries];
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
  const pages = ['emulator-control', 'by-curl'].map((name) =>
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
    ['PUT', '/mark', { mark: 'a', application: 'nobody' }, /application: expected the client id.*"nobody"/],
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
