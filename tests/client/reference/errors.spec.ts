import {
  ClientError,
  CodeAlreadySent,
  ExchangeLost,
  memoryStore,
  OperationRefused,
  ServiceFailed,
  TooManyRequests,
  Unauthorized,
  UnexpectedAnswer,
  Unreachable,
} from '../../../examples/reference-client/client/index.ts';
import { deadlineFor } from '../../support/scripted-client/fault-server.ts';
import { CODE, empty, html, json, tokens } from '../../support/scripted-client/replies.ts';
import { call, errorOf, expect, expiredPair, OPERATIONS, test } from './fixtures.ts';

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
    store,
  }) => {
    const server = await startServer(fault, tokens(1));
    const client = make({ authUrl: server.url, deadlineMs: deadlineFor(fault), store });
    const thrown = await errorOf(client.exchange(CODE));
    expect(thrown).toBeInstanceOf(ExchangeLost);
    expect((thrown as ExchangeLost).cause).toBeInstanceOf(Unreachable);
    expect((thrown as ExchangeLost).cause).toMatchObject({ reason });
    expect(await store.read()).toBeUndefined();
    expect(await errorOf(client.exchange(CODE))).toBeInstanceOf(CodeAlreadySent);
    expect(server.tokenForms.length, 'requests that carried the code').toBeLessThanOrEqual(1);
  });

  for (const operation of OPERATIONS) {
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

/** Answers that every operation takes for a failure. */
const FAILURES = [
  [json(400, { error: 'bad request' }), OperationRefused],
  [empty(403), OperationRefused],
  [html(404), OperationRefused],
  [json(409, { message: 'conflict' }), OperationRefused],
  [json(422, { errors: ['no'] }), OperationRefused],
  [json(429, { message: 'slow down' }, { 'Retry-After': '30' }), TooManyRequests],
  [html(500), ServiceFailed],
  [empty(503), ServiceFailed],
  [empty(302, { Location: 'https://elsewhere.legacy.test/sign-in' }), UnexpectedAnswer],
  [json(200, { error: 'no such project' }), UnexpectedAnswer],
] as const;
for (const operation of OPERATIONS) {
  for (const [reply, type] of FAILURES) {
    test(`${operation} answered with ${reply.status}: ${type.name}, and no refresh`, async ({
      make,
      service,
    }) => {
      service[operation](reply);
      const thrown = await errorOf(call(make(), operation));
      expect(thrown).toBeInstanceOf(type);
      expect(thrown).toMatchObject({ operation });
    });
  }
}

for (const reply of [
  html(200),
  empty(200),
  empty(204),
  json(200, null),
  json(200, 7),
  json(200, 'user-1'),
  json(200, { assigned_users: 'user-1' }),
]) {
  test(`a list answered with ${reply.status} and ${reply.body || 'nothing'}: UnexpectedAnswer`, async ({
    make,
    service,
  }) => {
    service.list(reply);
    expect(await errorOf(make().list('project-1'))).toBeInstanceOf(UnexpectedAnswer);
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
