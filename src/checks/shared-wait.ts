/** Real time, or a test's own. Milliseconds. */
export interface WaitClock {
  now(): number;
  /** Resolves when it is that time. */
  until(moment: number): Promise<void>;
}

/**
 * Lets a number of seconds pass for one check.
 *
 * @returns by how many seconds the moment may have been missed: what was done before took its time, and others went first
 */
export type LetPass = (seconds: number) => Promise<number>;

interface Sleeper {
  readonly due: number;
  /** Lets it go on; resolves when it sleeps again or has ended. */
  wake(): Promise<void>;
}

/**
 * Runs tasks that need time to pass so that all of them share one wait. Only one of them is awake at any moment: each is
 * begun in turn, then whoever is due first goes on. However many they are, it takes as long as the longest.
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
