/** Undoes what is done to whole texts: base64, base32, hexadecimal, lists of byte values, and compression inside of them. */
import { gunzipSync, inflateSync, constants as zlib } from 'node:zlib';
import { type Layer, lastNotAfter, type Stretch } from './layer.ts';

/** Fewest bytes of a secret that is looked for in readings that are mostly chance. */
export const SHORTEST_PACKED = 8;

/** An encoding that spells bytes with characters of a few bits each. */
interface Alphabet {
  readonly bits: number;
  /** Value of each byte; -1 for what is no character of it. */
  readonly values: Int8Array;
  /** Runs of fewer characters spell nothing that is long enough to be found safely. */
  readonly shortest: number;
  /** In how many ways a run may be cut into bytes: what stands right before it may look like a part of it. */
  readonly alignments: number;
}

function alphabet(bits: number, alignments: number, ...spellings: readonly string[]): Alphabet {
  const values = new Int8Array(256).fill(-1);
  for (const spelling of spellings) {
    for (let value = 0; value < spelling.length; value += 1) values[spelling.charCodeAt(value)] = value;
  }
  return { bits, values, shortest: Math.ceil((8 * SHORTEST_PACKED) / bits), alignments };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LETTERS_AND_DIGITS = `${LETTERS}${LETTERS.toLowerCase()}0123456789`;

const ALPHABETS = [
  alphabet(6, 4, `${LETTERS_AND_DIGITS}+/`, `${LETTERS_AND_DIGITS}-_`),
  alphabet(5, 8, `${LETTERS}234567`, `${LETTERS.toLowerCase()}234567`),
  alphabet(4, 2, '0123456789ABCDEF', '0123456789abcdef'),
] as const;

/** Characters of one alphabet: stretches of a layer with nothing but a broken line between them. */
type Run = readonly Stretch[];

/** Every reading of what may be packed in a layer of text. */
export function* unpacked(parent: Layer): Generator<Layer> {
  for (const alphabet of ALPHABETS) {
    const runs = runsIn(parent.bytes, alphabet);
    for (let alignment = 0; runs.length > 0 && alignment < alphabet.alignments; alignment += 1) {
      yield* spelled(parent, runs, alphabet, alignment);
    }
  }
  const listed = byteList(parent);
  if (listed !== undefined) yield listed;
}

/** Line breaks in a run, with indentation or the mark of a quoted line after them, belong to whoever wrapped it. */
function runsIn(bytes: Uint8Array, { values, shortest }: Alphabet): readonly Run[] {
  const runs: Run[] = [];
  let run: Stretch[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if ((values[bytes[at] ?? 0] ?? -1) < 0) continue;
    const begin = at;
    while (at < bytes.length && (values[bytes[at] ?? 0] ?? -1) >= 0) at += 1;
    const next = afterBreak(bytes, at, at - begin);
    const goesOn = next < bytes.length && next > at && (values[bytes[next] ?? 0] ?? -1) >= 0;
    // Most words are short and stand alone: nothing is made for them.
    if (!goesOn && run.length === 0 && at - begin < shortest) continue;
    run.push([begin, at]);
    length += at - begin;
    if (goesOn) {
      // A blank may as well be the end of it, and what is compressed must end where it ends.
      if (run.length === 1 && length >= shortest) runs.push([...run]);
      at = next - 1;
      continue;
    }
    if (length >= shortest) runs.push(run);
    run = [];
    length = 0;
  }
  return runs;
}

/**
 * Where a line goes on that was broken: after the line break, blanks, and the marks that quoted lines begin with. After a line as long as
 * encoders make them a blank will do, because texts are put on one line.
 */
function afterBreak(bytes: Uint8Array, at: number, lineLength: number): number {
  const isBroken = bytes[at] === LF || bytes[at] === CR || lineLength >= ENCODED_LINE;
  if (!isBroken) return at;
  let next = at;
  while (next < bytes.length && INDENTATION.has(bytes[next] ?? 0)) next += 1;
  return next;
}

const ENCODED_LINE = 60;
const LF = 0x0a;
const CR = 0x0d;
const INDENTATION = new Set([...Buffer.from('\r\n\t >|')]);

/** What all runs spell when they are cut in one way, a zero after each; and what is compressed in that. */
function* spelled(
  parent: Layer,
  runs: readonly Run[],
  alphabet: Alphabet,
  alignment: number,
): Generator<Layer> {
  const { bits } = alphabet;
  const characters = runs.reduce((sum, run) => sum + lengthOf(run), 0);
  const bytes = new Uint8Array(Math.ceil((characters * bits) / 8) + runs.length);
  const starts: number[] = [];
  let size = 0;
  for (const run of runs) {
    starts.push(size);
    size = spell(parent.bytes, run, alphabet, alignment, bytes, size) + 1;
  }
  const characterOf = (index: number, bit: number) => {
    const which = lastNotAfter(starts, index);
    const offset = index - (starts[which] ?? 0);
    return placeIn(runs[which] ?? [], alignment + Math.floor((8 * offset + bit) / bits));
  };
  const layer = {
    bytes: bytes.subarray(0, size),
    begin: (index: number) => parent.begin(characterOf(index, 0)),
    end: (index: number) => parent.end(characterOf(index, 7)),
  };
  yield layer;
  yield* inflated(layer, starts);
}

/**
 * Writes what a run spells. Apart from the generator that wants it, because much time goes here and loops in generators are slow.
 *
 * @returns where it ends
 */
function spell(
  from: Uint8Array,
  run: Run,
  { bits, values }: Alphabet,
  alignment: number,
  to: Uint8Array,
  begin: number,
): number {
  let size = begin;
  let held = 0;
  let heldBits = 0;
  let skip = alignment;
  for (const [first, end] of run) {
    for (let at = first + skip; at < end; at += 1) {
      held = ((held << bits) | (values[from[at] ?? 0] ?? 0)) & 0xffff;
      heldBits += bits;
      if (heldBits < 8) continue;
      heldBits -= 8;
      to[size++] = (held >> heldBits) & 0xff;
    }
    skip = Math.max(0, skip - (end - first));
  }
  return size;
}

function lengthOf(run: Run): number {
  return run.reduce((sum, [begin, end]) => sum + end - begin, 0);
}

/** Where the character of a run with a number stands; its last one where it has fewer. */
function placeIn(run: Run, character: number): number {
  let left = character;
  for (const [begin, end] of run) {
    if (left < end - begin) return begin + left;
    left -= end - begin;
  }
  return (run.at(-1)?.[1] ?? 1) - 1;
}

/** Byte values as Node prints and writes buffers: `<Buffer 63 61>`, `63:61`, `[99,97]`. */
function byteList(parent: Layer): Layer | undefined {
  const { buffer, byteOffset, length } = parent.bytes;
  const text = Buffer.from(buffer, byteOffset, length).toString('latin1');
  const bytes: number[] = [];
  const places: Stretch[] = [];
  for (const [pattern, radix] of BYTE_LISTS) {
    for (const { 0: list, index } of text.matchAll(pattern)) {
      for (const { 0: digits, index: inside } of list.matchAll(/[0-9a-f]+/gi)) {
        bytes.push(Number.parseInt(digits, radix) & 0xff);
        places.push([index + inside, index + inside + digits.length - 1]);
      }
      bytes.push(0);
      places.push([index, index]);
    }
  }
  if (bytes.length === 0) return undefined;
  return {
    bytes: Uint8Array.from(bytes),
    begin: (index) => parent.begin(places[index]?.[0] ?? 0),
    end: (index) => parent.end(places[index]?.[1] ?? 0),
  };
}

const BYTE_LISTS = [
  [/(?<![0-9a-f])[0-9a-f]{2}(?:[ +:-][0-9a-f]{2}){7,}/gi, 16],
  [/(?<!\d)\d{1,3}(?:,\s{0,40}\d{1,3}){7,}/g, 10],
] as const;

/** Most archives that are opened in one layer, and most bytes that come out of one. */
const MOST_ARCHIVES = 64;
const LENIENT = { maxOutputLength: 4 * 1024 * 1024, finishFlush: zlib.Z_SYNC_FLUSH };

/** What is compressed in the runs of a layer, each as a layer whose bytes all come from the whole run. */
function* inflated(parent: Layer, starts: readonly number[]): Generator<Layer> {
  const { bytes } = parent;
  let tried = 0;
  for (const [index, at] of starts.entries()) {
    const isGzip = bytes[at] === 0x1f && bytes[at + 1] === 0x8b;
    const isZlib = bytes[at] === 0x78 && ZLIB_LEVELS.has(bytes[at + 1] ?? 0);
    if (!isGzip && !isZlib) continue;
    tried += 1;
    if (tried > MOST_ARCHIVES) return;
    const end = (starts[index + 1] ?? bytes.length) - 1;
    const inner = attempt(() => (isGzip ? gunzipSync : inflateSync)(bytes.subarray(at, end), LENIENT));
    if (inner !== undefined)
      yield { bytes: inner, begin: () => parent.begin(at), end: () => parent.end(end - 1) };
  }
}

const ZLIB_LEVELS = new Set([0x01, 0x5e, 0x9c, 0xda]);

function attempt(unpack: () => Buffer): Buffer | undefined {
  try {
    return unpack();
  } catch {
    return undefined;
  }
}
