import { execFileSync } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { commandFor } from '../../document/input/program-name.ts';
import { crashText } from '../../http/secrets/crash-text.ts';
import { EXIT, type ExitCode } from '../../report/verdict.ts';
import { nowLoading } from '../../target/configuration/user-modules.ts';
import { isAlive, leaveTemporaryFolder } from '../temporary-folder.ts';

/**
 * Ends the process with the verb's exit code after flushing its output. Early ends exit with 2 while a user's module
 * loads, with 4 later.
 */

type ReallyExit = (code?: number | string | null) => never;
const node = process as unknown as { reallyExit: ReallyExit };
const reallyExit = node.reallyExit.bind(process) as ReallyExit;

const FIRST_ERROR = 'The suite itself failed; this is a bug of the suite and says nothing about the target.';

const AFTER_CRASH_MS = 75_000;

let finished: ExitCode | undefined;
let crashed = false;
let stop: ((why: string) => void) | undefined;

export function watchOverTheEnd(): void {
  node.reallyExit = (() => reallyExit(finished ?? endedEarly())) as ReallyExit;
  process.prependListener('exit', () => {
    if (finished === undefined) reallyExit(endedEarly());
  });
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  // The launcher that started this process was killed: nothing goes on without it.
  process.once('disconnect', () => endAtOnce(EXIT.broken, 'The process that started this one is gone.'));
  process.channel?.unref();
  for (const stream of [process.stdout, process.stderr]) {
    // The writer that fails gets the error itself.
    stream.on('error', () => undefined);
  }
}

export async function end(code: ExitCode): Promise<never> {
  const written = await Promise.all([process.stdout, process.stderr].map(flushed));
  flushCompileCache?.();
  leaveTemporaryFolder();
  finished = crashed || written.includes(false) ? EXIT.broken : code;
  if (written[0] === false)
    say('The output could not be written to the standard output: the disk may be full.');
  return process.exit(finished);
}

function endAtOnce(code: ExitCode, why: string): never {
  say(why);
  finished = code;
  return process.exit(code);
}

export function tellCrash(error: unknown): void {
  say(`${FIRST_ERROR}\n${crashText(error)}`);
}

function crash(error: unknown): void {
  const file = nowLoading();
  if (file !== undefined) {
    const text = crashText(error);
    endAtOnce(EXIT.usage, `${file}: expected a module that loads, but it threw; nothing was sent\n${text}`);
  }
  if (!crashed) tellCrash(error);
  const first = !crashed;
  crashed = true;
  if (stop === undefined) process.exit();
  if (!first) return;
  stop('the suite itself failed');
  setTimeout(() => process.exit(), AFTER_CRASH_MS).unref();
}

function endedEarly(): ExitCode {
  const file = nowLoading();
  if (file !== undefined) {
    say(`${file}: expected a module that loads, but it ended the process; nothing was sent`);
    return EXIT.usage;
  }
  if (!crashed)
    say(
      'The process was ended before there was a verdict, by a module of the user or by a bug of the suite.',
    );
  return EXIT.broken;
}

/** Writes synchronously, because the process may exit right after. */
function say(text: string): void {
  try {
    writeSync(process.stderr.fd, `${text}\n`);
  } catch {
    // The reader has gone; the exit code stays.
  }
}

/** False if output was lost, unless its reader wanted no more, as `head` does. */
function flushed(stream: NodeJS.WriteStream): Promise<boolean> {
  const isWhole = (error?: NodeJS.ErrnoException | null) => !error || error.code === 'EPIPE';
  if (stream.errored) return Promise.resolve(isWhole(stream.errored));
  return new Promise((resolve) => {
    stream.write('', (error) => resolve(isWhole(error)));
  });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A repeated signal within these milliseconds is the same one, sent to the process group and by the launcher. */
const SAME_MS = 500;

/**
 * Runs work until a signal, the parent's end or a crash stops it; the work then cleans up and reports. A second signal
 * exits at once.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  let first: number | undefined;
  const interrupt = (name: NodeJS.Signals) => {
    if (first !== undefined && performance.now() - first < SAME_MS) return;
    if (first !== undefined)
      endAtOnce(
        EXIT.broken,
        `${name} a second time: nothing is cleaned up; run \`${commandFor('sweep', 'FILE')}\``,
      );
    first = performance.now();
    interruption.abort('the run was interrupted');
  };
  for (const name of SIGNALS) process.on(name, interrupt);
  const unwatch = whenOrphaned(() => interruption.abort('the run was interrupted'));
  stop = (why) => interruption.abort(why);
  try {
    return await work(interruption.signal);
  } finally {
    stop = undefined;
    unwatch();
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}

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
