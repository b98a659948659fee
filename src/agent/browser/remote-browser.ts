import { type Browser, chromium, type Route } from 'playwright-core';
import { isLoopback } from '../../input/loopback.ts';

const ANSWER_MS = 30_000;

/** A remote browser that cannot be used. The message shows only the origin of its address. */
export class RemoteBrowserTrouble extends Error {
  override readonly name = 'RemoteBrowserTrouble';
}

/** Remote browsers: they have no local process to start, kill or watch. */
const remote = new WeakSet<Browser>();

export function isAddress(named: string | undefined): named is string {
  return named !== undefined && /^(?:wss?|https?):\/\//i.test(named);
}

export function runsElsewhere(browser: Browser | null): boolean {
  return browser !== null && remote.has(browser);
}

export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return 'an address that is none';
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}

export function isDebuggingPort(address: string): boolean {
  return /^https?:/i.test(address) || new URL(address).pathname.includes('/devtools/');
}

export function isReadableOnTheWay(address: string): boolean {
  return /^(?:ws|http):/i.test(address) && !isLoopback(new URL(address).hostname);
}

/**
 * Connects to a remote browser: a Playwright server (`ws://…`) or a debugging port (`http://…`, `ws://…/devtools/…`).
 *
 * @param reachesUs true if the browser must reach this machine's loopback; only a Playwright server can
 * @throws RemoteBrowserTrouble
 */
export async function connectElsewhere(address: string, reachesUs: boolean): Promise<Browser> {
  if (!URL.canParse(address))
    throw new RemoteBrowserTrouble(`expected the address of a browser, got ${shownAddress(address)}`);
  const byPort = isDebuggingPort(address);
  if (byPort && reachesUs && !isLoopback(new URL(address).hostname)) {
    throw new RemoteBrowserTrouble(
      `the browser at ${shownAddress(address)} cannot reach the emulator on this machine: name a Playwright server, which can, or a browser here`,
    );
  }
  try {
    const browser = byPort
      ? await chromium.connectOverCDP(address, { timeout: ANSWER_MS })
      : await chromium.connect(address, {
          timeout: ANSWER_MS,
          ...(reachesUs ? { exposeNetwork: '<loopback>' } : {}),
        });
    remote.add(browser);
    return browser;
  } catch (error) {
    // No `cause`: the driver's message holds the whole address.
    throw new RemoteBrowserTrouble(explained((error as Error).message, shownAddress(address)));
  }
}

function explained(message: string, at: string): string {
  const [server, client] = ['server', 'client'].map(
    (side) => new RegExp(`${side} version: v?(\\d[\\w.-]*)`).exec(message)?.[1],
  );
  if (server !== undefined && client !== undefined)
    return `the Playwright server at ${at} is of version ${server}, and this suite's playwright-core of ${client}: both must be of one version (\`npx playwright@${client} run-server\`), or name a browser's debugging port instead`;
  if (/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ECONNRESET|Timeout \d+ms exceeded/.test(message))
    return `there is no browser at ${at}: nothing answers there`;
  return `the server at ${at} is neither a Playwright server (ws://) nor a Chromium's debugging port (http://, \`--remote-debugging-port\`): check address, path and token`;
}

/**
 * Refuses pop-ups in a remote browser. Only the suite's own pages catch the redirect, and a remote browser would
 * deliver the code.
 */
export async function refuseNewWindows(route: Route): Promise<void> {
  const request = route.request();
  if (!request.isNavigationRequest()) return route.fallback();
  const opener = await openerOf(route);
  return opener ? route.abort('blockedbyclient') : route.fallback();
}

async function openerOf(route: Route): Promise<boolean> {
  try {
    const page = route.request().frame().page();
    return (await page.opener()) !== null;
  } catch {
    // A page that was just opened has no frame yet; the suite's own pages have one before they navigate.
    return true;
  }
}
