import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { leaveTemporaryFolder } from '../commands/shared/temporary-folder.ts';
import { commandFor } from '../document/input/program-name.ts';
import { crashText } from '../http/secrets/crash-text.ts';
import { EXIT, type ExitCode } from '../report/verdict.ts';
import { moduleBeingLoaded } from '../service/configuration/user-modules.ts';

/**
 * Ends the process with the verb's exit code after flushing its output. Early ends exit with 2 while a user's module
 * loads, with 4 later.
 */

const FIRST_ERROR = 'The suite itself failed; this is a bug of the suite and says nothing about the target.';

const AFTER_CRASH_MS = 75_000;

let finished: ExitCode | undefined;
let crashed = false;
let stop: ((why: string) => void) | undefined;

export function installExitHandlers(): void {
  process.prependListener('exit', () => {
    if (finished === undefined) process.exit(endedEarly());
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

export async function exitWith(code: ExitCode): Promise<never> {
  const written = await Promise.all([process.stdout, process.stderr].map(flushed));
  flushCompileCache?.();
  leaveTemporaryFolder();
  if (written[0] === false)
    say('The output could not be written to the standard output: the disk may be full.');
  return exitAs(crashed || written.includes(false) ? EXIT.broken : code);
}

function endAtOnce(code: ExitCode, why: string): never {
  say(why);
  return exitAs(code);
}

function exitAs(code: ExitCode): never {
  finished = code;
  // The last listener: one of a user's module may have set another code.
  process.on('exit', () => process.exit(code));
  return process.exit(code);
}

export function printCrash(error: unknown): void {
  say(`${FIRST_ERROR}\n${crashText(error)}`);
}

function crash(error: unknown): void {
  const file = moduleBeingLoaded();
  if (file !== undefined) {
    const text = crashText(error);
    endAtOnce(EXIT.usage, `${file}: expected a module that loads, but it threw; nothing was sent\n${text}`);
  }
  if (!crashed) printCrash(error);
  const first = !crashed;
  crashed = true;
  if (stop === undefined) process.exit();
  if (!first) return;
  stop('the suite itself failed');
  setTimeout(() => process.exit(), AFTER_CRASH_MS).unref();
}

function endedEarly(): ExitCode {
  const file = moduleBeingLoaded();
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
 * Runs work until a signal or a crash stops it; the work then cleans up and reports. A second signal
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
  stop = (why) => interruption.abort(why);
  try {
    return await work(interruption.signal);
  } finally {
    stop = undefined;
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
