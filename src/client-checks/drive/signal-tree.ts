import { spawnSync } from 'node:child_process';

export interface ProcessSystem {
  readonly platform: NodeJS.Platform;
  readonly kill: (pid: number, signal: NodeJS.Signals) => unknown;
  readonly run: (command: string, args: readonly string[]) => unknown;
}

const THIS_SYSTEM: ProcessSystem = {
  platform: process.platform,
  kill: process.kill,
  run: (command, args) => spawnSync(command, args, { stdio: 'ignore', windowsHide: true }),
};

/**
 * Signals a process that leads a group, and everything that it started. On Windows, which has neither, ends the whole tree at
 * once.
 */
export function signalTree(
  pid: number,
  signal: NodeJS.Signals,
  { platform, kill, run }: ProcessSystem = THIS_SYSTEM,
): void {
  if (platform === 'win32') {
    run('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  try {
    kill(-pid, signal);
  } catch {}
}
