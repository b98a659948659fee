import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { UsageError } from '../../../document/input/usage-error.ts';
import { settles, withPageDeadline } from './deadline.ts';

/** `required` or `off`; anything else tries the sandbox first. */
const SANDBOX = 'LEGACY_CONFORMANCE_SANDBOX';

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

/**
 * Starts Chromium with its sandbox; without it where it is unavailable, unless `LEGACY_CONFORMANCE_SANDBOX` says `required`. With
 * `off` the sandbox is not tried. @throws UsageError if it is required and the browser does not start with it
 */
export async function startChromium(wanted: Wanted): Promise<StartedBrowser> {
  const path = wanted.executablePath;
  const demand = process.env[SANDBOX];
  const options: LaunchOptions = {
    ...wanted,
    timeout: STARTING_MS,
    env: browserEnvironment(process.env),
    // By default Ctrl+C ends the whole process before the suite has unassigned its users. The browser ends with its process.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  };
  if (demand === 'off') unsandboxed.set(path, `${SANDBOX} is off`);
  else if (process.platform === 'linux' && process.getuid?.() === 0)
    unsandboxed.set(path, 'a browser that is started by root cannot have it');
  if (!unsandboxed.has(path)) {
    try {
      return { browser: await started({ ...options, chromiumSandbox: true }) };
    } catch {
      // Either the sandbox is unavailable or nothing starts; the second attempt shows which.
    }
  }
  const browser = await started({ ...options, chromiumSandbox: false });
  const why = unsandboxed.get(path) ?? 'it does not start with it on this machine';
  if (demand === 'required') {
    await endBrowser(browser);
    throw new UsageError(
      `${SANDBOX}: the browser's sandbox is required, and ${why}; allow user namespaces (in a container: --security-opt seccomp=FILE), or set it to off where the service's pages are trusted`,
    );
  }
  unsandboxed.set(path, why);
  return { browser, withoutSandbox: why };
}

async function started(options: LaunchOptions): Promise<Browser> {
  const browser = await chromium.launch(options);
  await withPageDeadline(rememberProcess(browser), STARTING_MS, 'started the browser');
  return browser;
}

const processes = new WeakMap<Browser, number>();

/** Remembers a browser's main process so that it can be killed when the browser stops answering. */
async function rememberProcess(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const main = processInfo.find(({ type }) => type === 'browser');
  if (main !== undefined) processes.set(browser, main.id);
  await session.detach();
}

/** Closes a browser. Kills its process if it does not close within a few seconds. */
export async function endBrowser(browser: Browser): Promise<void> {
  if (await settles(browser.close())) return;
  const id = processes.get(browser);
  if (id === undefined) return;
  try {
    // Its pages' processes end with it.
    process.kill(id, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** Environment variables passed to the browser. This is an allowlist because any other variable may hold a secret. */
const LET_THROUGH = new Set(
  [
    'PATH HOME USER LOGNAME TMPDIR TMP TEMP LANG LANGUAGE TZ LD_LIBRARY_PATH CHROME_DEVEL_SANDBOX',
    'DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS',
    // Windows.
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT APPDATA LOCALAPPDATA USERPROFILE PROGRAMDATA',
    'PROGRAMFILES PROGRAMFILES(X86)',
  ].flatMap((names) => names.split(' ')),
);

const FAMILIES = /^(?:LC_|XDG_|FONTCONFIG_)/;

export function browserEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && (LET_THROUGH.has(name.toUpperCase()) || FAMILIES.test(name))
        ? [[name, value] as const]
        : [],
    ),
  );
}
