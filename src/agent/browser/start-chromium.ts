import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { browserEnvironment } from './browser-environment.ts';
import { answered } from './deadline.ts';
import { rememberProcess } from './end-browser.ts';
import { connectElsewhere, isAddress } from './remote-browser.ts';

const unsandboxed = new Map<string | undefined, string>();

/** Startup timeout in milliseconds; long, because a busy machine is slow. */
const STARTING_MS = 60_000;

type Wanted = Omit<
  LaunchOptions,
  'env' | 'chromiumSandbox' | 'handleSIGINT' | 'handleSIGTERM' | 'handleSIGHUP'
>;

export interface StartedBrowser {
  readonly browser: Browser;
  readonly withoutSandbox?: string;
}

export async function startChromium(wanted: Wanted, reachesUs = false): Promise<StartedBrowser> {
  const path = wanted.executablePath;
  if (isAddress(path)) return { browser: await connectElsewhere(path, reachesUs) };
  const options: LaunchOptions = {
    ...wanted,
    timeout: STARTING_MS,
    env: browserEnvironment(process.env),
    // Left to itself it ends the whole process on Ctrl+C, before anybody whom the suite has assigned is unassigned. Without
    // its process the browser ends by itself.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  };
  if (isRoot()) unsandboxed.set(path, 'a browser that is started by root cannot have it');
  if (!unsandboxed.has(path)) {
    try {
      return { browser: await started({ ...options, chromiumSandbox: true }) };
    } catch {
      // Either it cannot have its sandbox here, or it does not start at all; the second attempt tells.
    }
  }
  const browser = await started({ ...options, chromiumSandbox: false });
  const why = unsandboxed.get(path) ?? 'it does not start with it on this machine';
  unsandboxed.set(path, why);
  return { browser, withoutSandbox: why };
}

async function started(options: LaunchOptions): Promise<Browser> {
  const browser = await chromium.launch(options);
  await answered(rememberProcess(browser), STARTING_MS, 'started the browser');
  return browser;
}

function isRoot(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}
