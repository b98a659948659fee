import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileStore, RefreshLost } from '../../../examples/reference-client/client/index.ts';
import { empty, json, type Reply, tokens, tokensOf } from '../../support/scripted-client/replies.ts';
import { test as base, errorOf, expect, expiredPair } from './fixtures.ts';
import type { Task, Told } from './process.ts';

const test = base.extend<{ readonly path: string; readonly start: () => Promise<ChildProcess> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  path: async ({}, use) => {
    const directory = await mkdtemp(join(tmpdir(), 'legacy-client-'));
    await use(join(directory, 'tokens.json'));
    await rm(directory, { recursive: true });
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  start: async ({}, use) => {
    const started: ChildProcess[] = [];
    await use(async () => {
      const child = fork(fileURLToPath(new URL('process.ts', import.meta.url)), { execArgv: [] });
      started.push(child);
      await reported(child, (message) => message === 'up');
      return child;
    });
    for (const child of started) child.kill('SIGKILL');
  },
});

/** The first message of a process that fits. */
function reported(child: ChildProcess, fits: (message: Told) => boolean): Promise<Told> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: Told) => {
      if (fits(message)) resolve(message);
    });
    child.once('exit', () => reject(new Error('the process ended before it told')));
  });
}

const ended = (message: Told): boolean => typeof message === 'object';

test('processes that share a file share one refresh', async ({ path, start, startServer, clock }) => {
  await fileStore(path).write(expiredPair(clock));
  const children = await Promise.all([start(), start(), start(), start()]);
  const allHaveRead = Promise.all(children.map((child) => reported(child, (message) => message === 'read')));
  let refreshes = 0;
  const server = await startServer(async ({ method }): Promise<Reply> => {
    if (method === 'GET') return json(200, ['user-1']);
    refreshes += 1;
    // Held back until every process has seen the expired pair: each of them has to decide what to do about it.
    await allHaveRead;
    return refreshes === 1 ? tokens(2) : empty(400);
  });

  const outcomes = Promise.all(children.map((child) => reported(child, ended)));
  const task: Task = { url: server.url, path, now: clock.now() };
  for (const child of children) child.send(task);
  expect(await outcomes).toEqual(children.map(() => ({ users: ['user-1'] })));
  expect(refreshes).toBe(1);
  expect(await fileStore(path).read()).toMatchObject(tokensOf(2));
});

test('a process that dies during a refresh leaves word of it', async ({
  path,
  start,
  startServer,
  clock,
  make,
}) => {
  await fileStore(path).write(expiredPair(clock));
  const child = await start();
  const refreshing = Promise.withResolvers<void>();
  const server = await startServer(() => {
    refreshing.resolve();
    return new Promise<Reply>(() => undefined);
  }, tokens(2));
  const exited = once(child, 'exit');
  child.send({ url: server.url, path, now: clock.now() } satisfies Task);
  await refreshing.promise;
  child.kill('SIGKILL');
  await exited;
  // As if the time had gone by after which its lock counts as abandoned.
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(`${path}.lock`, longAgo, longAgo);

  const client = make({ authUrl: server.url, store: fileStore(path) });
  expect(await errorOf(client.accessToken())).toBeInstanceOf(RefreshLost);
  expect(server.tokenForms).toHaveLength(1);
  await client.recoverLostRefresh();
  expect(await client.accessToken()).toBe(tokensOf(2).accessToken);
});
