import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { BROWSER_VARIABLE, findBrowser } from '../agent/browser/find-browser.ts';
import { isAddress, shownAddress } from '../agent/browser/remote-browser.ts';
import { UsageError } from '../input/usage-error.ts';
import { EXIT, type ExitCode } from '../report/verdict.ts';
import { print, printError } from './print.ts';

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
  const there = await look();
  if (there === undefined) await installBrowser();
  const found = there ?? (await look());
  if (found === undefined) {
    printError(
      `no browser could be installed: install Chromium yourself, or name one in ${BROWSER_VARIABLE}\n`,
    );
    return EXIT.usage;
  }
  const where = isAddress(found.executablePath) ? shownAddress(found.executablePath) : found.executablePath;
  print(`${there === undefined ? 'installed' : 'found'}: ${where}\n`);
  return EXIT.conforms;
}

function look(): ReturnType<typeof findBrowser> {
  return findBrowser().catch((error: unknown) => {
    throw new UsageError((error as Error).message, { cause: error });
  });
}
