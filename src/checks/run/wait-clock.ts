import { setTimeout as pause } from 'node:timers/promises';
import type { WaitClock } from '../shared-wait.ts';

const TELL_EVERY_MS = 5_000;

/**
 * Real time.
 *
 * @param seconds what all waits take together, from the first look at the clock
 * @param tell called now and then while it is waited, with the seconds that are left of all
 * @param signal ends every wait when it is aborted
 */
export function realTime(
  seconds: number,
  tell: (secondsLeft: number) => void,
  signal?: AbortSignal,
): WaitClock {
  let begun: number | undefined;
  const now = () => {
    const moment = performance.now();
    begun ??= moment;
    return moment;
  };
  return {
    now,
    until: async (moment) => {
      for (let left = moment - now(); left > 0 && signal?.aborted !== true; left = moment - now()) {
        const end = (begun ?? now()) + seconds * 1_000;
        tell(Math.ceil(Math.max(left, end - now()) / 1_000));
        await pause(Math.min(left, TELL_EVERY_MS), undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
