import { shuffled } from '../proof/kill-matrix/shuffled.ts';

/** The day that a run of the tests has begun on. The configuration sets it, so that a run over midnight keeps it. */
export const DAY = process.env.LEGACY_CONFORMANCE_DAY ?? new Date().toISOString().slice(0, 10);

/**
 * Some items, others every day: what takes long is run in part by `npm test`. All of them with `LEGACY_CONFORMANCE_SAMPLE=all`.
 *
 * @param count number of items
 * @param of tells samples of the same items apart, so that together they hold more of them
 */
export function dailySample<T>(items: readonly T[], count: number, of = ''): readonly T[] {
  if (process.env.LEGACY_CONFORMANCE_SAMPLE === 'all') return items;
  return shuffled(items, `${DAY}${of}`).slice(0, count);
}
