/**
 * The lower bound for `check`: sign-ins with consent and exchange by the bare Playwright library, in the same browser.
 *
 *     node scripts/bench/walks.ts COUNT WORKERS
 */
import type { Browser, BrowserContext } from 'playwright-core';
import { type Emulator, startEmulator } from '../../src/emulator/start/start-emulator.ts';
import { BROWSER_VARIABLE } from '../../src/service/agent/browser/find-browser.ts';
import { launchBrowser } from '../../src/service/agent/browser/launch.ts';

const [count = 1, workers = 1] = process.argv.slice(2).map(Number);

const { browser } = await launchBrowser({
  executablePath: process.env[BROWSER_VARIABLE],
  redirectUris: [],
  serviceUrls: ['http://127.0.0.1'],
  onlyService: true,
});
let left = count;
await Promise.all(Array.from({ length: workers }, () => worker(browser)));
await browser.close();

async function worker(shared: Browser): Promise<void> {
  const emulator = await startEmulator();
  while (left > 0) {
    left -= 1;
    emulator.control.forgetConsent();
    const context = await shared.newContext();
    await walk(context, emulator);
    await context.close();
  }
  await emulator.close();
}

async function walk(context: BrowserContext, { authUrl, seed }: Emulator): Promise<void> {
  const [application] = seed.applications;
  const [owner] = seed.owners;
  const redirectUri = application?.redirectUris[0] ?? '';
  const client = { client_id: application?.clientId ?? '', redirect_uri: redirectUri };
  const query = new URLSearchParams({ ...client, response_type: 'code', scope: 'read write destroy' });
  const page = await context.newPage();
  await page.goto(`${authUrl}/oauth/authorize?${query}`);
  await page.getByLabel('Email').fill(owner?.email ?? '');
  await page.getByLabel('Password').fill(owner?.password ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  const redirected = page.waitForRequest((request) => request.url().startsWith(redirectUri));
  await page.getByRole('button', { name: 'Authorize' }).click();
  const code = new URL((await redirected).url()).searchParams.get('code') ?? '';
  const answer = await fetch(`${authUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...client,
      client_secret: application?.clientSecret ?? '',
      grant_type: 'authorization_code',
      code,
    }),
  });
  if (answer.status !== 200) throw new Error(`expected 200 from the exchange, got ${answer.status}`);
}
