import { escapes } from './escapes.ts';
import { base64, gzipped, hexadecimal, utf16 } from './packed.ts';
import type { Reading } from './reading.ts';

/** Encodings that are undone. SECURITY.md lists them for users. */
const DECODERS: readonly ((reading: Reading) => Iterable<Reading>)[] = [
  escapes,
  base64,
  hexadecimal,
  gzipped,
  utf16,
];

/** Maximum nesting of encodings, such as base64 of JSON. */
const LEVELS = 2;

export function* readings(text: string): Generator<Reading> {
  yield* within(textReading(text), LEVELS);
}

function* within(reading: Reading, levels: number): Generator<Reading> {
  yield reading;
  if (levels === 0) return;
  for (const decoder of DECODERS) for (const inner of decoder(reading)) yield* within(inner, levels - 1);
}

export function withoutEscapes(text: string): readonly Uint8Array[] {
  const found = [textReading(text)];
  for (let level = 0; level < LEVELS; level += 1)
    found.push(...found.slice(-1).flatMap((last) => [...escapes(last)]));
  return found.map(({ bytes }) => bytes);
}

/** Reads a lone surrogate as U+FFFD, as in every file written. */
function textReading(text: string): Reading {
  const bytes = Buffer.from(text, 'utf8');
  const packed = false;
  if (bytes.length === text.length) {
    return { bytes, packed, begin: (index) => index, end: (index) => index + 1 };
  }
  let places: Int32Array | undefined;
  const begin = (index: number) => {
    places ??= placesOf(text, bytes.length);
    return places[index] ?? text.length;
  };
  const end = (index: number) => {
    const place = begin(index);
    return place + ((text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1);
  };
  return { bytes, packed, begin, end };
}

function placesOf(text: string, size: number): Int32Array {
  const places = new Int32Array(size);
  let byte = 0;
  for (let unit = 0; unit < text.length; ) {
    const point = text.codePointAt(unit) ?? 0;
    const length = 1 + Number(point > 0x7f) + Number(point > 0x7ff) + Number(point > 0xffff);
    places.fill(unit, byte, byte + length);
    byte += length;
    unit += point > 0xffff ? 2 : 1;
  }
  return places;
}
