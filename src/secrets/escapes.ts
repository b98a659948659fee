/** Undoes what is done to single characters: percent, JSON and JavaScript, HTML and Markdown escapes, quoted-printable. */
import { entityNamed } from './entities.ts';
import type { Layer } from './layer.ts';

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;
const EQUALS = 0x3d;

/** Longest entity that is looked for between `&` and `;`. */
const LONGEST_ENTITY = 10;

/** What an escape stands for, and how many bytes it takes. */
interface Escape {
  readonly bytes: readonly number[];
  readonly length: number;
}

/** One level of percent, backslash and entity escapes undone; undefined where there are none. */
export function unescaped(parent: Layer): Layer | undefined {
  return undone(parent, (bytes, at) => {
    const byte = bytes[at];
    if (byte === PERCENT) return percent(bytes, at);
    if (byte === BACKSLASH) return backslash(bytes, at);
    return byte === AMPERSAND ? entity(bytes, at) : undefined;
  });
}

/**
 * Quoted-printable undone, soft line breaks included; undefined where there is none.
 *
 * @param marks whether the mark of a quoted line behind a soft break is part of the break, or of the text: it may be either
 */
export function unquoted(parent: Layer, marks: 'dropped' | 'kept'): Layer | undefined {
  return undone(parent, (bytes, at) => {
    if (bytes[at] !== EQUALS) return undefined;
    const soft = softBreak(bytes, at + 1, SOFT_BREAKS[marks]);
    if (soft > 0) return { bytes: [], length: 1 + soft };
    // Capitals alone, as the standard demands: `code=ab` is no quoted-printable.
    const isCapital = (index: number) => (bytes[index] ?? 0) < 0x61;
    const value = isCapital(at + 1) && isCapital(at + 2) ? hex(bytes, at + 1, 2) : undefined;
    return oneByte(value, 3);
  });
}

/**
 * How many bytes behind an `=` make it a soft line break: the end of the line, with the mark of a quoted line where there is one, or the one
 * blank that is left of it in a text that was put on one line.
 */
function softBreak(bytes: Uint8Array, at: number, pattern: RegExp): number {
  if (MAY_BREAK[bytes[at] ?? 0] === 0) return 0;
  const text = String.fromCharCode(...bytes.subarray(at, at + LONGEST_BREAK));
  return pattern.exec(text)?.[0].length ?? 0;
}

/** What a soft line break begins with. Attributes of pages have millions of `=` without one. */
const MAY_BREAK = new Uint8Array(256);
for (const byte of Buffer.from('\r\n ')) MAY_BREAK[byte] = 1;

const SOFT_BREAKS = { dropped: /^(?:\r?\n(?:[ \t]*[|>] )?| )/, kept: /^(?:\r?\n| )/ } as const;

/** Whether a soft line break is followed by what may be the mark of a quoted line. */
export function hasMarkedBreak({ bytes }: Layer): boolean {
  for (let at = bytes.indexOf(EQUALS); at >= 0; at = bytes.indexOf(EQUALS, at + 1))
    if (softBreak(bytes, at + 1, /^\r?\n[ \t]*[|>] /) > 0) return true;
  return false;
}

const LONGEST_BREAK = 12;

type EscapeAt = (bytes: Uint8Array, at: number) => Escape | undefined;

function undone(parent: Layer, escapeAt: EscapeAt): Layer | undefined {
  const bytes = written(parent.bytes, escapeAt);
  if (bytes === undefined) return undefined;
  let places: readonly [first: Int32Array, last: Int32Array] | undefined;
  const placed = () => {
    places ??= placesIn(parent.bytes, bytes.length, escapeAt);
    return places;
  };
  return {
    bytes,
    begin: (index) => parent.begin(placed()[0][index] ?? 0),
    end: (index) => parent.end(placed()[1][index] ?? 0),
  };
}

/** Bytes without their escapes; undefined where there are none. */
function written(bytes: Uint8Array, escapeAt: EscapeAt): Uint8Array | undefined {
  let out: Uint8Array | undefined;
  let size = 0;
  let copied = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (MAY_ESCAPE[bytes[at] ?? 0] === 0) continue;
    const found = escapeAt(bytes, at);
    if (found === undefined) continue;
    // What an escape stands for is never longer than the escape.
    out ??= new Uint8Array(bytes.length);
    size = copy(bytes, copied, at, out, size);
    for (const value of found.bytes) out[size++] = value;
    at += found.length - 1;
    copied = at + 1;
  }
  return out?.subarray(0, copy(bytes, copied, bytes.length, out, size));
}

/** Fewer bytes than this are copied one by one: a view of them takes longer to make. */
const WORTH_A_VIEW = 64;

/** @returns where it ends */
function copy(from: Uint8Array, begin: number, end: number, to: Uint8Array, at: number): number {
  if (end - begin >= WORTH_A_VIEW) to.set(from.subarray(begin, end), at);
  else for (let index = begin; index < end; index += 1) to[at + index - begin] = from[index] ?? 0;
  return at + end - begin;
}

/** Where each byte without escapes comes from: the first and the last byte that it stood as. */
function placesIn(bytes: Uint8Array, size: number, escapeAt: EscapeAt): readonly [Int32Array, Int32Array] {
  const first = new Int32Array(size);
  const last = new Int32Array(size);
  let index = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const found = MAY_ESCAPE[bytes[at] ?? 0] === 0 ? undefined : escapeAt(bytes, at);
    const length = found?.length ?? 1;
    const count = found?.bytes.length ?? 1;
    first.fill(at, index, index + count);
    last.fill(at + length - 1, index, index + count);
    index += count;
    at += length - 1;
  }
  return [first, last];
}

