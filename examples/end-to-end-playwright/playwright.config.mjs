import { defineConfig } from '@playwright/test';

// LEGACY_CONFORMANCE_BROWSER names a browser of the machine; without it Playwright's own is used.
const executablePath = process.env.LEGACY_CONFORMANCE_BROWSER;

export default defineConfig({
  testMatch: '*.spec.mjs',
  use: executablePath === undefined ? {} : { launchOptions: { executablePath } },
});
