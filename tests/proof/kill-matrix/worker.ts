/** A worker process of the kill matrix: runs the rows that it is sent, one at a time. Started by `pool.ts`. */
import { closeKept, type RowRun, type RowTask, runRow } from './row.ts';

/** The pool's messages: the options for all rows, then row after row. */
export interface ToWorker {
  readonly task: RowTask;
  readonly profile: string;
  readonly executablePath: string | undefined;
}

/** The message for each row, and one without a row when the worker is ready. */
export interface FromWorker {
  readonly run: RowRun | undefined;
}

// A pool that is gone wants no answer any more.
const tell = (message: FromWorker) => process.send?.(message, undefined, {}, () => undefined);

process.on('message', async ({ task, profile, executablePath }: ToWorker) => {
  try {
    tell({ run: await runRow(task, profile, executablePath) });
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    tell({ run: { defect: task.defect, outcomes: [], alone: [], durationMs: 0, failure } });
  }
});
process.on('disconnect', () => void closeKept().finally(() => process.exit()));
tell({ run: undefined });
