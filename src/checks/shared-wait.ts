/** Real time, or a test's own, in milliseconds. */
export interface WaitClock {
  now(): number;
  until(moment: number): Promise<void>;
}

/**
 * Lets a number of seconds pass for one check.
 *
 * @returns by how many seconds the moment may be missed, because earlier requests and other tasks took time
 */
export type LetPass = (seconds: number) => Promise<number>;

interface Sleeper {
  readonly due: number;
  wake(): Promise<void>;
}

/**
 * Runs tasks that need time to pass so that they share one wait. One task is awake at a time: each starts in turn, then
 * the one due first continues. The total is the longest task's time.
 */
export async function withSharedWait<T>(
  tasks: readonly ((letPass: LetPass) => Promise<T>)[],
  clock: WaitClock,
): Promise<readonly T[]> {
  const sleepers: Sleeper[] = [];
  const results: Promise<T>[] = [];
  for (const task of tasks) {
    await new Promise<void>((yielded) => {
      let yieldTurn = yielded;
      let awakeSince = clock.now();
      const letPass: LetPass = (seconds) => {
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
      const running = task(letPass);
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
