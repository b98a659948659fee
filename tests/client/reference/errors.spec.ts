import {
  type Client,
  ClientError,
  ExchangeLost,
  memoryStore,
  OperationRefused,
  ServiceFailed,
  TokenRefused,
  TooManyRequests,
  Unauthorized,
  UnexpectedAnswer,
  Unreachable,
} from '../../../src/client/index.ts';
import { CODE, empty, html, json, tokenError, tokens } from '../../support/scripted-client/replies.ts';
import { deadlineFor } from '../../support/scripted-client/stage.ts';
import { errorOf, expect, expiredPair, test } from './fixtures.ts';

const refusals = [
  [
    'a 400 with an error',
    tokenError(400, 'invalid_grant', 'The code is used.'),
    400,
    'invalid_grant',
    'The code is used.',
  ],
  ['a 401 with an error', tokenError(401, 'invalid_client'), 401, 'invalid_client', 'It was refused.'],
  ['a 400 with HTML', html(400), 400, undefined, undefined],
  ['a 404 without a body', empty(404), 404, undefined, undefined],
  ['an error disguised as a success', json(200, { error: 'invalid_grant' }), 200, 'invalid_grant', undefined],
] as const;
for (const [what, reply, status, error, description] of refusals) {
  test(`the token endpoint refuses with ${what}: TokenRefused`, async ({ make, service }) => {
    service.token(reply);
    const thrown = await errorOf(make().exchange(CODE));
    expect(thrown).toBeInstanceOf(TokenRefused);
    expect(thrown).toMatchObject({ status, error, description, operation: 'exchange', clause: '4.2' });
  });
}

const waits = [
  ['seconds', '30', 30],
  ['a date', 'Mon, 02 Mar 2026 09:31:30 GMT', 90],
  ['a date gone by', 'Mon, 02 Mar 2026 09:00:00 GMT', 0],
  ['nonsense', 'soon', undefined],
] as const;
for (const [what, value, seconds] of waits) {
  test(`Retry-After as ${what} is told in seconds, of a 429 and of a 503`, async ({ make, service }) => {
    service.token(empty(429, { 'Retry-After': value }));
    service.list(empty(503, { 'Retry-After': value }));
    const client = make();
    const limited = await errorOf(client.exchange(CODE));
    expect(limited).toBeInstanceOf(TooManyRequests);
    expect(limited).toMatchObject({ retryAfterSeconds: seconds });
    const down = await errorOf(client.list('project-1'));
    expect(down).toBeInstanceOf(ServiceFailed);
    expect(down).toMatchObject({ status: 503, retryAfterSeconds: seconds, operation: 'list', clause: '4.4' });
  });
}

const departures = [
  [
    'a redirect',
    empty(302, { Location: 'https://elsewhere.legacy.test/?code=secret' }),
    'status 302 with an empty body',
  ],
  ['HTML', html(200), 'status 200 with no JSON (text/html)'],
  ['expires_in as a text', tokens(1, { expires_in: '7200' }), 'expected expires_in to be a whole number'],
  ['expires_in of zero', tokens(1, { expires_in: 0 }), 'expected expires_in to be a whole number'],
  ['a fraction as expires_in', tokens(1, { expires_in: 7200.5 }), 'expected expires_in to be a whole number'],
  ['no expires_in', tokens(1, { expires_in: undefined }), 'came nothing'],
  ['no token_type', tokens(1, { token_type: undefined }), 'expected token_type to be bearer'],
  ['the word null as a token', tokens(1, { access_token: 'null' }), 'came another text'],
  ['a token that fits no header', tokens(1, { access_token: 'a b' }), 'expected access_token to be a token'],
] as const;
for (const [what, reply, message] of departures) {
  test(`the token endpoint answers with ${what}: UnexpectedAnswer that names the shape`, async ({
    make,
    service,
  }) => {
    service.token(reply);
    const thrown = await errorOf(make().exchange(CODE));
    expect(thrown).toBeInstanceOf(UnexpectedAnswer);
    expect(String(thrown)).toContain(message);
  });
}

