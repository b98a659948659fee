/** A page's requests to the guarded origin carry the headers that its edge asks for; requests to another never do, redirects included. */

import { createServer, type IncomingMessage } from 'node:http';
import { expect, test } from '@playwright/test';
import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../../../src/service/agent/browser/find-browser.ts';
import { RedirectCatcher } from '../../../src/service/agent/browser/redirect-catcher.ts';
import { edgeHeaders } from '../../../src/service/live.ts';
import { onLoopback } from '../../support/on-loopback.ts';

const VALUE = 'of the gateway';
const BASIC = { user: 'staging', password: 'of the edge' };

interface Origin {
  readonly url: string;
  readonly seen: IncomingMessage[];
}

let origins: readonly [guarded: Origin, third: Origin];
let close: () => void;
let browser: Browser;

test.beforeAll(async () => {
  const found = await findBrowser();
  test.skip(found === undefined, 'needs a browser');
  browser = await chromium.launch({ executablePath: found?.executablePath });
});
test.afterAll(() => browser?.close());

test.beforeEach(async () => {
  const started = await Promise.all([0, 1].map(() => startOrigin()));
  const [guarded, third] = started;
  if (guarded === undefined || third === undefined) throw new Error('two were started');
  origins = [guarded, third];
  close = () => {
    for (const { stop } of started) stop();
  };
});
test.afterEach(() => close());

async function startOrigin(): Promise<Origin & { stop(): void }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    seen.push(req);
    const to = new URL(req.url ?? '', 'http://here').searchParams.get('to');
    if (to !== null) return res.writeHead(req.url?.startsWith('/307') ? 307 : 302, { Location: to }).end();
    res.setHeader('Access-Control-Allow-Origin', '*').setHeader('Access-Control-Allow-Headers', '*');
    if (!req.url?.startsWith('/page')) return res.end();
    const [{ url: s }, { url: t }] = origins;
    res.setHeader('Content-Type', 'text/html').end(`<link rel=stylesheet href="${t}/style">
<img src="${s}/own"><img src="${t}/image"><img src="${s}/?to=${t}/after-redirect"><img src="${t}/?to=${s}/back">
<iframe src="${t}/frame"></iframe><form id=f method=post action="${s}/307?to=${t}/form"><input name=a></form>
<script>Promise.allSettled([fetch('${t}/fetch', { headers: { 'X-Own': '1' } }), fetch('${s}/fetch', { headers: { Authorization: 'Bearer own' } }),
  fetch('${s}/?to=${t}/fetched', { mode: 'no-cors' })]).then(() => { document.title = 'done' })</script>`);
  });
  const { origin, close } = await onLoopback(server);
  return { url: origin, seen, stop: close };
}

test('pages, images, styles, frames, fetches, forms and redirects', async () => {
  const [guarded, third] = origins;
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  const configured = { authUrl: guarded.url, baseUrl: guarded.url };
  const requests = { headers: { 'X-Gateway-Key': VALUE } };
  const catcher = await RedirectCatcher.arm(
    page,
    edgeHeaders({ ...configured, requests, edge: { basic: BASIC } }),
  );
  const visit = async () => {
    await page.goto(`${guarded.url}/page`);
    await page.waitForFunction(() => document.title === 'done');
    await Promise.all([
      page.waitForURL(/\/form$/),
      page.evaluate(() => document.querySelector('form')?.submit()),
    ]);
  };
  await catcher.guarding(() => false, 10_000, visit);
  await visit();
  await context.close();

  const paths = third.seen.map(({ url }) => url);
  for (const path of ['/style', '/image', '/after-redirect', '/frame', '/fetch', '/fetched', '/form'])
    expect(paths).toContain(path);
  for (const { url, headers } of third.seen) {
    expect(headers['x-gateway-key'], url).toBeUndefined();
    expect(headers.authorization, url).toBeUndefined();
  }
  expect(guarded.seen.map(({ url }) => url)).toContain('/back');
  for (const { url, headers } of guarded.seen) {
    expect(headers['x-gateway-key'], url).toBe(VALUE);
    const own = url === '/fetch';
    const basic = `Basic ${Buffer.from(`${BASIC.user}:${BASIC.password}`).toString('base64')}`;
    expect(headers.authorization, url).toBe(own ? 'Bearer own' : basic);
  }
});
