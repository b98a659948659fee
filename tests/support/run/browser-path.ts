import { findBrowser } from '../../../src/service/agent/browser/find-browser.ts';

/** The file with the path of the browser, so that each process of the runner does not look again. */
const FOUND = 'LEGACY_CONFORMANCE_BROWSER_FOUND';

/** The browser's binary for tests that open pages; undefined for Playwright's own. Looked for once a run. */
export async function browserPath(): Promise<string | undefined> {
  process.env[FOUND] ??= (await findBrowser())?.executablePath ?? '';
  return process.env[FOUND] || undefined;
}
