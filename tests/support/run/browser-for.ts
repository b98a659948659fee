import type { Browser } from '@playwright/test';
import { launchBrowser } from '../../../src/service/agent/browser/launch.ts';
import { browserPath } from './browser-path.ts';

interface BrowsedService {
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly application: { readonly redirectUris: readonly string[] };
}

/** Starts a browser as a run starts it for this service. */
export async function browserFor({ authUrl, baseUrl, application }: BrowsedService): Promise<Browser> {
  const { browser } = await launchBrowser({
    executablePath: await browserPath(),
    redirectUris: application.redirectUris,
    serviceUrls: [authUrl, baseUrl],
    onlyService: true,
  });
  return browser;
}
