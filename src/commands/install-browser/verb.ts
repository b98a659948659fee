import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EXIT, type ExitCode } from '../../report/verdict.ts';
import { BROWSER_VARIABLE, findBrowser } from '../../service/agent/browser/find-browser.ts';
import { print, printError } from '../shared/print.ts';

/** Installs a browser: by apt for root on Debian, else by Playwright. */
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

/** The verb `install-browser`. Returns 0, or 2 if there is still no browser. */
export async function installMissingBrowser(): Promise<ExitCode> {
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
