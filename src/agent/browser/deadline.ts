import { PageSilent } from './page-errors.ts';

const CLOSING_MS = 2_000;

/** Grace period in milliseconds for the driver's own timeout, whose error says more. */
const DRIVER_GRACE_MS = 2_000;

/**
 * Ends a look at a page after a while. The driver itself waits for the page for ever where a script keeps it busy.
 *
 * @param doing completes "did not answer within … while the suite …"
 * @throws PageSilent when the page has not answered by then; what was looked at is of no further use
 */
export async function answered<T>(look: Promise<T>, deadlineMs: number, doing: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `the page did not answer within ${deadlineMs} ms while the suite ${doing}: a script keeps it busy, or it is too large`;
    timer = setTimeout(() => reject(new PageSilent(message)), deadlineMs);
  });
  // It may end, one way or the other, when this is long over.
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
