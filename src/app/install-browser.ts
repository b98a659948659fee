import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findBrowser } from '../agent/browser/find-browser.ts';

/**
 * Installs a browser for this repository's own start and test commands: Debian's package as root, else the runner's own
 * download. Says what it does, because it changes the machine.
 */
export async function installBrowser(): Promise<void> {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('no browser found; installing the package chromium-headless-shell');
    run('apt-get', ['update', '-qq']);
    if (run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell']))
      return;
  }
  console.log('no browser found; asking the test runner to download its own');
  const cli = join(
    dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')),
    'cli.js',
  );
  run(process.execPath, [cli, 'install', '--only-shell', 'chromium']);
}

function run(command: string, args: readonly string[]): boolean {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}

if (import.meta.main) {
  if ((await findBrowser()) === undefined) await installBrowser();
  const found = await findBrowser();
  if (found === undefined) {
    console.error('no browser could be installed; see the README, "A browser"');
    process.exitCode = 2;
  }
}
