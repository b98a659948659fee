import { inspect } from 'node:util';
import {
  AuthorizationNeeded,
  memoryStore,
  type TokenPair,
  type TokenStore,
  TokenStoreFailed,
} from '../../../examples/reference-client/client/index.ts';
import { CODE, json, tokens, tokensOf } from '../../support/scripted-client/replies.ts';
import { errorOf, expect, expiredPair, freshPair, test } from './fixtures.ts';

/** A store whose writing of certain pairs fails until it is mended, with a message that quotes the pair. */
function failingStore(fails: (pair: TokenPair) => boolean, pair?: TokenPair): TokenStore & { mend(): void } {
  const store = memoryStore(pair);
  let broken = true;
  return {
    ...store,
    async write(next) {
      if (broken && fails(next)) throw new Error(`INSERT INTO tokens VALUES ('${next.accessToken}')`);
      await store.write(next);
    },
    mend() {
      broken = false;
    },
  };
}

const isSecond = ({ refreshToken }: TokenPair) => refreshToken === tokensOf(2).refreshToken;

test('a pair that could not be stored is stored by the next call, before it is used', async ({
  make,
  service,
  clock,
}) => {
  const store = failingStore(isSecond, expiredPair(clock));
  service.token(tokens(2));
  const client = make({ store });
  expect(await errorOf(client.list('project-1'))).toBeInstanceOf(TokenStoreFailed);
  expect(await errorOf(client.list('project-1'))).toBeInstanceOf(TokenStoreFailed);
  expect(service.operations).toHaveLength(0);

  store.mend();
  let storedAtUse: unknown;
  service.list(async () => {
    storedAtUse = await store.read();
    return json(200, []);
  });
  await client.list('project-1');
  expect(storedAtUse).toMatchObject(tokensOf(2));
});

test('so is the pair of an exchange', async ({ make, service }) => {
  const store = failingStore(() => true);
  service.token(tokens(1));
  const client = make({ store });
  expect(await errorOf(client.exchange(CODE))).toBeInstanceOf(TokenStoreFailed);
  store.mend();
  expect(await client.accessToken()).toBe(tokensOf(1).accessToken);
  expect(await store.read()).toMatchObject(tokensOf(1));
});

test('so is the pair of an exchange after which the store could not even be locked', async ({
  make,
  service,
}) => {
  const store = memoryStore();
  let locked = true;
  service.token(tokens(1));
  const client = make({
    store: {
      ...store,
      exclusively: async (work) => {
        if (locked) throw new Error('no lock is to be had');
        return await store.exclusively(work);
      },
    },
  });
  expect(await errorOf(client.exchange(CODE))).toBeInstanceOf(TokenStoreFailed);
  locked = false;
  expect(await client.accessToken()).toBe(tokensOf(1).accessToken);
});

test('a pair that could not be stored does not replace a newer one', async ({ make, service, clock }) => {
  const store = failingStore(isSecond, expiredPair(clock));
  service.token(tokens(2));
  const client = make({ store });
  expect(await errorOf(client.refresh())).toBeInstanceOf(TokenStoreFailed);
  store.mend();
  await store.write(freshPair(clock, 3));
  expect(await client.accessToken()).toBe(tokensOf(3).accessToken);
});

test('what a store throws is not repeated, for it may quote a token', async ({ make, service, clock }) => {
  const store = failingStore(isSecond, expiredPair(clock));
  service.token(tokens(2));
  const thrown = await errorOf(make({ store }).refresh());
  expect(inspect(thrown, { depth: 9, showHidden: true })).not.toContain(tokensOf(2).accessToken);
});

test('without tokens no request is sent: AuthorizationNeeded', async ({ make, service }) => {
  const client = make({ store: memoryStore() });
  for (const call of [client.list('project-1'), client.refresh(), client.accessToken()]) {
    expect(await errorOf(call)).toBeInstanceOf(AuthorizationNeeded);
  }
  expect(service.requests).toHaveLength(0);
});

test('clients that share a store share one refresh', async ({ make, service, clock }) => {
  const store = memoryStore(expiredPair(clock));
  service.token(tokens(2));
  const answers = await Promise.all([1, 2, 3].map(() => make({ store }).accessToken()));
  expect(new Set(answers)).toEqual(new Set([tokensOf(2).accessToken]));
});
