import type { Target } from '../targets/target.ts';

/**
 * Sends several requests at once. On a paced target it waits until all may go in the same moment, because requests some hundred
 * milliseconds apart never overlap.
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
