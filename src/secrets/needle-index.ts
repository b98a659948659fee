import { FOLD } from './needles.ts';

/** Where a needle stands, in bytes. */
export interface Match {
  readonly label: string;
  readonly begin: number;
  /** Exclusive. */
  readonly end: number;
}

interface Needle {
  readonly bytes: Uint8Array;
  readonly label: string;
}

/** Needles are told apart by their last four bytes first: tokens of one kind begin alike, and end by chance. */
const SUFFIX = 4;

/** Bits of the table that says at once that no needle ends here. */
const TABLE_BITS = 18;

/** Many byte sequences, looked for in one pass: with ten of them as quickly as with ten thousand. */
export class NeedleIndex {
  readonly #bySuffix = new Map<number, Needle[]>();
  readonly #table = new Uint8Array(2 ** TABLE_BITS / 8);

  /** @param bytes four or more, folded */
  add(bytes: Uint8Array, label: string): void {
    let suffix = 0;
    for (const byte of bytes.subarray(-SUFFIX)) suffix = (suffix << 8) | byte;
    const slot = slotOf(suffix);
    this.#table[slot >>> 3] = (this.#table[slot >>> 3] ?? 0) | (1 << (slot & 7));
    const needles = this.#bySuffix.get(suffix) ?? [];
    needles.push({ bytes, label });
    needles.sort((a, b) => b.bytes.length - a.bytes.length);
    this.#bySuffix.set(suffix, needles);
  }

  /**
   * @param bytes as they are
   * @param shortest needles of fewer bytes are passed over
   * @returns the longest needle that ends at each place
   */
  *matches(bytes: Uint8Array, shortest: number): Generator<Match> {
    const table = this.#table;
    let suffix = 0;
    for (let index = 0; index < bytes.length; index += 1) {
      suffix = (suffix << 8) | (FOLD[bytes[index] ?? 0] ?? 0);
      const slot = slotOf(suffix);
      if (((table[slot >>> 3] ?? 0) & (1 << (slot & 7))) === 0) continue;
      const end = index + 1;
      const found = this.#bySuffix
        .get(suffix)
        ?.find((needle) => needle.bytes.length >= shortest && endsWith(bytes, end, needle.bytes));
      if (found !== undefined) yield { label: found.label, begin: end - found.bytes.length, end };
    }
  }
}

function slotOf(suffix: number): number {
  return Math.imul(suffix, 0x9e3779b1) >>> (32 - TABLE_BITS);
}

function endsWith(bytes: Uint8Array, end: number, needle: Uint8Array): boolean {
  const begin = end - needle.length;
  if (begin < 0) return false;
  for (let index = 0; index < needle.length; index += 1) {
    if (FOLD[bytes[begin + index] ?? 0] !== needle[index]) return false;
  }
  return true;
}