const MAY_ESCAPE = new Uint8Array(256);
for (const byte of [PERCENT, BACKSLASH, AMPERSAND, EQUALS]) MAY_ESCAPE[byte] = 1;

/** One byte each, by its value and by the length of the escape: millions of them are met, and none is made anew. */
const ONE_BYTE = [2, 3, 4].map((length) =>
  Array.from({ length: 256 }, (_, byte) => ({ bytes: [byte], length })),
);

function oneByte(value: number | undefined, length: 2 | 3 | 4): Escape | undefined {
  return value === undefined ? undefined : ONE_BYTE[length - 2]?.[value];
}

/** `%2F`, `%2f`, and `%u002F` as `escape()` writes it. */
function percent(bytes: Uint8Array, at: number): Escape | undefined {
  const byte = hex(bytes, at + 1, 2);
  if (byte !== undefined) return oneByte(byte, 3);
  if (!isLetter(bytes, at + 1, U)) return undefined;
  return unit(bytes, at, () => bytes[at + 6] === PERCENT && isLetter(bytes, at + 7, U));
}

/** `\n`, `\"`, `\/`, `\_`, `\u002f`, `\u{2f}`, `\U0000002f`, `\x2f`, `\057`. */
function backslash(bytes: Uint8Array, at: number): Escape | undefined {
  const simple = SIMPLE[bytes[at + 1] ?? 0] ?? NONE;
  if (simple !== NONE) return oneByte(simple, 2);
  if (isLetter(bytes, at + 1, U)) return unicode(bytes, at);
  if (isLetter(bytes, at + 1, X)) return oneByte(hex(bytes, at + 2, 2), 4);
  const octal = digits(bytes, at + 1, 3, 8);
  if (octal !== undefined && octal <= 0xff) return oneByte(octal, 4);
  return bytes[at + 1] === 0x30 ? oneByte(0, 2) : undefined;
}

const NONE = -1;

/** What a backslash and one more byte stand for: punctuation for itself, some letters for controls. */
const SIMPLE = Int16Array.from({ length: 256 }, (_, byte) => {
  const name = String.fromCharCode(byte);
  const control = 'btnvfr'.indexOf(name.toLowerCase());
  if (control >= 0) return 8 + control;
  return byte > 0x20 && byte < 0x7f && !/[0-9a-z]/i.test(name) ? byte : NONE;
});

function unicode(bytes: Uint8Array, at: number): Escape | undefined {
  if (bytes[at + 2] === 0x7b) {
    for (let count = 1; count <= 6; count += 1) {
      if (bytes[at + 3 + count] !== 0x7d) continue;
      const point = hex(bytes, at + 3, count);
      return point === undefined ? undefined : { bytes: utf8(point), length: count + 4 };
    }
    return undefined;
  }
  const long = bytes[at + 1] === 0x55 ? hex(bytes, at + 2, 8) : undefined;
  if (long !== undefined && long <= 0x10ffff) return { bytes: utf8(long), length: 10 };
  return unit(bytes, at, () => bytes[at + 6] === BACKSLASH && isLetter(bytes, at + 7, U));
}

/** Four hexadecimal digits; together with four more where they are the halves of a surrogate pair. */
function unit(bytes: Uint8Array, at: number, another: () => boolean): Escape | undefined {
  const high = hex(bytes, at + 2, 4);
  if (high === undefined) return undefined;
  const length = 6;
  const low = high >= 0xd800 && high < 0xdc00 && another() ? hex(bytes, at + length + 2, 4) : undefined;
  if (low !== undefined && low >= 0xdc00 && low < 0xe000) {
    return { bytes: utf8(0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00)), length: 2 * length };
  }
  return { bytes: utf8(high), length };
}

/** `&lt;`, `&#60;`, `&#x3c;`. */
function entity(bytes: Uint8Array, at: number): Escape | undefined {
  let end = at + 1;
  while (end < bytes.length && end - at <= LONGEST_ENTITY && bytes[end] !== 0x3b) end += 1;
  if (bytes[end] !== 0x3b) return undefined;
  const length = end - at + 1;
  if (bytes[at + 1] !== 0x23) {
    const point = entityNamed(Buffer.from(bytes.subarray(at + 1, end)).toString('latin1'));
    return point === undefined ? undefined : { bytes: utf8(point), length };
  }
  const isHex = isLetter(bytes, at + 2, X);
  const point = isHex ? hex(bytes, at + 3, end - at - 3) : digits(bytes, at + 2, end - at - 2, 10);
  return point === undefined || point > 0x10ffff ? undefined : { bytes: utf8(point), length };
}

const U = 0x75;
const X = 0x78;

/** Whether a letter stands at an index, in whichever case. */
function isLetter(bytes: Uint8Array, at: number, lower: number): boolean {
  return ((bytes[at] ?? 0) | 0x20) === lower;
}

function hex(bytes: Uint8Array, at: number, count: number): number | undefined {
  return digits(bytes, at, count, 16);
}

function digits(bytes: Uint8Array, at: number, count: number, radix: number): number | undefined {
  if (count < 1 || at + count > bytes.length) return undefined;
  let value = 0;
  for (let index = at; index < at + count; index += 1) {
    const digit = digitOf(bytes[index] ?? 0);
    if (digit >= radix) return undefined;
    value = value * radix + digit;
  }
  return value;
}

function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : 99;
}

function utf8(point: number): readonly number[] {
  if (point < 0x80) return [point];
  const isSurrogate = point >= 0xd800 && point < 0xe000;
  return [...Buffer.from(isSurrogate || point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point))];
}
