import { unzipSync, constants as zlib } from 'node:zlib';
import { lastNotAfter, latin1, type Reading } from './reading.ts';

/** Minimum bytes of a secret searched for in decoded bytes, which are mostly random. */
export const SHORTEST_PACKED = 8;

interface Alphabet {
  readonly encoding: 'base64' | 'hex';
  readonly bits: number;
  /** 1 for each byte that is a letter of the alphabet. */
  readonly letters: Uint8Array;
  /** Letters in a row that can hold a secret. */
  readonly fewest: number;
  /** Number of ways to cut a run into bytes, because adjacent letters may look like part of it. */
  readonly cuts: number;
}

/** Node reads both alphabets of base64. */
const BASE64: Alphabet = { encoding: 'base64', bits: 6, letters: table(/[\w+/-]/), fewest: 11, cuts: 4 };
const HEX: Alphabet = { encoding: 'hex', bits: 4, letters: table(/[0-9A-Fa-f]/), fewest: 16, cuts: 2 };

export const base64 = (parent: Reading) => spelled(parent, BASE64);
export const hexadecimal = (parent: Reading) => spelled(parent, HEX);

/** Yields the decoded bytes of all runs for each cut, with a zero after each run. */
function* spelled(parent: Reading, alphabet: Alphabet): Generator<Reading> {
  const { encoding, bits, cuts } = alphabet;
  const found = runsIn(parent.bytes, alphabet);
  if (found.length === 0) return;
  const text = latin1(parent.bytes);
  for (let skip = 0; skip < cuts; skip += 1) {
    const bytes = Buffer.alloc(parent.bytes.length + found.length);
    const starts: number[] = [];
    let size = 0;
    for (const [first, end] of found) {
      starts.push(size);
      size += bytes.write(text.slice(first + skip, end), size, encoding) + 1;
    }
    const inParent = (index: number, bit: number) => {
      const which = lastNotAfter(starts, index, (start) => start);
      const [first, end] = found[which] ?? [0, 1];
      const at = first + skip + Math.floor((8 * (index - (starts[which] ?? 0)) + bit) / bits);
      return Math.min(at, end - 1);
    };
    yield {
      bytes: bytes.subarray(0, size),
      packed: true,
      begin: (index) => parent.begin(inParent(index, 0)),
      end: (index) => parent.end(inParent(index, 7)),
    };
  }
}

function table(letter: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(letter.test(String.fromCharCode(byte))));
}

/** Returns begin and end of each run. Looks at the end of a possible run first, and so at few bytes: this is the hot path. */
function runsIn(bytes: Uint8Array, { letters, fewest }: Alphabet): (readonly [number, number])[] {
  const found: [number, number][] = [];
  const isLetter = (at: number) => letters[bytes[at] ?? 0] === 1;
  for (let begin = 0; begin + fewest <= bytes.length; ) {
    let end = begin + fewest;
    let other = end - 1;
    while (other >= begin && isLetter(other)) other -= 1;
    if (other >= begin) {
      begin = other + 1;
      continue;
    }
    while (end < bytes.length && isLetter(end)) end += 1;
    found.push([begin, end]);
    begin = end + 1;
  }
  return found;
}

/** The first two bytes of gzip, and of zlib (RFC 1950), with which Flask makes cookies shorter. */
const ARCHIVES: ReadonlySet<number> = new Set([0x1f8b, 0x7801, 0x785e, 0x789c, 0x78da]);

/** Limits for one reading: archives opened, and bytes unpacked from one. */
const MOST_ARCHIVES = 64;
const LENIENT = { maxOutputLength: 4 * 1024 * 1024, finishFlush: zlib.Z_SYNC_FLUSH };

/** Drops the zero bytes of a text in UTF-16 that was read as UTF-8. */
export function* utf16(parent: Reading): Generator<Reading> {
  const { bytes } = parent;
  if (!bytes.includes(0) || !/(?:[^\0]\0){8}/.test(latin1(bytes))) return;
  const kept = [...bytes.keys()].filter((at) => bytes[at] !== 0);
  yield {
    bytes: bytes.filter((byte) => byte !== 0),
    packed: parent.packed,
    begin: (index) => parent.begin(kept[index] ?? 0),
    end: (index) => parent.end(kept[index] ?? 0),
  };
}

export function* gzipped(parent: Reading): Generator<Reading> {
  if (!parent.packed) return;
  const { bytes } = parent;
  let tried = 0;
  for (let at = 0; at < bytes.length && tried < MOST_ARCHIVES; at += 1) {
    if (!ARCHIVES.has(((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0))) continue;
    tried += 1;
    const inner = unpacked(bytes.subarray(at));
    if (inner === undefined || inner.length === 0) continue;
    yield {
      bytes: inner,
      packed: true,
      begin: () => parent.begin(at),
      end: () => parent.end(bytes.length - 1),
    };
  }
}

function unpacked(bytes: Uint8Array): Buffer | undefined {
  try {
    return unzipSync(bytes, LENIENT);
  } catch {
    return undefined;
  }
}
