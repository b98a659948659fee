/** The requests of the client, and those that it does not send. */
import {
  CLIENT_SECRET,
  CODE,
  empty,
  html,
  json,
  tokenError,
  tokens,
  tokensOf,
} from '../../support/scripted-client/replies.ts';
import { errorOf, expect, test } from './fixtures.ts';

const LIFETIME_SECONDS = 7_200;
const bearer = (n: number) => `Bearer ${tokensOf(n).accessToken}`;
const refused = empty(401, { 'WWW-Authenticate': 'Bearer realm="Doorkeeper", error="invalid_token"' });

test('an exchange and a refresh send the documented parameters as a form, and nothing else', async ({
  connected,
  service,
}) => {
  service.token(tokens(2));
  await connected.refresh();
  const credentials = { client_id: 'client-id-1', client_secret: CLIENT_SECRET };
  expect(service.tokenForms.map((form) => Object.fromEntries(form))).toEqual([
    {
      ...credentials,
      grant_type: 'authorization_code',
      code: CODE,
      redirect_uri: 'https://client.legacy.test/callback',
    },
    { ...credentials, grant_type: 'refresh_token', refresh_token: tokensOf(1).refreshToken },
  ]);
  for (const { path, headers } of service.requests) {
    expect(path).toBe('/oauth/token');
    expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded(;|$)/i);
    expect(headers.authorization).toBeUndefined();
  }
});

test('a callback that runs twice at once sends the code once', async ({ make, service, store }) => {
  const client = make({ store });
  service.token(tokens(1));
  const outcomes = await Promise.allSettled([client.exchange(CODE), client.exchange(CODE)]);
  expect(outcomes.map(({ status }) => status)).toContain('fulfilled');
  expect(service.tokenForms).toHaveLength(1);
  expect(await store.read()).toMatchObject(tokensOf(1));
  expect(await errorOf(client.exchange(CODE))).toMatchObject({ name: 'CodeAlreadySent' });
});

test('the pairs of an exchange and of a refresh are stored before they are used', async ({
  connected,
  service,
  store,
  clock,
}) => {
  const atUse: unknown[] = [];
  const list = async () => {
    atUse.push(await store.read());
    return json(200, []);
  };
  service.list(list, list);
  await connected.list('project-1');
  clock.advanceSeconds(LIFETIME_SECONDS);
  service.token(tokens(2));
  await connected.list('project-1');
  expect(atUse).toMatchObject([tokensOf(1), tokensOf(2)]);
});

test('each refresh sends the newest refresh token, after a restart too', async ({
  connected,
  make,
  service,
  store,
}) => {
  for (const n of [2, 3, 4]) {
    service.token(tokens(n));
    await (n === 4 ? make({ store }) : connected).refresh();
    expect(await store.read()).toMatchObject(tokensOf(n));
  }
  const sent = service.tokenForms.slice(1).map((form) => form.get('refresh_token'));
  expect(sent).toEqual([1, 2, 3].map((n) => tokensOf(n).refreshToken));
});

test('calls at the same time share one refresh', async ({ connected, service, clock }) => {
  clock.advanceSeconds(LIFETIME_SECONDS);
  service.token(tokens(2));
  service.always('list', json(200, []));
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((project) => connected.list(project)));
  expect(service.operations.map(({ headers }) => headers.authorization)).toEqual(Array(5).fill(bearer(2)));
});

test('a dead refresh token is not sent again; after an outage the stored one is', async ({
  connected,
  service,
  clock,
}) => {
  clock.advanceSeconds(LIFETIME_SECONDS);
  service.token(empty(503), tokens(2), tokenError(400, 'invalid_grant'));
  await errorOf(connected.list('project-1'));
  service.list(json(200, ['user-1']));
  expect(await connected.list('project-1')).toEqual(['user-1']);
  clock.advanceSeconds(LIFETIME_SECONDS);
  for (const _ of [1, 2])
    expect(await errorOf(connected.list('project-1'))).toMatchObject({ error: 'invalid_grant' });
  const sent = service.tokenForms.slice(1).map((form) => form.get('refresh_token'));
  expect(sent).toEqual([1, 1, 2].map((n) => tokensOf(n).refreshToken));
});

test('the three operations reach their paths with the access token; ids are percent-encoded', async ({
  connected,
  service,
}) => {
  const odd = 'a/b?c#d%2Fe é';
  const encoded = 'a%2Fb%3Fc%23d%252Fe%20%C3%A9';
  service.assign(empty(204));
  service.unassign(empty(204));
  service.list(json(200, []));
  await connected.assign(odd, odd);
  await connected.unassign('project-1', 'user-1');
  await connected.list(odd);
  const arrived = service.operations.map(({ method, path, headers }) => [
    method,
    path,
    headers.authorization,
  ]);
  expect(arrived).toEqual([
    ['PUT', `/v2/projects/${encoded}/assigned_users/${encoded}`, bearer(1)],
    ['DELETE', '/v2/projects/project-1/assigned_users/user-1', bearer(1)],
    ['GET', `/v2/projects/${encoded}/assigned_users`, bearer(1)],
  ]);
});

for (const id of ['', '.', '..']) {
  test(`the id "${id}", which no encoding protects, is not sent`, async ({ connected }) => {
    expect(await errorOf(connected.unassign('project-1', id))).toBeInstanceOf(TypeError);
    expect(await errorOf(connected.assign(id, 'user-1'))).toBeInstanceOf(TypeError);
    expect(await errorOf(connected.list(id))).toBeInstanceOf(TypeError);
  });
}

for (const success of [json(200, { id: 'user-1' }), empty(201), empty(202), empty(204), html(200)]) {
  test(`assign and unassign take ${success.status} and ${success.body || 'nothing'} for a success`, async ({
    connected,
    service,
  }) => {
    service.assign(success);
    service.unassign(success);
    await connected.assign('project-1', 'user-1');
    await connected.unassign('project-1', 'user-1');
  });
}

test('a 401 leads to one refresh and one more try', async ({ connected, service }) => {
  service.assign(refused, empty(204));
  service.token(tokens(2));
  await connected.assign('project-1', 'user-1');
  expect(service.operations.map(({ headers }) => headers.authorization)).toEqual([bearer(1), bearer(2)]);
});

test('calls that get 401 at the same time share one refresh', async ({ connected, service }) => {
  service.token(tokens(2));
  service.always('list', ({ headers }) =>
    headers.authorization === bearer(2) ? json(200, ['user-1']) : refused,
  );
  const lists = await Promise.all(['a', 'b', 'c'].map((project) => connected.list(project)));
  expect(lists).toEqual([['user-1'], ['user-1'], ['user-1']]);
});

test('a call overtaken by a refresh is tried again without another', async ({ connected, service }) => {
  service.token(tokens(2));
  service.list(
    async () => {
      // The service kills the old access token at the refresh, while this call is under way.
      await connected.refresh();
      return refused;
    },
    json(200, ['user-1']),
  );
  expect(await connected.list('project-1')).toEqual(['user-1']);
  expect(service.tokenForms).toHaveLength(2);
});
