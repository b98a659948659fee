import type { Browser } from 'playwright-core';
import { endBrowser } from '../../agent/browser/end-browser.ts';
import { connect, connectThrough } from '../../flow/connect.ts';
import type { Connect } from './ground.ts';

/** Connects to targets by pages in a browser that runs already; for several lanes on emulators. */
export function throughBrowser(browser: Browser): Connect {
  return (target, secrets, signal) => connectThrough(browser, target, secrets, signal);
}

/** Connects to one target by pages in a browser that was started for it, and that ends with the connection. */
export function throughStarted(browser: Browser): Connect {
  return async (target, secrets, signal) => {
    const connection = await connectThrough(browser, target, secrets, signal);
    return { ...connection, close: () => endBrowser(browser) };
  };
}

/** Connects to a target by pages in a browser of its own, which reaches it as its configuration says. */
export function withOwnBrowser(executablePath: string | undefined): Connect {
  return (target, secrets, signal) => connect(target, secrets, executablePath, signal);
}
