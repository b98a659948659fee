import { Worker } from 'node:worker_threads';

/** Seconds of a blocked event loop until the process is ended; tests set fewer. */
const BLOCKED_SECONDS = Math.min(20, Number(process.env.LEGACY_CONFORMANCE_BLOCKED_SECONDS) || 20);

/**
 * Ends the process with its current exit code when an endless loop or regular expression blocks the event loop, where
 * no timer fires.
 */
export function startWatchdog(): void {
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(turns, 0, 1), 500).unref();
  const worker = new Worker(new URL('./watchdog-worker.js', import.meta.url), {
    workerData: { turns, seconds: BLOCKED_SECONDS },
    // It gets no variables of this process, because they may be secrets.
    env: {},
    execArgv: [],
  });
  worker.on('error', () => undefined);
  worker.unref();
}
