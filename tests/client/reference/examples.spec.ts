import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@playwright/test';
import nock from 'nock';
import {
  type Client,
  createClient,
  memoryStore,
  OperationRefused,
  type TokenPair,
  TokenRefused,
} from '../../../examples/reference-client/client/index.ts';
import {
  validateCodeExchange,
  validateTokenRefresh,
  validateTokenResponse,
} from '../../../generated/validators.js';

/** Replays the examples of the consumer tests, as the committed pacts have them, to the client. The specification must allow them. */

const PACTS = fileURLToPath(new URL('../../../contracts/pacts/', import.meta.url));

/** Addresses that exist nowhere. */
const ADDRESS = 'https://service.example.test';
const NOW = Date.parse('2026-03-02T09:30:00.000Z');

interface Body {
  readonly content: unknown;
}

interface Example {
  readonly description: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, readonly string[]>>;
    readonly body?: Body;
  };
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, readonly string[]>>;
    readonly body?: Body;
  };
}

const EXAMPLES = readdirSync(PACTS).flatMap((name) => {
  const pact = JSON.parse(readFileSync(join(PACTS, name), 'utf8')) as { interactions: readonly Example[] };
  return pact.interactions;
});

function example(description: string): Example {
  const found = EXAMPLES.find((one) => one.description === description);
  if (found === undefined) throw new Error(`no pact holds "${description}"`);
  return found;
}

const formOf = ({ request }: Example) =>
  request.body === undefined
    ? undefined
    : Object.fromEntries(new URLSearchParams(String(request.body.content)));

/** Answers exactly these requests, each once: the method, the address, the form and the token must be the example's. */
function replay(examples: readonly Example[]): () => readonly string[] {
  const unexpected: string[] = [];
  const onNoMatch = (first: { method?: string; path?: string }, second?: typeof first) => {
    const { method = '', path = '' } = second ?? first;
    unexpected.push(`no example: ${method} ${path}`);
  };
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
  nock.emitter.on('no match', onNoMatch);
  for (const one of examples) {
    const form = formOf(one);
    const [authorization] = one.request.headers.Authorization ?? [];
    const matches = (body: unknown) =>
      form === undefined ? body === '' : isDeepStrictEqual({ ...(body as object) }, form);
    const { status, headers, body } = one.response;
    nock(
      ADDRESS,
      authorization === undefined ? { badheaders: ['authorization'] } : { reqheaders: { authorization } },
    )
      .intercept(one.request.path, one.request.method, matches)
      .reply(status, body === undefined ? '' : JSON.stringify(body.content), {
        ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, values]) => [name, values.join()])),
      });
  }
  return () => {
    const unsent = nock.isDone() ? [] : nock.pendingMocks().map((mock) => `never sent: ${mock}`);
    nock.emitter.off('no match', onNoMatch);
    nock.cleanAll();
    nock.enableNetConnect();
    nock.restore();
    return [...unexpected, ...unsent];
  };
}

const PAIR = { accessToken: 'example-access-token', refreshToken: 'example-refresh-token' };
const NEXT = { accessToken: 'example-next-access-token', refreshToken: 'example-next-refresh-token' };
const WRONG_SECRET = 'not-the-secret-of-this-application';
const [PROJECT, USER, CODE] = ['example-project', 'example-user', 'example-code'];

interface Scene {
  readonly client: Client;
  readonly stored: () => Promise<TokenPair | undefined>;
}

/** Replays examples to a client that starts with the example's pair, or with the given one. */
async function replaying(
  examples: readonly (string | Example)[],
  play: (scene: Scene) => Promise<void>,
  { pair = PAIR as Omit<TokenPair, 'expiresAt'> | null, clientSecret = 'example-client-secret' } = {},
): Promise<void> {
  const store = memoryStore();
  if (pair !== null) await store.write({ ...pair, expiresAt: NOW + 7200_000 });
  const close = replay(examples.map((one) => (typeof one === 'string' ? example(one) : one)));
  let problems: readonly string[] = [];
  try {
    const client = createClient({
      authUrl: ADDRESS,
      baseUrl: ADDRESS,
      clientId: 'example-client-id',
      clientSecret,
      redirectUri: 'https://client.example.test/callback',
      store,
      now: () => NOW,
    });
    await play({ client, stored: () => store.read() });
  } finally {
    problems = close();
  }
  expect(problems).toEqual([]);
}

/** The example with another status or body of the answer, or with another access token. */
function varied(description: string, response: Partial<Example['response']>, accessToken?: string): Example {
  const { request, ...one } = example(description);
  const headers =
    accessToken === undefined
      ? request.headers
      : { ...request.headers, Authorization: [`Bearer ${accessToken}`] };
  return { ...one, request: { ...request, headers }, response: { ...one.response, ...response } };
}

