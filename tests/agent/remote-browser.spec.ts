/** `LEGACY_CONFORMANCE_BROWSER` as the address of a browser that runs elsewhere: a Playwright server, or a debugging port. */

import { createServer, type RequestListener } from 'node:http';
import { expect, test } from '@playwright/test';
import { connectElsewhere } from '../../src/agent/browser/remote-browser.ts';
import { check } from '../../src/index.ts';
import type { Results } from '../../src/report/results.ts';
import { runHere } from '../support/command-here.ts';
import { answer, at } from '../support/faulty-service/faults.ts';
import { startFaultyService } from '../support/faulty-service/service.ts';
import { onLoopback } from '../support/on-loopback.ts';
import { firstInTest, PROVE } from '../support/prove.ts';
import {
  debuggingPort,
  type Listener,
  playwrightServer,
  type RemoteBrowser,
  startListener,
} from '../support/remote-browsers.ts';

const REDIRECTS = ['authorize.redirects-with-code', 'authorize.denial-redirects'];

const BROWSERS = {
  'a Playwright server': (resolve: string) => playwrightServer(resolve),
  'a debugging port': (resolve: string) => debuggingPort(resolve),
  'the WebSocket of a debugging port': (resolve: string) => debuggingPort(resolve, 'ws'),
} as const;

for (const [[name, start], details] of firstInTest(Object.entries(BROWSERS), 1)) {
  test.describe(`${name}`, details, () => {
    let client: Listener;
    let browser: RemoteBrowser;

    test.beforeAll(async () => {
      client = await startListener();
      // In this browser the client's host is a real one: what is not caught arrives.
      browser = await start(`MAP client.example.test 127.0.0.1:${client.port}`);
    });
    test.afterAll(async () => {
      await browser.close();
      await client.close();
    });

    test('checks the emulator, and goes on running', async () => {
      const { verdict, requirements } = await check('emulator', {
        only: REDIRECTS,
        env: { LEGACY_CONFORMANCE_BROWSER: browser.address },
      });
      expect(verdict).toBe('conforms');
      expect(requirements.map(({ result }) => result)).toEqual(REDIRECTS.map(() => 'pass'));
      expect(browser.runs()).toBe(true);
    });

    test('checks a live service, and no code reaches the client’s host', async () => {
      const results = await judgedRemotely(browser.address);
      expect(results.verdict).toBe('conforms');
      expect(results.target.grants.page).toBeGreaterThan(0);
      expect(client.connections()).toBe(0);
    });

    test('a window that the service opens delivers nothing there', PROVE, async () => {
      const opens = `<script>addEventListener('click', () => window.open('https://client.example.test/callback?code=1'))</script>
        <form method=post action="/sign-in"><input name=email><input name=password type=password><button>Sign in</button></form>`;
      await judgedRemotely(browser.address, opens);
      expect(client.connections()).toBe(0);
      // Without the suite the same browser goes there.
      const bare = await connectElsewhere(browser.address, false);
      const context = await bare.newContext();
      await (await context.newPage()).goto('https://client.example.test/callback').catch(() => undefined);
      await context.close();
      await bare.close();
      expect(client.connections()).toBeGreaterThan(0);
    });
  });
}

async function judgedRemotely(address: string, page?: string): Promise<Results> {
  const service = await startFaultyService();
  try {
    if (page !== undefined) service.suffer(at(/^GET \/(?:oauth\/authorize|sign-in)/, answer(200, page)));
    const { file, env } = service.configure(test.info().outputPath('.'), {
      application: {
        ...service.settings.application,
        redirectUris: ['https://client.example.test/callback'],
      },
    });
    return await check(file, {
      only: ['authorize.redirects-with-code'],
      env: { ...env, LEGACY_CONFORMANCE_BROWSER: address },
    });
  } finally {
    await service.close();
  }
}

const MISMATCH = `╔═══╗
║ Playwright version mismatch:                       ║
║   - server version: v1.60                          ║
║   - client version: v1.65                          ║
╚═══╝`;

const NO_BROWSERS: readonly (readonly [
  name: string,
  scheme: string,
  answers: RequestListener,
  message: RegExp,
])[] = [
  ['is no browser', 'http', (_, res) => res.end('hello'), /is neither a Playwright server/],
  [
    'is a Playwright server of another version',
    'ws',
    (_, res) => res.writeHead(428).end(MISMATCH),
    /version 1\.60.*playwright-core of 1\.65.*npx playwright@1\.65 run-server/,
  ],
];

for (const [name, scheme, answers, message] of NO_BROWSERS) {
  test(`what ${name} is exit 2, and its token is not shown`, async () => {
    const { port, close } = await onLoopback(createServer(answers));
    const address = `${scheme}://user:geheim-1@127.0.0.1:${port}/geheim-2?token=geheim-3`;
    const ended = check('emulator', { env: { LEGACY_CONFORMANCE_BROWSER: address } });
    const error = await ended.then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    await close();
    expect(error?.name).toBe('UsageError');
    expect(error?.message).toMatch(message);
    expect(JSON.stringify([error?.message, String(error?.cause), error?.stack])).not.toContain('geheim');
  });
}

test('where nothing answers it is exit 2', async () => {
  const ended = await runHere(['check'], { LEGACY_CONFORMANCE_BROWSER: 'ws://127.0.0.1:9/geheim' });
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('nothing answers there')]);
  expect(ended.stderr + ended.stdout).not.toContain('geheim');
});

test('what a browser elsewhere cannot be told is refused before anything is sent', async () => {
  const service = await startFaultyService();
  const { file, env } = service.configure(test.info().outputPath('.'), { proxy: 'http://127.0.0.1:9' });
  const ended = check(file, { env: { ...env, LEGACY_CONFORMANCE_BROWSER: 'ws://127.0.0.1:9' } });
  await expect(ended).rejects.toThrow(/`proxy`: only a browser that the suite starts itself/);
  expect(service.asked).toEqual([]);
  await service.close();
});

test('the emulator is out of reach of a debugging port on another machine', async () => {
  const ended = check('emulator', { env: { LEGACY_CONFORMANCE_BROWSER: 'http://browser.example:9222' } });
  await expect(ended).rejects.toThrow(/cannot reach the emulator on this machine/);
});
