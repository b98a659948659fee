import { withoutEscapes } from './readings.ts';

/**
 * Returns the forms of a secret in readings, folded:
 * - unchanged, and with its own escapes undone (a password may hold `%41`);
 * - in other character sets, composed and decomposed;
 * - in other letter case if that changes more than ASCII;
 * - with runs of blanks as one.
 *
 * @returns each form once
 */
export function needlesOf(secret: string): readonly Uint8Array[] {
  const texts = [secret, secret.replace(/\s+/g, ' ').trim()];
  const isAscii = /^[\0-\x7f]*$/.test(secret);
  if (!isAscii) {
    texts.push(secret.toUpperCase(), secret.toLowerCase(), secret.normalize('NFC'), secret.normalize('NFD'));
  }
  const forms: Uint8Array[] = texts.flatMap(withoutEscapes);
  if (!isAscii) {
    // Bytes of one set read as another: Node's header fields, and Latin-1 pages.
    forms.push(Buffer.from(Buffer.from(secret, 'utf8').toString('latin1'), 'utf8'));
    if (/^[\0-\xff]*$/.test(secret)) forms.push(Buffer.from(secret, 'latin1'));
  }
  const distinct = new Map(forms.map(folded).map((form) => [Buffer.from(form).toString('latin1'), form]));
  return [...distinct.values()];
}

function folded(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  for (let index = 0; index < bytes.length; index += 1) out[index] = FOLD[bytes[index] ?? 0] ?? 0;
  return out;
}

/** ASCII letters to lower case; every blank, including a form's `+`, to a space. */
const FOLD = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  return byte === 0x2b || (byte >= 0x09 && byte <= 0x0d) ? 0x20 : byte;
});

/** A secret in a text or in decoded bytes; `end` is exclusive. An encoded form may be longer than the secret. */
export interface Match {
  readonly label: string;
  readonly begin: number;
  readonly end: number;
}

interface Needle {
  readonly bytes: Uint8Array;
  readonly label: string;
}

/** Needles are indexed by their last four bytes: tokens of one kind begin alike but end randomly. */
const SUFFIX = 4;

/** Bytes from which the index searches for one needle at a time: one that repeats a character ends nearly everywhere. */
const LONG = 4_096;

/** Size in bits of the table that quickly rules out a needle's end. */
const TABLE_BITS = 18;

/** Searches many byte sequences in one pass, as fast for ten thousand as for ten. */
export class NeedleIndex {
  readonly #bySuffix = new Map<number, Needle[]>();
  readonly #table = new Uint8Array(2 ** TABLE_BITS / 8);
  readonly #long: Needle[] = [];

  add(bytes: Uint8Array, label: string): void {
    if (bytes.length >= LONG) {
      this.#long.push({ bytes, label });
      return;
    }
    const suffix = suffixAt(bytes, bytes.length);
    const slot = slotOf(suffix);
    this.#table[slot >>> 3] = (this.#table[slot >>> 3] ?? 0) | (1 << (slot & 7));
    const needles = this.#bySuffix.get(suffix) ?? [];
    needles.push({ bytes, label });
    needles.sort((a, b) => b.bytes.length - a.bytes.length);
    this.#bySuffix.set(suffix, needles);
  }

  /**
   * @param shortest ignores needles of fewer bytes
   *
   * @returns the longest needle that ends at each place, and the long ones that do not overlap themselves
   */
  matches(bytes: Uint8Array, shortest: number): readonly Match[] {
    const found = this.#longIn(bytes);
    const size = bytes.length;
    for (let end = nextEnd(bytes, 0, this.#table); end <= size; end = nextEnd(bytes, end, this.#table)) {
      const needle = this.#endingAt(bytes, end, shortest);
      if (needle !== undefined) found.push({ label: needle.label, begin: end - needle.bytes.length, end });
    }
    return found;
  }

  #longIn(bytes: Uint8Array): Match[] {
    const needles = this.#long.filter((needle) => needle.bytes.length <= bytes.length);
    if (needles.length === 0) return [];
    const text = Buffer.from(folded(bytes).buffer);
    return needles.flatMap(({ bytes: needle, label }) => {
      const found: Match[] = [];
      let begin = text.indexOf(needle);
      while (begin >= 0) {
        const end = begin + needle.length;
        found.push({ label, begin, end });
        begin = text.indexOf(needle, end);
      }
      return found;
    });
  }

  #endingAt(bytes: Uint8Array, end: number, shortest: number): Needle | undefined {
    for (const needle of this.#bySuffix.get(suffixAt(bytes, end)) ?? [])
      if (needle.bytes.length >= shortest && endsWith(bytes, end, needle.bytes)) return needle;
    return undefined;
  }
}

/** Returns the next position where a needle may end; beyond the length if none. A plain loop, because this is the hot path. */
function nextEnd(bytes: Uint8Array, from: number, table: Uint8Array): number {
  const size = bytes.length;
  let suffix = suffixAt(bytes, from);
  for (let index = from; index < size; index += 1) {
    suffix = (suffix << 8) | (FOLD[bytes[index] ?? 0] ?? 0);
    const slot = slotOf(suffix);
    if (((table[slot >>> 3] ?? 0) & (1 << (slot & 7))) !== 0) return index + 1;
  }
  return size + 1;
}

function suffixAt(bytes: Uint8Array, end: number): number {
  let suffix = 0;
  for (let index = Math.max(0, end - SUFFIX); index < end; index += 1)
    suffix = (suffix << 8) | (FOLD[bytes[index] ?? 0] ?? 0);
  return suffix;
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
