import { endBrowser } from '../agent/browser/end-browser.ts';
import { BROWSER_VARIABLE, type FoundBrowser, startBrowser } from '../agent/browser/find-browser.ts';
import { isAddress } from '../agent/browser/remote-browser.ts';
import type { Connect } from '../checks/run/prepare-target.ts';
import { throughStarted, withOwnBrowser } from '../checks/run/with-browser.ts';
import type { Configuration } from '../config/configuration.ts';
import { launcherFor } from '../flow/connect.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import { openConfigured } from '../targets/open-target.ts';
import { requireBrowser } from './prepare.ts';
import { required } from './required-browser.ts';

export interface LiveBrowser {
  readonly found: FoundBrowser;
  readonly connectTo: Connect;
  end(): Promise<void>;
}

export async function liveBrowser(
  configuration: Configuration,
  mayInstall: boolean,
  env: NodeJS.ProcessEnv = process.env,
): Promise<LiveBrowser> {
  const { proxy, tls } = configuration;
  if (isAddress(env[BROWSER_VARIABLE]) || proxy !== undefined || tls !== undefined) {
    const found = await requireBrowser(mayInstall, env);
    return { found, connectTo: withOwnBrowser(found.executablePath), end: async () => undefined };
  }
  const target = await openConfigured(configuration, new SecretRegistry());
  try {
    const launch = await launcherFor(target);
    const { browser, found } = await required(mayInstall, () => startBrowser(launch, env));
    return { found, connectTo: throughStarted(browser), end: () => endBrowser(browser) };
  } finally {
    await target.close();
  }
}
