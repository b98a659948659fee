import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isAlive } from './temporary-folder.ts';

const LOOK_MS = 500;

const PACKAGE_MANAGER = /(?:^|[\s/])(?:npm|npx|pnpm|pnpx|yarn|yarnpkg|bun|bunx)(?:-cli)?(?:\.c?js)?(?:\s|$)/;

const MOST_ANCESTORS = 8;

/**
 * Calls back when the process that started this one has gone. `npx` passes a signal to a shell that does not forward it: `npx`
 * and the shell end, and the command goes on. Ignores commands that no package manager waits for, so that they can run in the
 * background.
 *
 * @returns ends the watch
 */
export function whenOrphaned(callback: () => void, env: NodeJS.ProcessEnv = process.env): () => void {
  const parent = process.ppid;
  const waiting = waitingAncestors(parent, env);
  if (waiting.length === 0) return () => undefined;
  const timer = setInterval(() => {
    if (process.ppid === parent && waiting.every(isAlive)) return;
    clearInterval(timer);
    callback();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Returns the processes from the parent up to the package manager; empty without a package manager. */
function waitingAncestors(parent: number, env: NodeJS.ProcessEnv): readonly number[] {
  const managed = env.npm_command ?? env.npm_lifecycle_event ?? env.npm_config_user_agent;
  if (managed === undefined || process.platform === 'win32') return [];
  const chain: number[] = [];
  for (let id = parent; id > 1 && chain.length < MOST_ANCESTORS; ) {
    const found = lookAt(id);
    if (found === undefined) return [];
    chain.push(id);
    if (PACKAGE_MANAGER.test(found.command)) return chain;
    id = found.parent;
  }
  return [];
}

interface Ancestor {
  readonly parent: number;
  readonly command: string;
}

function lookAt(id: number): Ancestor | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
      // The name, in parentheses, may hold any character.
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return {
        parent,
        command: readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\u0000', ' ').trim(),
      };
    }
    const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(id)], { encoding: 'utf8' }).trim();
    const [, parent, command] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? undefined : { parent: Number(parent), command };
  } catch {
    return undefined;
  }
}
