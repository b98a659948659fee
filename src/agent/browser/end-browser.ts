import type { Browser } from 'playwright-core';
import { over } from './deadline.ts';

const processes = new WeakMap<Browser, number>();

/** Remembers a browser's main process so that it can be killed when the browser stops answering. */
export async function rememberProcess(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const main = processInfo.find(({ type }) => type === 'browser');
  if (main !== undefined) processes.set(browser, main.id);
  await session.detach();
}

/** Closes a browser. Kills its process if it does not close within a few seconds. */
export async function endBrowser(browser: Browser): Promise<void> {
  if (await over(browser.close())) return;
  const id = processes.get(browser);
  if (id === undefined) return;
  try {
    // Its pages' processes end with it.
    process.kill(id, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
