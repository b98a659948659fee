import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const COMMAND = fileURLToPath(new URL('../../scripts/legacy-conformance.js', import.meta.url));

export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly pid: number;
  /** Resolves with what it has printed so far, once that holds the text. Rejects when it ends before. */
  printed(text: string): Promise<string>;
  stop(signal: NodeJS.Signals): void;
  /** Kills it and everything that it has started, as when the machine that it runs on is gone (SIGKILL). */
  killAll(): void;
  readonly end: Promise<CommandEnd>;
}

/** For commands with a temporary folder of their own: what the runner and Node have compiled stays where it is. */
export const COMPILED = {
  PLAYWRIGHT_TRANSFORM_CACHE_DIR:
    process.env.PLAYWRIGHT_TRANSFORM_CACHE_DIR ??
    join(tmpdir(), `playwright-transform-cache-${process.getuid?.() ?? ''}`),
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache'),
} as const;

/** Starts `legacy-conformance` as a process of its own, as a user would. */
export function startCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): RunningCommand {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that all of it can be killed at once.
    detached: true,
    env: { ...process.env, NO_COLOR: '1', GITHUB_STEP_SUMMARY: undefined, ...env },
  });
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    for (const listener of listeners) listener();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const end = new Promise<CommandEnd>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return {
    pid: child.pid ?? 0,
    end,
    stop: (signal) => child.kill(signal),
    killAll: () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    },
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => stdout.includes(text) && resolve(stdout);
        listeners.add(look);
        look();
        void end.then((e) =>
          reject(new Error(`ended with ${e.code} before printing "${text}": ${e.stderr}`)),
        );
      }),
  };
}

/** Runs `legacy-conformance` to its end. */
export function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<CommandEnd> {
  return startCommand(args, env).end;
}
