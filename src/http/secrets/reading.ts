/** A text as UTF-8 bytes, or decoded. Each byte maps to its place in the text, so that secrets can be replaced there. */
export interface Reading {
  readonly bytes: Uint8Array;
  /** Decoded bytes are mostly random, so short secrets are not searched for in them. */
  readonly packed: boolean;
  /** Returns the start of a byte in the text, in UTF-16 units. */
  begin(index: number): number;
  /** Returns the exclusive end of a byte in the text, in UTF-16 units. */
  end(index: number): number;
}

/** Returns the index of the last entry, in ascending order, that is not greater than the number. */
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

/** Returns bytes as a text of one character each. */
export function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
