import { unzipSync, constants as zlib } from 'node:zlib';
import { lastNotAfter, latin1, type Reading } from './reading.ts';

/** Minimum bytes of a secret searched for in decoded bytes, which are mostly random. */
export const SHORTEST_PACKED = 8;

interface Alphabet {
  readonly encoding: 'base64' | 'hex';
  readonly bits: number;
  /** Characters in a row that can hold a secret. */
  readonly runs: RegExp;
  /** Number of ways to cut a run into bytes, because adjacent letters may look like part of it. */
  readonly alignments: number;
}

/** Node reads both alphabets of base64. */
const BASE64: Alphabet = { encoding: 'base64', bits: 6, runs: /[\w+/-]{11,}/g, alignments: 4 };
const HEXADECIMAL: Alphabet = { encoding: 'hex', bits: 4, runs: /[0-9A-Fa-f]{16,}/g, alignments: 2 };

export const base64 = (parent: Reading) => spelled(parent, BASE64);
export const hexadecimal = (parent: Reading) => spelled(parent, HEXADECIMAL);

/** Yields the decoded bytes of all runs for each alignment, with a zero after each run. */
function* spelled(parent: Reading, { encoding, bits, runs, alignments }: Alphabet): Generator<Reading> {
  const found = [...latin1(parent.bytes).matchAll(runs)];
  for (let skip = 0; found.length > 0 && skip < alignments; skip += 1) {
    const bytes = Buffer.alloc(parent.bytes.length + found.length);
    const starts: number[] = [];
    let size = 0;
    for (const [run] of found) {
      starts.push(size);
      size += bytes.write(run.slice(skip), size, encoding) + 1;
    }
    const inParent = (index: number, bit: number) => {
      const which = lastNotAfter(starts, index, (start) => start);
      const { 0: run = '', index: begin = 0 } = found[which] ?? {};
      const at = skip + Math.floor((8 * (index - (starts[which] ?? 0)) + bit) / bits);
      return begin + Math.min(at, run.length - 1);
    };
    yield {
      bytes: bytes.subarray(0, size),
      packed: true,
      begin: (index) => parent.begin(inParent(index, 0)),
      end: (index) => parent.end(inParent(index, 7)),
    };
  }
}

/** The first two bytes of gzip, and of zlib (RFC 1950), with which Flask makes cookies shorter. */
const ARCHIVES = [0x1f8b, 0x7801, 0x785e, 0x789c, 0x78da];

/** Limits for one reading: archives opened, and bytes unpacked from one. */
const MOST_ARCHIVES = 64;
const LENIENT = { maxOutputLength: 4 * 1024 * 1024, finishFlush: zlib.Z_SYNC_FLUSH };

export function* gzipped(parent: Reading): Generator<Reading> {
  if (!parent.packed) return;
  const { bytes } = parent;
  let tried = 0;
  for (let at = 0; at < bytes.length && tried < MOST_ARCHIVES; at += 1) {
    if (!ARCHIVES.includes(((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0))) continue;
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
