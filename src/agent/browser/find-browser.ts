import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { startChromium } from './start-chromium.ts';

/** Environment variable that names the browser's binary, before anything else is looked at. */
export const BROWSER_VARIABLE = 'LEGACY_CONFORMANCE_BROWSER';

/** Names under which distributions install a Chromium; the shell without a window first: it starts twice as fast. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** A browser that was seen to start. `executablePath` is absent for the runner's own. */
export interface FoundBrowser {
  readonly executablePath?: string;
  readonly version: string;
  /** Why it runs without its sandbox; absent where it has one. */
  readonly withoutSandbox?: string;
}

/**
 * Finds a browser that starts: the one named in the environment, the runner's own, or one on the machine. Each
 * candidate is launched once, because a path proves nothing.
 *
 * @returns undefined when there is none
 * @throws Error when the browser named in the environment does not start: then no other is silently taken
 */
export async function findBrowser(env: NodeJS.ProcessEnv = process.env): Promise<FoundBrowser | undefined> {
  const named = env[BROWSER_VARIABLE];
  if (named) {
    const found = await probe(named);
    if (found !== undefined) return found;
    throw new Error(
      `${BROWSER_VARIABLE} names ${named}, but that is no browser that starts; correct or unset it`,
    );
  }
  if (existsSync(chromium.executablePath())) {
    const own = await probe(undefined);
    if (own !== undefined) return own;
  }
  for (const path of onPath(env)) {
    const found = await probe(path);
    if (found !== undefined) return found;
  }
  return probe(undefined);
}

function onPath(env: NodeJS.ProcessEnv): readonly string[] {
  const directories = (env.PATH ?? '').split(delimiter).filter((d) => d !== '');
  return NAMES.flatMap((name) => directories.map((d) => join(d, name))).filter((path) => existsSync(path));
}

/**
 * Binaries that may open a window, the likeliest first; undefined stands for the runner's own. None was started yet.
 *
 * @returns empty on a machine without a display
 */
export function windowedCandidates(env: NodeJS.ProcessEnv = process.env): readonly (string | undefined)[] {
  const blind = process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY;
  if (blind) return [];
  const named = env[BROWSER_VARIABLE];
  if (named) return [named];
  const own = existsSync(chromium.executablePath()) ? [undefined] : [];
  return [...own, ...onPath(env).filter((path) => !path.endsWith('headless-shell'))];
}

async function probe(executablePath: string | undefined): Promise<FoundBrowser | undefined> {
  try {
    const started = await startChromium({ headless: true, executablePath });
    const { browser, withoutSandbox } = started;
    const version = browser.version();
    await browser.close();
    return {
      version,
      ...(executablePath && { executablePath }),
      ...(withoutSandbox !== undefined && { withoutSandbox }),
    };
  } catch {
    return undefined;
  }
}
