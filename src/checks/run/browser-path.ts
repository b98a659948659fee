import { findBrowser } from '../../agent/browser/find-browser.ts';
import { runPlan } from './plan.ts';

/** Where the runner's own processes leave the browser that was found, so that each does not look again. */
const FOUND = 'LEGACY_CONFORMANCE_BROWSER_FOUND';

/**
 * The browser's binary for tests that draw pages with the runner's own fixtures; undefined for the runner's own. Looked
 * for once a run.
 */
export async function browserPath(): Promise<string | undefined> {
  const { channel, executablePath } = runPlan();
  if (channel !== undefined) return executablePath;
  process.env[FOUND] ??= (await findBrowser())?.executablePath ?? '';
  return process.env[FOUND] || undefined;
}
