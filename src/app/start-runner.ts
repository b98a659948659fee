import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { createRequire, getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';

export interface StartedRunner {
  readonly child: ChildProcess;
  /** Resolves with the exit code after all output has arrived; null if a signal ended it. */
  readonly end: Promise<number | null>;
}

export function startRunner(
  config: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdio: StdioOptions,
): StartedRunner {
  const runner = createRequire(import.meta.url).resolve('@playwright/test/package.json');
  const compiled = getCompileCacheDir();
  const child = spawn(
    process.execPath,
    [join(dirname(runner), 'cli.js'), 'test', `--config=${config}`, ...args],
    {
      cwd: dirname(config),
      stdio,
      env: {
        ...process.env,
        // The runner and its workers use compiled code if this process does.
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
