import type { Browser } from 'playwright-core';
import { over } from './deadline.ts';

/** Ids of the main processes of the browsers that the suite has started. */
const processes = new WeakMap<Browser, number>();

/** Remembers a browser's main process, so that it can be ended when the browser does not answer any more. */
export async function rememberProcess(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const main = processInfo.find(({ type }) => type === 'browser');
  if (main !== undefined) processes.set(browser, main.id);
  await session.detach();
}

/**
 * Closes a browser. One that has not closed after a few seconds is ended with its process: a run never waits for it, and leaves none
 * behind.
 */
export async function endBrowser(browser: Browser): Promise<void> {
  if (await over(browser.close())) return;
  const id = processes.get(browser);
  if (id === undefined) return;
  try {
    // Its pages' processes end by themselves when it has gone.
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
