import { PageSilent } from './page-errors.ts';

const CLOSING_MS = 2_000;

const DRIVER_GRACE_MS = 2_000;

/**
 * Limits the time for reading a page. The driver waits without limit while a script keeps the page busy.
 *
 * @param doing completes "did not answer within … while the suite …"
 * @throws PageSilent after the deadline
 */
export async function answered<T>(look: Promise<T>, deadlineMs: number, doing: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `the page did not answer within ${deadlineMs} ms while the suite ${doing}: a script keeps it busy, or it is too large`;
    timer = setTimeout(() => reject(new PageSilent(message)), deadlineMs);
  });
  // It may be rejected long after the deadline.
  look.catch(() => undefined);
  try {
    return await Promise.race([look, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Like {@link answered}, with a grace period for calls in which the driver enforces the same deadline, because its
 * error is better.
 */
export function driven<T>(call: Promise<T>, deadlineMs: number, doing: string): Promise<T> {
  return answered(call, deadlineMs + DRIVER_GRACE_MS, doing);
}

export async function over(ending: Promise<unknown>): Promise<boolean> {
  const ended = ending.then(
    () => true,
    () => true,
  );
  return answered(ended, CLOSING_MS, 'let go of it').catch(() => false);
}

export async function letGo(thing: { close(): Promise<void> }): Promise<void> {
  await over(thing.close());
}
