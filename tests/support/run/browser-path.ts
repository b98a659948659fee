import { findBrowser } from '../../../src/service/agent/browser/find-browser.ts';

/** Where the runner's own processes leave the browser that was found, so that each does not look again. */
const FOUND = 'LEGACY_CONFORMANCE_BROWSER_FOUND';

/** The browser's binary for tests that open pages; undefined for Playwright's own. Looked for once a run. */
export async function browserPath(): Promise<string | undefined> {
  process.env[FOUND] ??= (await findBrowser())?.executablePath ?? '';
  return process.env[FOUND] || undefined;
}
