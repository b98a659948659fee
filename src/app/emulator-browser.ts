import type { Browser } from 'playwright-core';
import { endBrowser } from '../agent/browser/end-browser.ts';
import { startBrowser } from '../agent/browser/find-browser.ts';
import { launchBrowser } from '../agent/browser/launch.ts';
import { required } from './required-browser.ts';

// Imports little, so that the browser starts while the rest of a verb loads.

export async function emulatorBrowser(
  mayInstall: boolean,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Browser> {
  const rules = { redirectUris: [], serviceUrls: ['http://127.0.0.1'], onlyService: true };
  const launch = (executablePath: string | undefined) => launchBrowser({ ...rules, executablePath });
  return (await required(mayInstall, () => startBrowser(launch, env))).browser;
}

export async function endStarting(starting: Promise<Browser> | undefined): Promise<void> {
  const browser = await starting?.catch(() => undefined);
  if (browser !== undefined) await endBrowser(browser);
}
