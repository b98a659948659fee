import { lastNotAfter, type Reading } from './reading.ts';

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;

/** Undoes one level of percent encoding, of JSON and Markdown backslashes, and of HTML entities. */
export function* escapes(parent: Reading): Generator<Reading> {
  const from = parent.bytes;
  let to: Uint8Array | undefined;
  let size = 0;
  let copied = 0;
  const places: {
    readonly begin: number;
    readonly end: number;
    readonly to: number;
    readonly toEnd: number;
  }[] = [];
  const value: number[] = [];
  for (let at = 0; at < from.length; at += 1) {
    if (MAY_ESCAPE[from[at] ?? 0] === 0) continue;
    const length = read(from, at, value);
    if (length === 0) continue;
    // An escape is never shorter than its bytes.
    to ??= new Uint8Array(from.length);
    to.set(from.subarray(copied, at), size);
    size += at - copied;
    for (const [index, byte] of value.entries()) to[size + index] = byte;
    places.push({ begin: at, end: at + length, to: size, toEnd: size + value.length });
    size += value.length;
    copied = at + length;
    at = copied - 1;
  }
  if (to === undefined) return;
  to.set(from.subarray(copied), size);
  const inParent = (index: number, edge: 'begin' | 'end') => {
    const last = places[lastNotAfter(places, index, (place) => place.to)];
    if (last === undefined || index < last.to) return index;
    if (index >= last.toEnd) return last.end + index - last.toEnd;
    return edge === 'begin' ? last.begin : last.end - 1;
  };
  yield {
    bytes: to.subarray(0, size + from.length - copied),
    packed: parent.packed,
    begin: (index) => parent.begin(inParent(index, 'begin')),
    end: (index) => parent.end(inParent(index, 'end')),
  };
}

const MAY_ESCAPE = new Uint8Array(256);
for (const byte of [PERCENT, BACKSLASH, AMPERSAND]) MAY_ESCAPE[byte] = 1;

function read(from: Uint8Array, at: number, value: number[]): number {
  value.length = 0;
  const byte = from[at];
  if (byte === PERCENT) return put(value, number(from, at + 1, 2, 16), 3);
  return byte === BACKSLASH ? backslash(from, at, value) : entity(from, at, value);
}

function put(value: number[], byte: number | undefined, length: number): number {
  if (byte === undefined) return 0;
  value.push(byte);
  return length;
}

/** `\n`, `\"`, `\/`, `\_`, `\u002f`, `\x2f`. */
function backslash(from: Uint8Array, at: number, value: number[]): number {
  const next = from[at + 1] ?? 0;
  if (next === X) return put(value, number(from, at + 2, 2, 16), 4);
  if (next !== U) return put(value, MEANING[next], 2);
  const high = number(from, at + 2, 4, 16);
  if (high === undefined) return 0;
  const isPair = high >= 0xd800 && high < 0xdc00 && from[at + 6] === BACKSLASH && from[at + 7] === U;
  const low = isPair ? number(from, at + 8, 4, 16) : undefined;
  const units = low === undefined ? [high] : [high, low];
  value.push(...Buffer.from(String.fromCharCode(...units)));
  return 6 * units.length;
}

const U = 0x75;
const X = 0x78;

const MEANING = Array.from({ length: 256 }, (_, byte) => {
  const name = String.fromCharCode(byte);
  const control = 'btnvfr'.indexOf(name);
  if (byte > 0 && control >= 0) return 8 + control;
  return byte > 0x20 && byte < 0x7f && !/[0-9a-z]/i.test(name) ? byte : undefined;
});

/** `&lt;`, `&#60;`, `&#x3c;`. */
function entity(from: Uint8Array, at: number, value: number[]): number {
  const end = from.subarray(at, at + LONGEST_ENTITY).indexOf(SEMICOLON);
  if (end < 0) return 0;
  const name = Buffer.from(from.subarray(at + 1, at + end))
    .toString('latin1')
    .toLowerCase();
  const [, hex, decimal] = /^#(?:x([0-9a-f]+)|([0-9]+))$/.exec(name) ?? [];
  const point =
    hex === undefined && decimal === undefined
      ? NAMED.get(name)
      : Number.parseInt(hex ?? decimal ?? '', hex === undefined ? 10 : 16);
  if (point === undefined || point > 0x10ffff) return 0;
  value.push(...Buffer.from(String.fromCodePoint(point)));
  return end + 1;
}

const SEMICOLON = 0x3b;
const LONGEST_ENTITY = 10;

const NAMED = new Map([
  ['amp', 0x26],
  ['lt', 0x3c],
  ['gt', 0x3e],
  ['quot', 0x22],
  ['apos', 0x27],
  ['nbsp', 0xa0],
]);

function number(from: Uint8Array, at: number, count: number, radix: number): number | undefined {
  let sum = 0;
  for (let index = at; index < at + count; index += 1) {
    const digit = DIGIT[from[index] ?? 0] ?? 99;
    if (digit >= radix) return undefined;
    sum = sum * radix + digit;
  }
  return sum;
}

const DIGIT = Uint8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? 99 : digit;
});
