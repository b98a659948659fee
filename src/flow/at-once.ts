import type { Target } from '../targets/target.ts';

/**
 * Sends several requests at once. On a target with a pace it waits until all of them may go in the same moment: one after the other, at a
 * distance of some hundred milliseconds, they would never meet.
 *
 * @param sends each sends one request, or begins with one
 */
export async function atOnce<T>(
  { traffic }: Pick<Target, 'traffic'>,
  sends: readonly (() => Promise<T>)[],
): Promise<T[]> {
  await traffic?.room(sends.length);
  return Promise.all(sends.map((send) => send()));
}
