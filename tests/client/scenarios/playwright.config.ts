import { defineConfig } from '@playwright/test';

/** What the verb `client` runs the scenarios by, in the checkout and in the package: nock patches its process, so there is one worker. */
export default defineConfig({
  fullyParallel: true,
  retries: 0,
  workers: 1,
  use: { trace: 'off', video: 'off', screenshot: 'off' },
});
