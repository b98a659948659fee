import { createServer } from 'node:http';
import { test as base, expect } from '@playwright/test';
import { type EmulatorFixtures, type EmulatorWorkerFixtures, emulatorFixtures } from '../../src/fixtures.ts';
import { onLoopback } from '../support/on-loopback.ts';

/** An application under test: it exchanges the code that comes back, lists, and says what came. */
const test = base.extend<EmulatorFixtures & { application: string }, EmulatorWorkerFixtures>({
  ...emulatorFixtures,
  application: async ({ emulator }, use) => {
    const server = createServer(async (request, answer) => {
      const code = new URL(request.url ?? '/', 'http://localhost').searchParams.get('code');
      const [application] = emulator.seed.applications;
      const response = await fetch(`${emulator.authUrl}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: application.clientId,
          client_secret: application.clientSecret,
          code: code ?? '',
          grant_type: 'authorization_code',
          redirect_uri: application.redirectUris[0] ?? '',
        }),
      });
      answer.end(code === null ? 'not granted' : `token endpoint: ${response.status}`);
    });
    const { origin, close } = await onLoopback(server);
    const redirectUri = `${origin}/callback`;
    emulator.control.seed({
      owners: [{ name: 'Ada', email: 'ada@example.test' }],
      applications: [{ name: 'Mine', redirectUris: [redirectUri] }],
      projects: [{ id: '1', name: 'One' }],
      users: [{ id: '1', name: 'Bo', email: 'bo@example.test' }],
    });
    const { clientId } = emulator.seed.applications[0];
    await use(
      `${emulator.authUrl}/oauth/authorize?client_id=${clientId}&redirect_uri=${encodeURIComponent(redirectUri)}&response_type=code&scope=read`,
    );
    await close();
  },
});

test('an application signs its user in on the emulator', async ({ application, page, signIn, decide }) => {
  await page.goto(application);
  await signIn(page);
  await decide(page, 'grant');
  await expect(page.locator('body')).toHaveText('token endpoint: 200');
});

test('a denial comes back to the application', async ({ application, page, signIn, decide }) => {
  await page.goto(application);
  await signIn(page, 'ada@example.test');
  await decide(page, 'deny');
  await expect(page.locator('body')).toHaveText('not granted');
});

test('a fault hits the next token request alone', async ({ application, page, signIn, decide, fault }) => {
  fault({ route: 'token', kind: 'status', status: 503, count: 1 });
  await page.goto(application);
  await signIn(page);
  await decide(page, 'grant');
  await expect(page.locator('body')).toHaveText('token endpoint: 503');
  await page.goto(application);
  await decide(page, 'grant');
  await expect(page.locator('body')).toHaveText('token endpoint: 200');
});

test('an owner whom the seed does not have is told, with those whom it has', async ({ page, signIn }) => {
  await expect(signIn(page, 'eve@example.test')).rejects.toThrow(/ada@example\.test.*got eve@example\.test/);
});

test('the clock moves by seconds, and each test begins as new', async ({ emulator, advance }) => {
  expect(emulator.control.stats().tokenPairs).toBe(0);
  const before = emulator.control.clock.now();
  advance(7200);
  expect(emulator.control.clock.now()).toBe(before + 7200);
});