const lost = [
  ['stall', 'deadline'],
  ['stall-in-body', 'deadline'],
  ['reset', 'interrupted'],
  ['truncate', 'interrupted'],
] as const;
for (const [fault, reason] of lost) {
  test(`${fault} during an exchange: ExchangeLost, caused by Unreachable (${reason})`, async ({
    make,
    startServer,
  }) => {
    const { url } = await startServer(fault);
    const thrown = await errorOf(make({ authUrl: url, deadlineMs: deadlineFor(fault) }).exchange(CODE));
    expect(thrown).toBeInstanceOf(ExchangeLost);
    expect((thrown as ExchangeLost).cause).toBeInstanceOf(Unreachable);
    expect((thrown as ExchangeLost).cause).toMatchObject({ reason });
  });

  for (const operation of ['list', 'assign', 'unassign'] as const) {
    test(`${fault} during ${operation}: Unreachable (${reason})`, async ({ make, startServer }) => {
      const { url } = await startServer(fault);
      const thrown = await errorOf(call(make({ baseUrl: url, deadlineMs: deadlineFor(fault) }), operation));
      expect(thrown).toBeInstanceOf(Unreachable);
      expect(thrown).toMatchObject({ reason, operation });
    });
  }
}

test('nobody listens: Unreachable (not-sent), and the code may be sent later', async ({
  make,
  startServer,
}) => {
  const server = await startServer(tokens(1));
  const { url } = server;
  await server.close();
  let listening = false;
  const client = make({
    authUrl: url,
    fetch: async (request) => (listening ? Response.json(JSON.parse(tokens(1).body)) : fetch(request)),
  });
  const thrown = await errorOf(client.exchange(CODE));
  expect(thrown).toBeInstanceOf(Unreachable);
  expect(thrown).toMatchObject({ reason: 'not-sent', code: 'ECONNREFUSED' });
  listening = true;
  await client.exchange(CODE);
});

for (const operation of ['list', 'assign', 'unassign'] as const) {
  for (const status of [400, 403, 404, 422]) {
    test(`${operation} refused with ${status}: OperationRefused`, async ({ make, service }) => {
      service[operation](json(status, { message: 'no' }));
      const thrown = await errorOf(call(make(), operation));
      expect(thrown).toBeInstanceOf(OperationRefused);
      expect(thrown).toMatchObject({ status, operation });
    });
  }

  test(`${operation} answered with an error disguised as a success: UnexpectedAnswer`, async ({
    make,
    service,
  }) => {
    service[operation](json(200, { error: 'no such project' }));
    expect(await errorOf(call(make(), operation))).toBeInstanceOf(UnexpectedAnswer);
  });
}

test('a 401 right after a refresh: Unauthorized, and no second refresh in that call', async ({
  make,
  service,
  clock,
}) => {
  service.token(tokens(2));
  service.list(empty(401));
  const client = make({ store: memoryStore(expiredPair(clock)) });
  expect(await errorOf(client.list('project-1'))).toBeInstanceOf(Unauthorized);
});

test('a refreshed token that is refused is not refreshed again by the next call', async ({
  make,
  service,
}) => {
  service.token(tokens(2));
  service.list(empty(401), empty(401), empty(401));
  const client = make();
  expect(await errorOf(client.list('project-1'))).toBeInstanceOf(Unauthorized);
  expect(await errorOf(client.list('project-1'))).toBeInstanceOf(Unauthorized);
});

test('every error is a ClientError with its own name', async ({ make, service }) => {
  service.list(empty(404));
  const thrown = await errorOf(make().list('project-1'));
  expect(thrown).toBeInstanceOf(ClientError);
  expect(String(thrown)).toMatch(/^OperationRefused: list: refused with status 404\..*\(clause 4\.4\)$/);
});

function call(client: Client, operation: 'list' | 'assign' | 'unassign'): Promise<unknown> {
  return operation === 'list' ? client.list('project-1') : client[operation]('project-1', 'user-1');
}
