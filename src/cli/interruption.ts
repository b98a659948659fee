import { EXIT } from '../report/verdict.ts';
import { endAtOnce, stoppable } from './ending.ts';
import { whenOrphaned } from './orphaned.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A repeated signal within these milliseconds is the same one, sent to the process group and by the launcher. */
const SAME_MS = 500;

/**
 * Runs work until a signal, the parent's end or a crash stops it; the work then cleans up and reports. A second signal
 * exits at once.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  let toldAt = 0;
  const interrupt = (name: NodeJS.Signals) => {
    if (interruption.signal.aborted) {
      if (performance.now() - toldAt < SAME_MS) return;
      endAtOnce(EXIT.broken, `${name} a second time: nothing is cleaned up; run \`sweep\``);
    }
    toldAt = performance.now();
    interruption.abort('the run was interrupted');
  };
  for (const name of SIGNALS) process.on(name, interrupt);
  const unwatch = whenOrphaned(() => interruption.abort('the run was interrupted'));
  try {
    return await stoppable((crashed) => work(AbortSignal.any([interruption.signal, crashed])));
  } finally {
    unwatch();
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
