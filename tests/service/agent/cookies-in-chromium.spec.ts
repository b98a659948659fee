import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, expect, test } from '@playwright/test';
import { CookieJar } from '../../../src/service/agent/cookie-jar.ts';
import { browserPath } from '../../support/run/browser-path.ts';

/** Which cookies come back with a redirect from another site: the same as in Chromium. */

const ATTRIBUTES: readonly (readonly [name: string, attributes: string])[] = [
  ['plain', 'Path=/'],
  ['lax', 'Path=/; SameSite=Lax'],
  ['strict', 'Path=/; SameSite=Strict'],
  ['strict-in-capitals', 'Path=/; SAMESITE=STRICT'],
  ['none', 'Path=/; SameSite=None'],
  ['none-secure', 'Path=/; SameSite=None; Secure'],
  ['secure', 'Path=/; Secure'],
  ['secure-strict', 'Path=/; Secure; SameSite=Strict'],
  ['unknown', 'Path=/; SameSite=Sometimes'],
  ['empty', 'Path=/; SameSite='],
  ['lax-then-strict', 'Path=/; SameSite=Lax; SameSite=Strict'],
  ['strict-then-lax', 'Path=/; SameSite=Strict; SameSite=Lax'],
  ['__Host-right', 'Path=/; Secure; SameSite=Lax'],
  ['__Host-insecure', 'Path=/; SameSite=Lax'],
  ['__Host-below', 'Path=/callback; Secure; SameSite=Lax'],
  ['__Secure-right', 'Path=/; Secure; SameSite=Lax'],
  ['__Secure-insecure', 'Path=/; SameSite=Lax'],
  ['below', 'Path=/callback; SameSite=Lax'],
  ['elsewhere', 'Path=/account; SameSite=Lax'],
  ['over', 'Path=/; Max-Age=0; SameSite=Lax'],
];

const SET = ATTRIBUTES.map(([name, attributes]) => `${name}=1; ${attributes}`);

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return (server.address() as AddressInfo).port;
}

function namesIn(header: string): readonly string[] {
  return header
    .split('; ')
    .map((pair) => pair.split('=')[0] ?? '')
    .toSorted();
}

test('twenty cookies after a redirect from another site, and after a form of that site', async () => {
  const seen: string[] = [];
  const shop = await serve((request, response) => {
    if (request.url === '/connect') response.setHeader('Set-Cookie', SET);
    if (request.url === '/callback') seen.push(request.headers.cookie ?? '');
    response.end('here');
  });
  const callback = `http://localhost:${shop}/callback`;
  const service = await serve((request, response) => {
    if (request.method === 'POST') return response.writeHead(302, { Location: callback }).end();
    const form = (id: string, action: string) =>
      `<form id=${id} method=post action=${action}><button>ok</button></form>`;
    response.setHeader('Content-Type', 'text/html').end(form('grant', '/grant') + form('direct', callback));
  });
  const executablePath = await browserPath();
  const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
  const page = await browser.newPage();
  for (const form of ['#grant', '#direct']) {
    await page.goto(`http://localhost:${shop}/connect`);
    await page.goto(`http://127.0.0.1:${service}/`);
    await page.click(`${form} button`);
    await page.waitForURL(callback);
  }
  await browser.close();
  const jar = new CookieJar();
  for (const cookie of SET) jar.set(cookie, `http://localhost:${shop}/connect`);
  const [byGet = '', byPost = ''] = seen;
  expect(namesIn(jar.headerFor(callback, 'GET'))).toEqual(namesIn(byGet));
  // Chromium sends cookies without SameSite with a POST too, for two minutes.
  const young = ['plain', 'secure', 'unknown', 'empty'];
  expect(namesIn(jar.headerFor(callback, 'POST'))).toEqual(
    namesIn(byPost).filter((name) => !young.includes(name)),
  );
  expect(jar.keptBack(callback)).toEqual([
    'strict (SameSite=Strict)',
    'strict-in-capitals (SameSite=Strict)',
    'secure-strict (SameSite=Strict)',
    'lax-then-strict (SameSite=Strict)',
    'none (SameSite=None without Secure)',
  ]);
});
