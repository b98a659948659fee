import { verb } from '../verb.ts';

export const installBrowserCommand = verb({
  name: 'install-browser',
  summary:
    "install a browser if there is none: Debian's package if you are root on Debian, else Playwright's download",
  options: {},
  help: `
No other verb installs a browser. LEGACY_CONFORMANCE_BROWSER names an installed one.

Exit codes
  0  a browser is installed; prints its path
  2  could not install one`,
  run: async () => {
    const { installMissingBrowser } = await import('../../commands/install-browser/verb.ts');
    return installMissingBrowser();
  },
});
