import type { Command } from 'commander';
import { verb } from './verb.ts';

export function installBrowserCommand(): Command {
  return verb({
    name: 'install-browser',
    summary:
      'install a browser where there is none: on Debian as root its package, else the download of Playwright',
    options: {},
    help: `
Nothing else ever installs one. LEGACY_CONFORMANCE_BROWSER names a browser that is there already.

Exit codes
  0  there is a browser; its path is printed
  2  none could be installed`,
    run: async () => {
      const { browserOnRequest } = await import('../app/install-browser.ts');
      return browserOnRequest();
    },
  });
}
