import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { programName } from '../../document/input/program-name.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { EXIT, type ExitCode } from '../../report/verdict.ts';
import { BROWSER_VARIABLE, findBrowser, startBrowser } from '../../service/agent/browser/find-browser.ts';
import { launchBrowser } from '../../service/agent/browser/launch.ts';
import { endBrowser } from '../../service/agent/browser/start-chromium.ts';
import { print, printError } from './print.ts';

// Imports little, so that the browser starts while the rest of a verb loads.

async function emulatorBrowser(env: NodeJS.ProcessEnv): Promise<Browser> {
  const rules = { redirectUris: [], serviceUrls: ['http://127.0.0.1'], onlyService: true };
  const launch = (executablePath: string | undefined) => launchBrowser({ ...rules, executablePath });
  return (await requireBrowser(() => startBrowser(launch, env))).browser;
}

/** Starts a browser for the emulator while the work begins, and ends it after the work. A live target's starts later. */
export async function withStartingBrowser<T>(
  onEmulator: boolean,
  work: (starting: Promise<Browser> | undefined) => Promise<T>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<T> {
  const starting = onEmulator ? emulatorBrowser(env) : undefined;
  const started = starting?.catch(() => undefined);
  try {
    return await work(starting);
  } finally {
    const browser = await started;
    if (browser !== undefined) await endBrowser(browser);
  }
}

/** @throws UsageError without a browser */
export async function requireBrowser<T>(look: () => Promise<T | undefined>): Promise<T> {
  const found = await look();
  if (found !== undefined) return found;
  throw new UsageError(
    `no browser was found: run \`${programName()} install-browser\`, or name one in ${BROWSER_VARIABLE}`,
  );
}

export async function installBrowser(): Promise<void> {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('no browser found; installing the package chromium-headless-shell');
    run('apt-get', ['update', '-qq']);
    if (run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell']))
      return;
  }
  console.log('no browser found; asking Playwright to download its own');
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
  run(process.execPath, [cli, 'install', '--only-shell', 'chromium']);
}

function run(command: string, args: readonly string[]): boolean {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}

export async function browserOnRequest(): Promise<ExitCode> {
  const there = await findBrowser();
  if (there === undefined) await installBrowser();
  const found = there ?? (await findBrowser());
  if (found === undefined) {
    printError(
      `no browser could be installed: install Chromium yourself, or name one in ${BROWSER_VARIABLE}\n`,
    );
    return EXIT.usage;
  }
  print(`${there === undefined ? 'installed' : 'found'}: ${found.executablePath}\n`);
  return EXIT.conforms;
}
