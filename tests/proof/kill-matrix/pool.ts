import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RowRun, RowTask } from './row.ts';
import type { FromWorker, ToWorker } from './worker.ts';

/** Options for running rows. */
export interface PoolOptions {
  /** Number of worker processes. */
  readonly workers: number;
  /** Id of the base profile. */
  readonly profile: string;
  /** The browser's binary, for rows that want one; without it the runner's own. */
  readonly executablePath?: string;
  /** Told of every row as it ends. */
  readonly onRow?: (run: RowRun) => void;
}

const WORKER = fileURLToPath(new URL(`./worker${extname(import.meta.url)}`, import.meta.url));

/** Milliseconds after which a silent worker is given up: a row takes less than a second, with a browser a few. */
const ROW_DEADLINE_MS = 120_000;

/** Milliseconds that a worker has for closing its browser. */
const END_DEADLINE_MS = 5_000;

/**
 * Runs rows in worker processes, each taking the next row when it has ended one.
 *
 * @returns one run per task, in the order of the tasks, whatever order they ended in
 */
export async function runRows(tasks: readonly RowTask[], options: PoolOptions): Promise<readonly RowRun[]> {
  const runs = new Array<RowRun | undefined>(tasks.length);
  let next = 0;
  const take = () => (next < tasks.length ? next++ : undefined);
  const workers = Math.max(1, Math.min(options.workers, tasks.length));
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let lost = true; lost; ) lost = await work();
    }),
  );
  return runs.map((run, index) => run ?? gone(tasks[index], 'it was never run'));

  /** One worker's life. Resolves to whether it was lost with rows left to run. */
  async function work(): Promise<boolean> {
    const child = start();
    let at: number | undefined;
    try {
      for await (const { run } of messages(child)) {
        if (at !== undefined && run !== undefined) keep(at, run);
        at = take();
        const task = at === undefined ? undefined : tasks[at];
        if (task === undefined) return false;
        child.send({
          task,
          profile: options.profile,
          executablePath: options.executablePath,
        } satisfies ToWorker);
      }
      return false;
    } catch (error) {
      if (at === undefined) throw error;
      keep(at, gone(tasks[at], (error as Error).message));
      return next < tasks.length;
    } finally {
      await stop(child);
    }
  }

  function keep(index: number, run: RowRun): void {
    runs[index] = run;
    options.onRow?.(run);
  }
}

function gone(task: RowTask | undefined, failure: string): RowRun {
  return { defect: task?.defect, outcomes: [], alone: [], durationMs: 0, failure };
}

/** A worker of its own, without what a test runner puts into its own processes. */
function start(): ChildProcess {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return fork(WORKER, [], { execArgv: [], env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** Lets a worker close its browser; one that does not end is killed. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const impatient = setTimeout(() => child.kill('SIGKILL'), END_DEADLINE_MS);
  if (child.connected) child.disconnect();
  await ended;
  clearTimeout(impatient);
}

/** Returns a worker's messages in order. Throws if it ends by itself, or is silent for too long. */
async function* messages(child: ChildProcess): AsyncGenerator<FromWorker> {
  const queue: FromWorker[] = [];
  let wake: () => void = () => undefined;
  let ended: string | undefined;
  child.on('message', (message) => {
    queue.push(message as FromWorker);
    wake();
  });
  child.on('error', (error) => end(`the worker could not be started: ${error.message}`));
  child.on('exit', (code, signal) => end(`the worker ended with ${signal ?? `code ${code}`}`));
  function end(why: string): void {
    ended ??= why;
    wake();
  }
  for (;;) {
    const first = queue.shift();
    if (first !== undefined) {
      yield first;
      continue;
    }
    if (ended !== undefined) throw new Error(ended);
    const silent = setTimeout(
      () => end(`the worker was silent for ${ROW_DEADLINE_MS / 1000} s`),
      ROW_DEADLINE_MS,
    );
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    clearTimeout(silent);
  }
}