const listing = (users: readonly unknown[], accessToken?: string) =>
  varied(
    'the assigned users are listed',
    { headers: { 'Content-Type': ['application/json'] }, body: { content: users } },
    accessToken,
  );

const thrownBy = (call: Promise<unknown>) => call.catch((error: unknown) => error);

test('the specification allows every form and every token response', () => {
  expect(EXAMPLES).toHaveLength(12);
  for (const one of EXAMPLES) {
    const form = formOf(one);
    if (form === undefined) continue;
    const fits = form.grant_type === 'refresh_token' ? validateTokenRefresh : validateCodeExchange;
    expect(fits(form), `${one.description}: ${JSON.stringify(fits.errors)}`).toBe(true);
    if (one.response.status >= 300) continue;
    const answer = one.response.body?.content;
    expect(validateTokenResponse(answer), JSON.stringify(validateTokenResponse.errors)).toBe(true);
  }
});

test('the whole flow: exchange, list, assign, unassign and refresh', async () => {
  const { accessToken } = NEXT;
  const refresh = example('a token pair is refreshed');
  const form = String(refresh.request.body?.content).replace(PAIR.refreshToken, NEXT.refreshToken);
  const flow = [
    'a code is exchanged',
    listing([], accessToken),
    varied('a user is assigned', {}, accessToken),
    listing([{ id: USER }], accessToken),
    varied('a user is unassigned', { status: 204 }, accessToken),
    { ...refresh, request: { ...refresh.request, body: { content: form } } },
  ];
  await replaying(
    flow,
    async ({ client, stored }) => {
      await client.exchange(CODE);
      expect(await stored()).toEqual({ ...NEXT, expiresAt: NOW + 7200_000 });
      expect(await client.list(PROJECT)).toEqual([]);
      await client.assign(PROJECT, USER);
      expect(await client.list(PROJECT)).toEqual([{ id: USER }]);
      await client.unassign(PROJECT, USER);
      await client.refresh();
      expect(await stored()).toEqual({ ...NEXT, expiresAt: NOW + 7200_000 });
    },
    { pair: null },
  );
});

for (const [description, call] of [
  ['the assigned users of an unknown project are listed', (client: Client) => client.list(PROJECT)],
  ['an unknown user is assigned', (client: Client) => client.assign(PROJECT, USER)],
] as const) {
  for (const status of [400, 404, 422]) {
    test(`${description}: a refusal with the status ${status}`, async () => {
      await replaying([varied(description, { status })], async ({ client }) => {
        const error = await thrownBy(call(client));
        expect(error).toBeInstanceOf(OperationRefused);
        expect(error).toMatchObject({ status });
      });
    });
  }
}

test('a token that the service does not know is refreshed once, and the call goes through', async () => {
  const unknown = varied('the assigned users are listed', { status: 401 });
  const flow = [unknown, 'a token pair is refreshed', listing([{ id: USER }], NEXT.accessToken)];
  await replaying(flow, async ({ client, stored }) => {
    expect(await client.list(PROJECT)).toEqual([{ id: USER }]);
    expect(await stored()).toMatchObject(NEXT);
  });
  await replaying([unknown, 'an unknown refresh token is sent'], async ({ client }) => {
    expect(await thrownBy(client.list(PROJECT))).toMatchObject({ operation: 'refresh', status: 400 });
  });
});

for (const [description, clientSecret] of [
  ['a used code is exchanged', undefined],
  ['a code is exchanged with a wrong client secret', WRONG_SECRET],
] as const) {
  test(`${description}: refused with the error of the answer, and nothing is stored`, async () => {
    const body = { content: { error: 'invalid_grant' } };
    const refused = varied(description, { headers: { 'Content-Type': ['application/json'] }, body });
    await replaying(
      [refused],
      async ({ client, stored }) => {
        const error = await thrownBy(client.exchange(CODE));
        expect(error).toBeInstanceOf(TokenRefused);
        expect(error).toMatchObject({ error: 'invalid_grant', status: 400 });
        expect(await stored()).toBeUndefined();
      },
      { pair: null, ...(clientSecret === undefined ? {} : { clientSecret }) },
    );
  });
}

test('the replay notices a request without an example, and an answer that nobody fetched', async () => {
  const close = replay([example('the assigned users are listed')]);
  await expect(fetch(`${ADDRESS}/v2/projects/other/assigned_users`)).rejects.toThrow();
  expect(close()).toEqual([
    expect.stringContaining('no example: GET'),
    expect.stringContaining('never sent: GET'),
  ]);
});
