import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { browserPath } from './tests/support/run/browser-path.ts';

const inCi = process.env.CI !== undefined && process.env.CI !== '';

const executablePath = await browserPath();
// Node reads TypeScript itself, and keeps what it has compiled. The runner would compile each file again in each worker, in many times
// the time.
process.env.PW_DISABLE_TS_ESM ??= '1';
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
// The native library of Pact reports its use to its makers unless it is told not to.
process.env.PACT_DO_NOT_TRACK = 'true';

const launchOptions = executablePath === undefined ? {} : { executablePath };

const MATRIX = '**/tests/proof/kill-matrix.spec.ts';

/** The tests of each room. Those that take minutes have the tag `@prove`, and are left out of `npm test`. */
const ROOMS = {
  testIgnore: ['**/tests/{conformance,client,contracts/consumer,contracts/verification}/**', MATRIX],
  timeout: 120_000,
  use: { launchOptions },
};

/**
 * The one test runner. Each project has worker processes of its own: nock patches the process it runs in, and Pact loses
 * interactions when several workers write one file.
 */
export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  forbidOnly: inCi,
  fullyParallel: true,
  retries: 0,
  workers: 2,
  reporter: inCi ? [['list'], ['github']] : [['list']],
  use: { trace: 'off', video: 'off', screenshot: 'off' },
  projects: [
    { name: 'conformance', testDir: 'tests/conformance' },
    { name: 'client', testDir: 'tests/client', workers: 1 },
    {
      name: 'contracts',
      testDir: 'tests/contracts',
      testMatch: '**/{consumer,verification}/*.spec.ts',
      workers: 1,
      timeout: 120_000,
    },
    // It computes without a pause, beside tests that wait.
    { name: 'matrix', testMatch: MATRIX },
    { name: 'suite', ...ROOMS, grepInvert: /@prove/ },
    { name: 'prove', ...ROOMS, grep: /@prove/ },
  ],
});
