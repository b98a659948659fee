import { defineConfig } from '@playwright/test';
import { findBrowser } from '../../../src/agent/browser/find-browser.ts';

const browser = await findBrowser();

/** The floor that `npm start` is measured against: the same runner, ten walks and nothing else. */
export default defineConfig({
  testDir: '.',
  testMatch: 'ten-walks.bench.ts',
  outputDir: '../../../test-results/ten-walks',
  fullyParallel: true,
  reporter: 'line',
  use: {
    launchOptions: {
      ...(browser?.executablePath === undefined ? {} : { executablePath: browser.executablePath }),
      args: ['--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'],
    },
  },
});
