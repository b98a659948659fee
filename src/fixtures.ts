import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Emulator, EmulatorOptions, Fault } from './emulator/index.ts';
import { startEmulator } from './emulator/index.ts';

/**
 * Fixtures for an application's own end-to-end tests with @playwright/test: `base.extend(emulatorFixtures)`. An object, not a
 * ready `test`, which would belong to another copy of the runner than the integrator's.
 */

/** The part of a Playwright page that the fixtures need; any version's page fits. */
export interface PageLike {
  locator(selector: string): { fill(value: string): Promise<void>; click(): Promise<void> };
}

/** Fixtures of one test. */
export interface EmulatorFixtures {
  /** The emulator, with its initial state at the beginning of each test. */
  readonly emulator: Emulator;
  /** Fills in and sends the emulator's sign-in page, as the seed's first owner or the owner with this email. */
  readonly signIn: (page: PageLike, email?: string) => Promise<void>;
  /** Answers the emulator's consent page. */
  readonly decide: (page: PageLike, decision: 'grant' | 'deny') => Promise<void>;
  /** Moves the emulator's clock forward, in seconds: `advance(7200)` lets access tokens expire (clause 8). */
  readonly advance: (seconds: number) => void;
  /** Lets the next requests to a route fail. */
  readonly fault: (fault: Fault) => void;
}

/** Fixtures of one worker. */
export interface EmulatorWorkerFixtures {
  /** Options of the emulator; set them by `test.use({ emulatorOptions: … })`. */
  readonly emulatorOptions: EmulatorOptions;
  readonly workerEmulator: Emulator;
}

type Use<T> = (value: T) => Promise<void>;

/** Pass it to `base.extend<EmulatorFixtures, EmulatorWorkerFixtures>(emulatorFixtures)`. */
export const emulatorFixtures = {
  emulatorOptions: [{} as EmulatorOptions, { scope: 'worker', option: true }] as [
    EmulatorOptions,
    { scope: 'worker'; option: true },
  ],

  workerEmulator: [
    async ({ emulatorOptions }: { emulatorOptions: EmulatorOptions }, use: Use<Emulator>) => {
      const { emulator, close } = await started(emulatorOptions);
      try {
        await use(emulator);
      } finally {
        await close();
      }
    },
    { scope: 'worker' },
  ] as [
    (fixtures: { emulatorOptions: EmulatorOptions }, use: Use<Emulator>) => Promise<void>,
    { scope: 'worker' },
  ],

  emulator: async ({ workerEmulator }: { workerEmulator: Emulator }, use: Use<Emulator>) => {
    workerEmulator.reset();
    await use(workerEmulator);
  },

  signIn: async ({ emulator }: { emulator: Emulator }, use: Use<EmulatorFixtures['signIn']>) => {
    await use((page, email) => signIn(emulator, page, email));
  },

  // biome-ignore lint/correctness/noEmptyPattern: the runner reads fixtures' needs from this pattern
  decide: async ({}: object, use: Use<EmulatorFixtures['decide']>) => {
    await use(decide);
  },

  advance: async ({ emulator }: { emulator: Emulator }, use: Use<EmulatorFixtures['advance']>) => {
    await use((seconds) => {
      emulator.control.clock.advance(seconds);
    });
  },

  fault: async ({ emulator }: { emulator: Emulator }, use: Use<EmulatorFixtures['fault']>) => {
    await use((fault) => emulator.control.faults.arm(fault));
  },
};

/** The hooks that the emulator needs of a test runner; those of node:test, Vitest, Jest and Mocha fit. */
export interface RunnerHooks {
  /** node:test and Mocha: `before`; Vitest and Jest: `beforeAll`. */
  readonly before: (start: () => Promise<void>) => unknown;
  readonly beforeEach: (reset: () => void) => unknown;
  /** node:test and Mocha: `after`; Vitest and Jest: `afterAll`. */
  readonly after: (close: () => Promise<void>) => unknown;
}

/** The emulator of a file of tests, with actions for its tests. */
export interface EmulatorInTests extends Pick<EmulatorFixtures, 'signIn' | 'decide' | 'advance' | 'fault'> {
  /** The emulator, with its initial state at the beginning of each test. Throws before the first test has begun. */
  readonly emulator: Emulator;
}

const FITTING = {
  before: 'before of node:test or Mocha, beforeAll of Vitest or Jest',
  beforeEach: 'beforeEach of any runner',
  after: 'after of node:test or Mocha, afterAll of Vitest or Jest',
} as const;

/**
 * Starts one emulator for the tests of a file with any runner, resets it before each test, and closes it.
 *
 * @param hooks of the runner: `{ before, beforeEach, after }`
 * @throws TypeError for a missing hook
 */
export function emulatorInTests(hooks: RunnerHooks, options: EmulatorOptions = {}): EmulatorInTests {
  for (const name of ['before', 'beforeEach', 'after'] as const)
    if (typeof hooks?.[name] !== 'function')
      throw new TypeError(`emulatorInTests: expected ${name}, a hook of the test runner: ${FITTING[name]}`);
  let running: Started | undefined;
  const emulator = (): Emulator => {
    if (running !== undefined) return running.emulator;
    throw new TypeError('emulator: expected to be used within a test; it is started before the first one');
  };
  hooks.before(async () => {
    running = await started(options);
  });
  hooks.beforeEach(() => emulator().reset());
  hooks.after(async () => {
    await running?.close();
  });
  return {
    get emulator() {
      return emulator();
    },
    signIn: (page, email) => signIn(emulator(), page, email),
    decide,
    advance: (seconds) => {
      emulator().control.clock.advance(seconds);
    },
    fault: (fault) => emulator().control.faults.arm(fault),
  };
}

interface Started {
  readonly emulator: Emulator;
  close(): Promise<void>;
}

/**
 * Starts an emulator. Without a redirect address in the options, its first application gets one that answers, because a browser
 * follows the redirect before a test could route it.
 */
async function started(options: EmulatorOptions): Promise<Started> {
  if (options.seed !== undefined || options.application?.redirectUris !== undefined) {
    const emulator = await startEmulator(options);
    return { emulator, close: () => emulator.close() };
  }
  const client = createServer((_, answer) => {
    answer.setHeader('Content-Type', 'text/html; charset=utf-8');
    answer.end('<!doctype html><title>Application</title><h1>Back at the application</h1>');
  });
  await once(client.listen(0, '127.0.0.1'), 'listening');
  const redirectUri = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`;
  const application = { ...options.application, redirectUris: [redirectUri] };
  const closeClient = () => {
    client.close();
    client.closeAllConnections();
  };
  const emulator = await startEmulator({ ...options, application }).catch((error: unknown) => {
    // Left open, it would keep a runner such as `node --test` alive.
    closeClient();
    throw error;
  });
  return {
    emulator,
    close: async () => {
      closeClient();
      await emulator.close();
    },
  };
}

async function signIn({ seed: { owners } }: Emulator, page: PageLike, email?: string): Promise<void> {
  const owner = email === undefined ? owners[0] : owners.find((one) => one.email === email);
  if (owner === undefined) {
    const known = owners.map((one) => one.email).join(', ');
    throw new TypeError(`signIn: expected the email of an owner of the seed (${known}), got ${email}`);
  }
  await page.locator('input[name=email]').fill(owner.email);
  await page.locator('input[name=password]').fill(owner.password);
  await page.locator('form[action="/sign-in"] button[type=submit]').click();
}

function decide(page: PageLike, decision: 'grant' | 'deny'): Promise<void> {
  return page.locator(`button[name=decision][value=${decision}]`).click();
}
