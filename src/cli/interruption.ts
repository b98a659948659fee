import { EXIT } from '../report/verdict.ts';
import { endAtOnce, stoppable } from './ending.ts';
import { whenOrphaned } from './orphaned.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Milliseconds within which a signal that comes again is the same one: to the process group, and passed on by the launcher. */
const SAME_MS = 500;

/**
 * Works until the process is told to stop, what started it is gone, or something crashes: then the work is to clean up, and to say what it has
 * found so far. Told a second time, the process ends at once.
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
