import { inspect } from 'node:util';
import {
  type ClientOptions,
  fileStore,
  memoryStore,
  queryParameter,
  readAssignedUsers,
  UnexpectedAnswer,
} from '../../../examples/reference-client/client/index.ts';
import { CLIENT_SECRET, CODE, empty, json, tokens, tokensOf } from '../../support/scripted-client/replies.ts';
import { BASE_URL } from '../../support/scripted-client/scripted-service.ts';
import { errorOf, expect, freshPair, test } from './fixtures.ts';

const wrong: readonly (readonly [keyof ClientOptions, unknown])[] = [
  ['authUrl', 'auth.example'],
  ['authUrl', 'ftp://auth.example'],
  ['baseUrl', 'https://user:secret-in-address@api.example'],
  ['baseUrl', 'https://api.example/?key=secret-in-address'],
  ['clientId', ''],
  ['clientSecret', ''],
  ['redirectUri', undefined],
  ['store', undefined],
  ['store', {}],
  ['deadlineMs', 0],
  ['deadlineMs', Number.NaN],
  ['expiryLeewaySeconds', -1],
];
for (const [option, value] of wrong) {
  test(`${option} ${JSON.stringify(value)} is refused by name, without its value`, ({ make }) => {
    const create = () => make({ [option]: value } as Partial<ClientOptions>);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(new RegExp(`^${option}: expected`));
    expect(create).not.toThrow(/secret-in-address/);
  });
}

test('addresses may end in a slash and have a path', async ({ make, service, clock }) => {
  service.list(json(200, []));
  const base = `${BASE_URL}/v2/../`;
  await make({ baseUrl: base, store: memoryStore(freshPair(clock)) }).list('project-1');
  expect(service.operations.map(({ path }) => path)).toEqual(['/v2/projects/project-1/assigned_users']);
  const { url } = make({ authUrl: 'https://auth.example/tenant/' }).authorizationRequest(['read']);
  expect(url).toMatch(/^https:\/\/auth\.example\/tenant\/oauth\/authorize\?/);
});

test('the token can be presented as a query parameter', async ({ make, service }) => {
  service.assign(empty(204));
  await make({ presentToken: queryParameter('bearer_token') }).assign('project-1', 'user-1');
  const [request] = service.operations;
  expect(request?.path).toBe(
    `/v2/projects/project-1/assigned_users/user-1?bearer_token=${tokensOf(1).accessToken}`,
  );
  expect(request?.headers.authorization).toBeUndefined();
});

test('the token can be presented in a way of one’s own', async ({ make, service }) => {
  service.list(json(200, []));
  const client = make({
    presentToken: (request, accessToken) => {
      request.headers.set('X-Token', accessToken);
      return request;
    },
  });
  await client.list('project-1');
  expect(service.operations[0]?.headers).toMatchObject({ 'x-token': tokensOf(1).accessToken });
});

test('the list can be read in a way of one’s own', async ({ make, service }) => {
  service.list(json(200, { data: { users: ['user-1'] } }), json(200, { data: {} }));
  const client = make({ readList: (body) => (body as { data: { users?: string[] } }).data.users });
  expect(await client.list('project-1')).toEqual(['user-1']);
  expect(await errorOf(client.list('project-1'))).toBeInstanceOf(UnexpectedAnswer);
});

for (const [what, body, users] of [
  ['an array', [1, 2], [1, 2]],
  ['an envelope', { users: [1], total: 1 }, [1]],
  ['two arrays', { users: [1], links: [] }, undefined],
  ['an envelope of errors', { errors: ['no'] }, undefined],
  ['a text', 'user-1', undefined],
] as const) {
  test(`the tolerant reading of ${what}`, () => {
    expect(readAssignedUsers(body)).toEqual(users);
  });
}

test('a global fetch that is replaced later is the one that is used', async ({ make, service }) => {
  const client = make();
  const { fetch } = globalThis;
  const seen: string[] = [];
  globalThis.fetch = async (input) => {
    seen.push((input as Request).url);
    return Response.json([]);
  };
  try {
    await client.list('project-1');
  } finally {
    globalThis.fetch = fetch;
  }
  expect(seen).toEqual([`${BASE_URL}/v2/projects/project-1/assigned_users`]);
  expect(service.requests).toHaveLength(0);
});

test('neither a client nor a store shows a secret when it is inspected', async ({ make, service, clock }) => {
  service.token(tokens(1));
  const store = memoryStore(freshPair(clock));
  const client = make({ store });
  await client.exchange(CODE);
  const text = inspect([client, store, fileStore('tokens.json')], { depth: 9, showHidden: true });
  const json = JSON.stringify([client, store]);
  for (const secret of [CLIENT_SECRET, CODE, ...Object.values(tokensOf(1))]) {
    expect(text).not.toContain(secret);
    expect(json).not.toContain(secret);
  }
});
