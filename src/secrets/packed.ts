import { gunzipSync, inflateRawSync, inflateSync, constants as zlib } from 'node:zlib';
import { lastNotAfter, type Reading } from './reading.ts';

/** Fewest bytes of a secret that is looked for in decoded bytes, which are mostly chance. */
export const SHORTEST_PACKED = 8;

/** An encoding that spells bytes with characters of a few bits each. */
interface Alphabet {
  readonly bits: number;
  /** Value of each byte; -1 for what is no character of it. */
  readonly values: Int8Array;
  /** Runs of fewer characters spell nothing that is long enough. */
  readonly shortest: number;
  /** In how many ways a run may be cut into bytes: letters right before it look like a part of it. */
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

/** A run of characters of an alphabet, and where its bytes begin. */
interface Run {
  readonly begin: number;
  readonly end: number;
  at: number;
}

/** Yields what all runs spell, for each way to cut them; a zero follows each run. */
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

/** Apart from the generator that wants it: much time goes here, and loops in generators are slow. */
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

/** Archives that are opened in one reading at most, and bytes that come out of one. */
const MOST_ARCHIVES = 64;
const LENIENT = { maxOutputLength: 4 * 1024 * 1024, finishFlush: zlib.Z_SYNC_FLUSH };

/** Yields what is compressed in decoded bytes: gzip, zlib, and the files of a zip archive. All of it stands for the whole archive. */
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

/** By the first byte of an archive. */
const UNPACKERS: Readonly<Record<number, (bytes: Uint8Array, at: number) => (() => Buffer) | undefined>> = {
  31: (bytes, at) => (bytes[at + 1] === 0x8b ? () => gunzipSync(bytes.subarray(at), LENIENT) : undefined),
  120: (bytes, at) =>
    ZLIB_LEVELS.has(bytes[at + 1] ?? 0) ? () => inflateSync(bytes.subarray(at), LENIENT) : undefined,
  // A zip's local file header: 30 bytes, a name and an extra field, whose lengths stand at its end.
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
