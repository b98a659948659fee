import { memoryStore } from '../../../examples/reference-client/client/index.ts';
import { json, tokens, tokensOf } from '../../support/scripted-client/replies.ts';
import { errorOf, expect, expiredPair, test } from './fixtures.ts';

test('a call that is called off at once sends nothing', async ({ make, service }) => {
  const reason = new Error('not needed any more');
  expect(await errorOf(make().list('project-1', { signal: AbortSignal.abort(reason) }))).toBe(reason);
  expect(service.requests).toHaveLength(0);
});

test('a request under way is called off with the reason of the signal', async ({ make, startServer }) => {
  const control = new AbortController();
  const reason = new Error('the user went away');
  const server = await startServer(async () => {
    control.abort(reason);
    return await new Promise<never>(() => undefined);
  });
  // A deadline that cannot be what ends the request within the test's time.
  const call = make({ baseUrl: server.url, deadlineMs: 600_000 }).assign('project-1', 'user-1', {
    signal: control.signal,
  });
  expect(await errorOf(call)).toBe(reason);
});

test('a refresh under way is finished and stored although its caller left', async ({
  make,
  service,
  clock,
}) => {
  const control = new AbortController();
  const store = memoryStore(expiredPair(clock));
  const left = Promise.withResolvers<void>();
  service.token(async () => {
    control.abort(new Error('the user went away'));
    await left.promise;
    return tokens(2);
  });
  const client = make({ store });
  const other = client.accessToken();
  expect(await errorOf(client.list('project-1', { signal: control.signal }))).toMatchObject({
    message: 'the user went away',
  });
  left.resolve();
  expect(await other).toBe(tokensOf(2).accessToken);
  expect(await store.read()).toMatchObject(tokensOf(2));
});

test('a signal that is never aborted changes nothing', async ({ make, service }) => {
  service.list(json(200, ['user-1']));
  expect(await make().list('project-1', { signal: new AbortController().signal })).toEqual(['user-1']);
});
