import { gunzipSync, inflateRawSync, inflateSync, constants as zlib } from 'node:zlib';
import { lastNotAfter, type Reading } from './reading.ts';

/** Minimum bytes of a secret searched for in decoded bytes, which are mostly random. */
export const SHORTEST_PACKED = 8;

interface Alphabet {
  readonly bits: number;
  readonly values: Int8Array;
  /** Minimum run length that can hold a secret. */
  readonly shortest: number;
  /** Number of ways to cut a run into bytes, because adjacent letters may look like part of it. */
  readonly alignments: number;
}

function alphabet(bits: number, alignments: number, ...spellings: readonly string[]): Alphabet {
  const values = new Int8Array(256).fill(-1);
  for (const spelling of spellings) {
    for (let value = 0; value < spelling.length; value += 1) values[spelling.charCodeAt(value)] = value;
  }
  return { bits, values, shortest: Math.ceil((8 * SHORTEST_PACKED) / bits), alignments };
}

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const BASE64 = alphabet(6, 4, `${LETTERS_AND_DIGITS}+/`, `${LETTERS_AND_DIGITS}-_`);
const HEXADECIMAL = alphabet(4, 2, '0123456789ABCDEF', '0123456789abcdef');

export const base64 = (parent: Reading) => spelled(parent, BASE64);
export const hexadecimal = (parent: Reading) => spelled(parent, HEXADECIMAL);

interface Run {
  readonly begin: number;
  readonly end: number;
  at: number;
}

/** Yields the decoded bytes of all runs for each alignment, with a zero after each run. */
function* spelled(parent: Reading, alphabet: Alphabet): Generator<Reading> {
  const { bits, alignments } = alphabet;
  const runs = runsIn(parent.bytes, alphabet);
  for (let skip = 0; runs.length > 0 && skip < alignments; skip += 1) {
    const bytes = spell(parent.bytes, runs, alphabet, skip);
    const starts = runs.map(({ at }) => at);
    const inParent = (index: number, bit: number) => {
      const which = lastNotAfter(starts, index, (start) => start);
      const { begin, end } = runs[which] ?? { begin: 0, end: 1 };
      return Math.min(begin + skip + Math.floor((8 * (index - (starts[which] ?? 0)) + bit) / bits), end - 1);
    };
    yield {
      bytes,
      packed: true,
      begin: (index) => parent.begin(inParent(index, 0)),
      end: (index) => parent.end(inParent(index, 7)),
    };
  }
}

function runsIn(bytes: Uint8Array, { values, shortest }: Alphabet): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const begin = at;
    while (at < bytes.length && (values[bytes[at] ?? 0] ?? -1) >= 0) at += 1;
    if (at - begin >= shortest) runs.push({ begin, end: at, at: 0 });
  }
  return runs;
}

/** Separate from its generator because it is a hot path, and loops in generators are slow. */
function spell(from: Uint8Array, runs: readonly Run[], { bits, values }: Alphabet, skip: number): Uint8Array {
  const characters = runs.reduce((sum, { begin, end }) => sum + end - begin, 0);
  const to = new Uint8Array(Math.ceil((characters * bits) / 8) + runs.length);
  let size = 0;
  for (const run of runs) {
    run.at = size;
    let held = 0;
    let heldBits = 0;
    for (let at = run.begin + skip; at < run.end; at += 1) {
      held = ((held << bits) | (values[from[at] ?? 0] ?? 0)) & 0xffff;
      heldBits += bits;
      if (heldBits < 8) continue;
      heldBits -= 8;
      to[size++] = (held >> heldBits) & 0xff;
    }
    size += 1;
  }
  return to.subarray(0, size);
}

/** Limits for one reading: archives opened, and bytes unpacked from one. */
const MOST_ARCHIVES = 64;
const LENIENT = { maxOutputLength: 4 * 1024 * 1024, finishFlush: zlib.Z_SYNC_FLUSH };

export function* compressed(parent: Reading): Generator<Reading> {
  if (!parent.packed) return;
  const { bytes } = parent;
  let tried = 0;
  for (let at = 0; at < bytes.length && tried < MOST_ARCHIVES; at += 1) {
    const unpack = UNPACKERS[bytes[at] ?? 0]?.(bytes, at);
    if (unpack === undefined) continue;
    tried += 1;
    const inner = attempt(unpack);
    if (inner === undefined || inner.length === 0) continue;
    yield {
      bytes: inner,
      packed: true,
      begin: () => parent.begin(at),
      end: () => parent.end(bytes.length - 1),
    };
  }
}

const UNPACKERS: Readonly<Record<number, (bytes: Uint8Array, at: number) => (() => Buffer) | undefined>> = {
  31: (bytes, at) => (bytes[at + 1] === 0x8b ? () => gunzipSync(bytes.subarray(at), LENIENT) : undefined),
  120: (bytes, at) =>
    ZLIB_LEVELS.has(bytes[at + 1] ?? 0) ? () => inflateSync(bytes.subarray(at), LENIENT) : undefined,
  // A zip's local file header: 30 bytes, then a name and an extra field, whose lengths are at its end.
  80: (bytes, at) => {
    if (bytes[at + 1] !== 0x4b || bytes[at + 2] !== 3 || bytes[at + 3] !== 4) return undefined;
    const length = (index: number) => (bytes[at + index] ?? 0) + 256 * (bytes[at + index + 1] ?? 0);
    return () => inflateRawSync(bytes.subarray(at + 30 + length(26) + length(28)), LENIENT);
  },
};

const ZLIB_LEVELS = new Set([0x01, 0x5e, 0x9c, 0xda]);

function attempt(unpack: () => Buffer): Buffer | undefined {
  try {
    return unpack();
  } catch {
    return undefined;
  }
}
