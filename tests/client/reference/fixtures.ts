/** Shared by the tests of the reference client. */
import { test as base } from '@playwright/test';
import {
  type Client,
  type ClientOptions,
  createClient,
  memoryStore,
  type TokenPair,
  type TokenStore,
} from '../../../examples/reference-client/client/index.ts';
import { FaultServer, type Treatment } from '../../support/scripted-client/fault-server.ts';
import { CLIENT_SECRET, CODE, tokens, tokensOf } from '../../support/scripted-client/replies.ts';
import { AUTH_URL, BASE_URL, ScriptedService } from '../../support/scripted-client/scripted-service.ts';

const START = Date.parse('2026-03-02T09:30:00.000Z');

export class TestClock {
  #ms = START;

  /** Milliseconds since 1970. */
  readonly now = (): number => this.#ms;

  advanceSeconds(seconds: number): void {
    this.#ms += seconds * 1000;
  }
}

/** Makes a client of the scripted service; options replace what it would have. */
type MakeClient = (options?: Partial<ClientOptions>) => Client;

interface Fixtures {
  readonly clock: TestClock;
  /** The service as nock scripts it. A request without an answer, or an answer without a request, fails the test. */
  readonly service: ScriptedService;
  /** Starts a service on a real connection. */
  readonly startServer: (...treatments: readonly Treatment[]) => Promise<FaultServer>;
  readonly make: MakeClient;
  /** An empty store, whose writing takes its time. */
  readonly store: TokenStore;
  /** A client of {@link store} that refreshes {@link LEEWAY_SECONDS} early and has exchanged a code for the first pair. */
  readonly connected: Client;
}

export const LEEWAY_SECONDS = 30;

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  clock: async ({}, use) => {
    await use(new TestClock());
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  service: async ({}, use) => {
    const service = new ScriptedService();
    await use(service);
    const problems = service.close();
    if (problems.length > 0) throw new Error(problems.join('\n'));
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  startServer: async ({}, use) => {
    const servers: FaultServer[] = [];
    await use(async (...treatments) => {
      const server = await FaultServer.start(...treatments);
      servers.push(server);
      return server;
    });
    await Promise.all(servers.map((server) => server.close()));
  },
  make: async ({ clock }, use) => {
    await use((options = {}) =>
      createClient({
        authUrl: AUTH_URL,
        baseUrl: BASE_URL,
        clientId: 'client-id-1',
        clientSecret: CLIENT_SECRET,
        redirectUri: 'https://client.legacy.test/callback',
        store: memoryStore(freshPair(clock)),
        now: clock.now,
        expiryLeewaySeconds: 0,
        ...options,
      }),
    );
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  store: async ({}, use) => {
    const store = memoryStore();
    await use({
      ...store,
      write: async (pair) => {
        await new Promise((resolve) => setImmediate(resolve));
        await store.write(pair);
      },
    });
  },
  connected: async ({ make, service, store }, use) => {
    const client = make({ store, expiryLeewaySeconds: LEEWAY_SECONDS });
    service.token(tokens(1));
    await client.exchange(CODE);
    await use(client);
  },
});

export { expect } from '@playwright/test';

/** The n-th pair, with 7200 seconds to live. */
export function freshPair(clock: TestClock, n = 1): TokenPair {
  return { ...tokensOf(n), expiresAt: clock.now() + 7_200_000 };
}

/** The n-th pair, its access token expired. */
export function expiredPair(clock: TestClock, n = 1): TokenPair {
  return { ...tokensOf(n), expiresAt: clock.now() };
}

/** The rejection of a call; undefined if it succeeded. */
export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** A call of one of the three operations. */
export function call(client: Client, operation: (typeof OPERATIONS)[number]): Promise<unknown> {
  return operation === 'list' ? client.list('project-1') : client[operation]('project-1', 'user-1');
}

export const OPERATIONS = ['list', 'assign', 'unassign'] as const;
