import type { Browser } from 'playwright-core';
import { programName } from '../../document/input/program-name.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { BROWSER_VARIABLE, startBrowser } from '../../service/agent/browser/find-browser.ts';
import { launchBrowser } from '../../service/agent/browser/launch.ts';
import { endBrowser } from '../../service/agent/browser/start-chromium.ts';

// Imports little, so that the browser starts while the rest of a verb loads.

async function emulatorBrowser(env: NodeJS.ProcessEnv): Promise<Browser> {
  const rules = { redirectUris: [], serviceUrls: ['http://127.0.0.1'], onlyService: true };
  const launch = (executablePath: string | undefined) => launchBrowser({ ...rules, executablePath });
  return (await requireBrowser(() => startBrowser(launch, env))).browser;
}

/** Starts a browser for the emulator while the work begins, and ends it after the work. A live target's starts later. */
export async function withStartingBrowser<T>(
  onEmulator: boolean,
  work: (starting: Promise<Browser> | undefined) => Promise<T>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<T> {
  const starting = onEmulator ? emulatorBrowser(env) : undefined;
  const started = starting?.catch(() => undefined);
  try {
    return await work(starting);
  } finally {
    const browser = await started;
    if (browser !== undefined) await endBrowser(browser);
  }
}

/** @throws UsageError without a browser */
export async function requireBrowser<T>(look: () => Promise<T | undefined>): Promise<T> {
  const found = await look();
  if (found !== undefined) return found;
  throw new UsageError(
    `no browser was found: run \`${programName()} install-browser\`, or name one in ${BROWSER_VARIABLE}`,
  );
}
