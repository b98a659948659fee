/** A browser that does not answer: the suite goes on after a while, and the browser's process is ended. */

import { expect, test } from '@playwright/test';
import type { Browser } from 'playwright-core';
import { TransportFailure } from '../../../src/http/exchange.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { endBrowser } from '../../../src/service/agent/browser/start-chromium.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { connectThrough } from '../../../src/service/flow/connect.ts';
import { authorizationParameters, authorizeUrl, DOCUMENTED } from '../../../src/service/flow/requests.ts';
import { newRecorder } from '../../../src/service/flow/session.ts';
import { ALL_SCOPES, type Target } from '../../../src/service/target.ts';
import { PROVE } from '../../support/prove.ts';
import { browserFor } from '../../support/run/browser-for.ts';

/** Which calls of the driver there were, and which one never comes back. */
interface Stubbornness {
  /** Names of the calls that come back later, `Page.goto`; filled while the browser is used. */
  readonly calls: Set<string>;
  readonly hangs?: string;
}

const REAL = Symbol('real');

/** A running browser through which every object that it hands out has one call that never comes back. */
function stubbornBrowser(browser: Browser, how: Stubbornness): Browser {
  return stubborn(browser, how);
}

function stubborn<T extends object>(real: T, how: Stubbornness): T {
  const wrap = (value: unknown): unknown => (isDriverObject(value) ? stubborn(value, how) : value);
  return new Proxy(real, {
    get(target, key) {
      if (key === REAL) return target;
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return wrap(value);
      return (...args: unknown[]) => {
        const name = nameOf(target, String(key), args);
        if (name === how.hangs) return new Promise(() => undefined);
        const answer: unknown = value.apply(target, args.map(unwrapped));
        if (!(answer instanceof Promise)) return wrap(answer);
        how.calls.add(name);
        return answer.then(wrap);
      };
    },
  });
}

/** `Page.goto`; of a command to the browser, which one, and what is to be intercepted. */
function nameOf(target: object, method: string, [first, second]: readonly unknown[]): string {
  const call = `${target.constructor.name.replace(/^_|\d+$/g, '')}.${method}`;
  if (call !== 'CDPSession.send') return call;
  return [call, first, ...(first === 'Fetch.enable' ? [JSON.stringify(second)] : [])].join(' ');
}

function unwrapped(value: unknown): unknown {
  return typeof value === 'object' ? ((value as { [REAL]?: unknown } | null)?.[REAL] ?? value) : value;
}

function isDriverObject(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    /^_?(?:Browser|BrowserContext|Page|Frame|Locator|ElementHandle|CDPSession)\d*$/.test(
      value.constructor?.name ?? '',
    )
  );
}

/** Milliseconds that a page may take here. */
const DEADLINE_MS = 700;

/** The number of stubborn browsers at a time: they wait more than they work. */
const AT_ONCE = 8;

let target: Target;
let browser: Browser;

test.describe.configure({ mode: 'default', timeout: 120_000 });

test.beforeAll(async () => {
  target = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: true });
  browser = await browserFor(target);
});
test.afterAll(async () => {
  await endBrowser(browser);
  await target.close();
});

/** All that the suite does with a browser: signs in, authorizes, as a stranger too, creates an application, takes cookies, closes. */
async function useOf(how: Stubbornness): Promise<readonly string[]> {
  // Only a call that never comes back has to meet the deadline.
  const pageDeadlineMs = how.hangs === undefined ? target.pages.pageDeadlineMs : DEADLINE_MS;
  const hasty: Target = { ...target, pages: { ...target.pages, pageDeadlineMs } };
  const troubles: string[] = [];
  try {
    const connection = await connectThrough(stubbornBrowser(browser, how), hasty, new SecretRegistry());
    const { session } = connection;
    const parameters = authorizationParameters(hasty.application, DOCUMENTED, { scope: ALL_SCOPES });
    const url = authorizeUrl(hasty, DOCUMENTED, parameters);
    const { redirectUris } = hasty.application;
    for (const signedIn of [true, false]) {
      const options = { decision: 'grant', signedIn, redirectUris } as const;
      const { trouble, caught } = await session.pageAgent.authorize(url, options, newRecorder(session));
      troubles.push(trouble ?? (caught === undefined ? 'no redirect' : 'redirect'));
    }
    const area = hasty.pages.accountArea;
    if (area !== undefined) {
      const wanted = { name: 'Stubborn', redirectUri: redirectUris[0] };
      const at = `${hasty.authUrl}${area.path}`;
      const shown = await session.pageAgent.createApplication(at, area, wanted, newRecorder(session));
      troubles.push(shown.instead);
    }
    await connection.close();
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    troubles.push(error.message);
  }
  return troubles;
}

/** Calls that one look at the service makes to the browser's driver. */
async function callsOfDriver(): Promise<readonly string[]> {
  const calls = new Set<string>();
  expect(await useOf({ calls })).toEqual(['redirect', 'no redirect', '']);
  return [...calls].sort();
}

/** Uses a browser once for each of these calls, which never comes back then. */
async function survived(calls: readonly string[]): Promise<void> {
  const rows = [...calls];
  const next = async (): Promise<void> => {
    const hangs = rows.shift();
    if (hangs === undefined) return;
    await test.step(hangs, () => useOf({ calls: new Set(), hangs }));
    await next();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

test('a call of the driver that never comes back does not stop the suite', PROVE, async () => {
  const often = [
    'Browser.newContext',
    'BrowserContext.close',
    'BrowserContext.route',
    'Page.goto',
    'Locator.click',
  ];
  expect(await callsOfDriver()).toEqual(expect.arrayContaining(often));
  await survived(often);
});

test('whichever call of the driver never comes back, the suite goes on', PROVE, async () => {
  await survived(await callsOfDriver());
});

test('a browser that does not close is ended with its process', async () => {
  test.skip(process.platform === 'win32', 'there a process cannot be halted');
  const halted = await browserFor(target);
  const session = await halted.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const gone = new Promise((resolve) => halted.once('disconnected', resolve));
  const main = processInfo.find(({ type }) => type === 'browser');
  process.kill(main?.id ?? 0, 'SIGSTOP');
  await endBrowser(halted);
  await gone;
});
