import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { browserEnvironment } from './browser-environment.ts';
import { answered } from './deadline.ts';
import { rememberProcess } from './end-browser.ts';
import { connectElsewhere, isAddress } from './remote-browser.ts';

/** Why the browser of a path runs without its sandbox; found out once a process. */
const unsandboxed = new Map<string | undefined, string>();

/** Milliseconds until a browser has started: many, because machines are slow while they do much else. */
const STARTING_MS = 60_000;

type Wanted = Omit<
  LaunchOptions,
  'env' | 'chromiumSandbox' | 'handleSIGINT' | 'handleSIGTERM' | 'handleSIGHUP'
>;

export interface StartedBrowser {
  readonly browser: Browser;
  /** Why it runs without its sandbox; absent where it has one. */
  readonly withoutSandbox?: string;
}

/**
 * Starts a Chromium: with its sandbox whenever it starts with one, and with nothing of this process's environment that could hold a
 * secret. Where an address stands for its path, connects to the browser there.
 *
 * @param reachesUs of a browser elsewhere: it is to visit servers of this machine
 * @throws Error of the driver when it does not start either way, RemoteBrowserTrouble when there is none at the address
 */
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
