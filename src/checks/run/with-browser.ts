import type { Browser } from 'playwright-core';
import { endBrowser } from '../../agent/browser/end-browser.ts';
import { connect, connectThrough } from '../../flow/connect.ts';
import type { Connect } from './prepare-target.ts';

export function throughBrowser(browser: Browser): Connect {
  return (target, secrets, signal) => connectThrough(browser, target, secrets, signal);
}

export function throughStarted(browser: Browser): Connect {
  return async (target, secrets, signal) => {
    const connection = await connectThrough(browser, target, secrets, signal);
    return { ...connection, close: () => endBrowser(browser) };
  };
}

export function withOwnBrowser(executablePath: string | undefined): Connect {
  return (target, secrets, signal) => connect(target, secrets, executablePath, signal);
}
