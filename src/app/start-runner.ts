import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { createRequire, getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's own folder, absolute. */
export const PACKAGE_ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The test runner, started. */
export interface StartedRunner {
  readonly child: ChildProcess;
  /** Resolves with its exit code once all its output is there; null when a signal ended it. */
  readonly end: Promise<number | null>;
}

/**
 * Starts the package's own copy of the test runner on one of its projects. Until it has ended, SIGINT and SIGTERM go to it
 * as well.
 *
 * @param args what follows `test --config … --project …`
 * @param env added to this process's environment
 */
export function startRunner(
  project: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdio: StdioOptions,
): StartedRunner {
  const runner = createRequire(import.meta.url).resolve('@playwright/test/package.json');
  const compiled = getCompileCacheDir();
  const child = spawn(
    process.execPath,
    [
      join(dirname(runner), 'cli.js'),
      'test',
      `--config=${join(PACKAGE_ROOT, 'playwright.config.ts')}`,
      `--project=${project}`,
      ...args,
    ],
    {
      cwd: PACKAGE_ROOT,
      stdio,
      env: {
        ...process.env,
        // The runner and its workers start as this process did: from compiled code, where there is some.
        ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) }),
        ...env,
      },
    },
  );
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  process.once('SIGINT', forward);
  process.once('SIGTERM', forward);
  const end = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      process.off('SIGINT', forward);
      process.off('SIGTERM', forward);
      resolve(code);
    });
  });
  return { child, end };
}
