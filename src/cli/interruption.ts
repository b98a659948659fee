import { EXIT } from '../report/verdict.ts';
import { endAtOnce, stoppable } from './ending.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Works until the process is told to stop, or something crashes: then the work is to clean up, and to say what it has found so far. Told a second
 * time, the process ends at once.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = (name: NodeJS.Signals) => {
    if (interruption.signal.aborted) {
      endAtOnce(EXIT.broken, `${name} a second time: nothing is cleaned up; run \`sweep\``);
    }
    interruption.abort('the run was interrupted');
  };
  for (const name of SIGNALS) process.on(name, interrupt);
  try {
    return await stoppable((crashed) => work(AbortSignal.any([interruption.signal, crashed])));
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
