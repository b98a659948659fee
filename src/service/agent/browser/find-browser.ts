import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { UsageError } from '../../../document/input/usage-error.ts';
import { endBrowser, type StartedBrowser, startChromium } from './start-chromium.ts';

/** Environment variable with the browser's binary. It has precedence. */
export const BROWSER_VARIABLE = 'LEGACY_CONFORMANCE_BROWSER';

/** Chromium names used by distributions. The headless shell comes first: it starts twice as fast. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

export interface FoundBrowser {
  /** Absent for Playwright's own browser. */
  readonly executablePath?: string;
  /** Reason for running without the sandbox; absent if the sandbox is on. */
  readonly withoutSandbox?: string;
}

/**
 * Starts the first browser that works: the one named in the environment, Playwright's own (`launch` gets undefined), or one on the
 * machine. @throws UsageError if the one named in the environment does not start; the suite never replaces it silently
 */
export async function startBrowser(
  launch: (executablePath: string | undefined) => Promise<StartedBrowser>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<(StartedBrowser & { readonly found: FoundBrowser }) | undefined> {
  requireCodeFromStrings();
  for (const executablePath of candidates(env)) {
    try {
      const { browser, withoutSandbox } = await launch(executablePath);
      return { browser, found: { executablePath, withoutSandbox } };
    } catch (error) {
      if (error instanceof UsageError) throw error;
      // The next one may start.
    }
  }
  const named = env[BROWSER_VARIABLE];
  if (!named) return undefined;
  throw new UsageError(
    `${BROWSER_VARIABLE} names ${named}, but that is no browser that starts; correct or unset it`,
  );
}

/** Without it Playwright reports every element of a page as missing. */
function requireCodeFromStrings(): void {
  try {
    Reflect.construct(Function, ['']);
  } catch {
    throw new UsageError(
      'this Node may not build code from strings, as Playwright does: remove --disallow-code-generation-from-strings, for instance from NODE_OPTIONS',
    );
  }
}

export async function findBrowser(): Promise<FoundBrowser | undefined> {
  const started = await startBrowser((executablePath) => startChromium({ headless: true, executablePath }));
  if (started !== undefined) await endBrowser(started.browser);
  return started?.found;
}

/** Returns the binaries to try; undefined stands for Playwright's own. */
function candidates(env: NodeJS.ProcessEnv): readonly (string | undefined)[] {
  const named = env[BROWSER_VARIABLE];
  if (named) return [named];
  const own = existsSync(chromium.executablePath()) ? [undefined] : [];
  const directories = (env.PATH ?? '').split(delimiter).filter((d) => d !== '');
  const paths = NAMES.flatMap((name) => directories.map((d) => join(d, name)));
  return [...own, ...paths.filter((path) => existsSync(path))];
}

/** Returns binaries that may open a window, undefined for Playwright's own. Empty without a display. */
export function windowedCandidates(): readonly (string | undefined)[] {
  const { env } = process;
  const blind = process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY;
  if (blind) return [];
  const isWindowed = (path: string | undefined) =>
    path === env[BROWSER_VARIABLE] || !path?.endsWith('headless-shell');
  return candidates(env).filter(isWindowed);
}
