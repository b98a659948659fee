import { mkdir, mkdtemp, open, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStore, TokenStoreFailed } from '../../../examples/reference-client/client/index.ts';
import { test as base, errorOf, expect, freshPair } from './fixtures.ts';

const test = base.extend<{ readonly directory: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  directory: async ({}, use) => {
    const directory = await mkdtemp(join(tmpdir(), 'legacy-client-'));
    await use(directory);
    await rm(directory, { recursive: true });
  },
});

test('what was written is read back, also by another store on the file', async ({ directory, clock }) => {
  const path = join(directory, 'new', 'tokens.json');
  const store = fileStore(path);
  expect(await store.read()).toBeUndefined();
  for (const pair of [freshPair(clock, 1), { ...freshPair(clock, 2), refreshSentAt: clock.now() }]) {
    await store.write(pair);
    expect(await fileStore(path).read()).toEqual(pair);
  }
});

test('only the owner may read the file', async ({ directory, clock }) => {
  const path = join(directory, 'tokens.json');
  await writeFile(path, 'an older file that everybody may read', { mode: 0o644 });
  await fileStore(path).write(freshPair(clock));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('who reads while the file is replaced gets the old text, whole', async ({ directory, clock }) => {
  const path = join(directory, 'tokens.json');
  const store = fileStore(path);
  await store.write(freshPair(clock, 1));
  const reader = await open(path);
  await store.write(freshPair(clock, 2));
  expect(JSON.parse(await reader.readFile('utf8'))).toEqual(freshPair(clock, 1));
  await reader.close();
});

test('a writing that fails leaves nothing behind', async ({ directory, clock }) => {
  const path = join(directory, 'tokens.json');
  await mkdir(join(path, 'in-the-way'), { recursive: true });
  const thrown = await errorOf(fileStore(path).write(freshPair(clock)));
  expect(thrown).toBeInstanceOf(TokenStoreFailed);
  expect(String(thrown)).toContain(path);
  expect(await readdir(directory)).toEqual(['tokens.json']);
});

test('a directory that cannot be made is an error', async ({ directory }) => {
  const inTheWay = join(directory, 'a-file');
  await writeFile(inTheWay, '');
  const thrown = await errorOf(fileStore(join(inTheWay, 'tokens.json')).read());
  expect(thrown).toMatchObject({ name: 'TokenStoreFailed', code: expect.stringMatching(/^E/) });
});

for (const [what, text] of [
  ['is cut off', '{"accessToken":"access-token-1-9f3b","refr'],
  ['lacks a field', '{"accessToken":"access-token-1-9f3b","expiresAt":5}'],
  ['has a field of another type', '{"accessToken":"access-token-1-9f3b","refreshToken":"r","expiresAt":"5"}'],
] as const) {
  test(`a file that ${what} is an error that does not quote it`, async ({ directory }) => {
    const path = join(directory, 'tokens.json');
    await writeFile(path, text);
    const thrown = await errorOf(fileStore(path).read());
    expect(thrown).toBeInstanceOf(TokenStoreFailed);
    expect(String(thrown)).toContain(path);
    expect(String(thrown)).not.toContain('access-token-1');
  });
}

test('work under the lock of one store waits for that of another', async ({ directory }) => {
  const path = join(directory, 'tokens.json');
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const one = fileStore(path).exclusively(async () => {
    entered.resolve();
    await first.promise;
    order.push('one');
  });
  await entered.promise;
  const two = fileStore(path).exclusively(async () => {
    order.push('two');
  });
  // The second asks for the lock in vain at least once before the first is done.
  expect(await errorOf(fileStore(path, { lockWaitMs: 50 }).exclusively(async () => undefined))).toMatchObject(
    {
      name: 'TokenStoreFailed',
      code: 'ELOCKED',
    },
  );
  first.resolve();
  await Promise.all([one, two]);
  expect(order).toEqual(['one', 'two']);
});

test('two names of one directory lead to one lock', async ({ directory }) => {
  await mkdir(join(directory, 'real'));
  await symlink(join(directory, 'real'), join(directory, 'alias'));
  const alias = fileStore(join(directory, 'alias', 'tokens.json'), { lockWaitMs: 25 });
  const error = await fileStore(join(directory, 'real', 'tokens.json')).exclusively(() =>
    errorOf(alias.exclusively(async () => undefined)),
  );
  expect(error).toMatchObject({ code: 'ELOCKED' });
});

test('the lock of a process that died is taken over', async ({ directory }) => {
  const path = join(directory, 'tokens.json');
  await mkdir(`${path}.lock`);
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(`${path}.lock`, longAgo, longAgo);
  expect(await fileStore(path).exclusively(async () => 'worked')).toBe('worked');
});

test('the lock is given back when the work fails', async ({ directory }) => {
  const store = fileStore(join(directory, 'tokens.json'), { lockWaitMs: 25 });
  expect(await errorOf(store.exclusively(() => Promise.reject(new Error('no'))))).toMatchObject({
    message: 'no',
  });
  expect(await store.exclusively(async () => 'worked')).toBe('worked');
});
