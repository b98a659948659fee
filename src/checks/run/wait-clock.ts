import { setTimeout as pause } from 'node:timers/promises';
import type { WaitClock } from '../shared-wait.ts';

const TELL_EVERY_MS = 5_000;

/**
 * A clock of real time.
 *
 * @param seconds all waits together, from the first reading of the clock
 * @param tell called now and then with the seconds left
 * @param signal aborts every wait
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
