/**
 * One reading of a text as bytes: the text itself in UTF-8, or the result of undoing encodings in it. Every byte knows where in
 * the text it comes from, so that a secret found in a reading can be replaced in the text.
 */
export interface Reading {
  readonly bytes: Uint8Array;
  /** Decoded bytes, which are mostly chance: short secrets are not looked for in them. */
  readonly packed: boolean;
  /** Where in the text the byte at an index begins, in UTF-16 units. */
  begin(index: number): number;
  /** Where in the text the byte at an index ends, exclusive. */
  end(index: number): number;
}

/** Returns the position of the last of some entries in ascending order whose number is not greater than another. */
export function lastNotAfter<T>(
  ascending: readonly T[],
  value: number,
  numberOf: (one: T) => number,
): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numberOf(ascending[middle] as T) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
