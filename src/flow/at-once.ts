import type { Target } from '../targets/target.ts';

/**
 * Sends several requests at once. On a paced target it waits until all may go in the same moment, because requests some hundred
 * milliseconds apart never overlap.
 *
 * @param sends each sends one request, or begins with one
 */
export async function atOnce<T extends readonly unknown[]>(
  { traffic }: Pick<Target, 'traffic'>,
  sends: readonly [...{ [K in keyof T]: () => Promise<T[K]> }],
): Promise<T> {
  await traffic?.room(sends.length);
  const sent = sends.map((send) => send());
  // No request outlives the check that sent it.
  await Promise.allSettled(sent);
  return (await Promise.all(sent)) as unknown as T;
}
