import { createHash } from 'node:crypto';

/** The items in an order that depends on the seed alone: the same seed, the same order, on every machine. */
export function shuffled<T>(items: readonly T[], seed: string): readonly T[] {
  return items
    .map((item, index) => ({ item, key: createHash('sha256').update(`${seed} ${index}`).digest('hex') }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ item }) => item);
}
