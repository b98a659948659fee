import { setTimeout as pause } from 'node:timers/promises';
import { type Check, isTimed, secondsOf } from '../language/check.ts';

/** Real time, or a test's own, in milliseconds. */
export interface WaitClock {
  now(): number;
  until(moment: number): Promise<void>;
}

/** Lets seconds pass for one check. Returns by how many it may be late, because earlier requests and other tasks took time. */
export type Advance = (seconds: number) => Promise<number>;

interface Sleeper {
  readonly due: number;
  wake(): Promise<void>;
}

/**
 * Runs tasks that need time to pass so that they share one wait. One task is awake at a time: each starts in turn, then
 * the one due first continues. The total is the longest task's time.
 */
export async function withSharedWait<T>(
  tasks: readonly ((advance: Advance) => Promise<T>)[],
  clock: WaitClock,
): Promise<readonly T[]> {
  const sleepers: Sleeper[] = [];
  const results: Promise<T>[] = [];
  for (const task of tasks) {
    await new Promise<void>((yielded) => {
      let yieldTurn = yielded;
      let awakeSince = clock.now();
      const advance: Advance = (seconds) => {
        const asleepSince = clock.now();
        const due = asleepSince + seconds * 1_000;
        const busyMs = asleepSince - awakeSince;
        return new Promise((goOn) => {
          const wake = () =>
            new Promise<void>((again) => {
              yieldTurn = again;
              awakeSince = clock.now();
              goOn((busyMs + awakeSince - due) / 1_000);
            });
          sleepers.push({ due, wake });
          yieldTurn();
        });
      };
      const running = task(advance);
      results.push(running);
      running.then(
        () => yieldTurn(),
        () => yieldTurn(),
      );
    });
  }
  for (let next = takeFirst(sleepers); next !== undefined; next = takeFirst(sleepers)) {
    await clock.until(next.due);
    await next.wake();
  }
  return Promise.all(results);
}

function takeFirst(sleepers: Sleeper[]): Sleeper | undefined {
  const first = sleepers.toSorted((a, b) => a.due - b.due)[0];
  if (first !== undefined) sleepers.splice(sleepers.indexOf(first), 1);
  return first;
}

const TELL_EVERY_MS = 5_000;

/**
 * A clock of real time. `tell` is called now and then with the seconds left; the signal aborts every wait.
 * @param seconds all waits together, from the first reading of the clock
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

/** Returns the seconds until the last moment of the last check, with the document's 7200 seconds. */
export function longestWait(checks: readonly Check[], skewSeconds: number): number {
  const last = checks.filter(isTimed).map(({ stages }) => secondsOf(stages.at(-1)?.at ?? 0, skewSeconds));
  return Math.max(0, ...last);
}
