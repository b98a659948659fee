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
    // By default Ctrl+C ends the whole process before the suite has unassigned its users. The browser ends with its process.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  };
  if (isRoot()) unsandboxed.set(path, 'a browser that is started by root cannot have it');
  if (!unsandboxed.has(path)) {
    try {
      return { browser: await started({ ...options, chromiumSandbox: true }) };
    } catch {
      // Either the sandbox is unavailable or nothing starts; the second attempt shows which.
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
