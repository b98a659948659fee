import { hasMarkedBreak, unescaped, unquoted } from './escapes.ts';
import { type Layer, type Stretch, stretchLayer, textLayer } from './layer.ts';
import { unpacked } from './packed.ts';

/** A reading of a text. */
export interface Reading {
  readonly layer: Layer;
  /** Whether it is what an encoding of bytes would come to, and so mostly chance. */
  readonly packed: boolean;
}

/** How many levels of escapes are undone: JSON in JSON in a page is three. */
const MOST_ESCAPES = 6;

/** How many levels of quoted-printable. They come apart from other escapes: `code=ab` is mostly none. */
const MOST_QUOTINGS = 2;

/** How many levels of base64 and the like. */
const MOST_PACKINGS = 4;

/**
 * Everything that can be read in a text once the encodings are undone that software applies by itself, each level with all
 * others inside of it: percent encoding (also partial, double, `escape()`), forms, JSON, JavaScript, HTML, Markdown,
 * quoted-printable, base64 (standard, for addresses, wrapped), base32, hexadecimal, lists of byte values, gzip and deflate.
 */
export function readings(text: string): Generator<Reading> {
  return within(textLayer(text), 0);
}

function* within(layer: Layer, depth: number): Generator<Reading> {
  const ends = yield* escapes(layer);
  // Before and after other escapes: either may have made an `=` that the other takes for its own.
  for (const end of new Set(ends)) {
    for (const marks of hasMarkedBreak(end) ? (['dropped', 'kept'] as const) : (['dropped'] as const)) {
      let unwrapped: Layer | undefined = unquoted(end, marks);
      for (let count = 0; count < MOST_QUOTINGS && unwrapped !== undefined; count += 1) {
        const [, last = unwrapped] = yield* escapes(unwrapped);
        ends.push(last);
        unwrapped = unquoted(last, marks);
      }
    }
  }
  if (depth >= MOST_PACKINGS) return;
  for (const each of new Set(ends)) {
    for (const inner of unpacked(each)) {
      yield { layer: inner, packed: true };
      const written = writtenIn(inner.bytes);
      if (written.length > 0) yield* within(stretchLayer(inner, written), depth + 1);
    }
  }
}

/** Fewest bytes that are text rather than chance. */
const SHORTEST_WRITTEN = 8;

/** Where text stands in bytes: most of what comes out is chance, and need not be decoded further. */
function writtenIn(bytes: Uint8Array): readonly Stretch[] {
  const found: Stretch[] = [];
  let begin = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    while (at < bytes.length && PRINTABLE[bytes[at] ?? 0] === 1) at += 1;
    const length = at < bytes.length ? characterAt(bytes, at) : 0;
    if (length > 0) {
      at += length - 1;
      continue;
    }
    if (at - begin >= SHORTEST_WRITTEN) found.push([begin, at]);
    begin = at + 1;
  }
  return found;
}

/** Whether a byte is a printable character, or a blank, of ASCII. */
const PRINTABLE = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d) ? 1 : 0,
);

/** How many bytes the printable character beyond ASCII at an index has; 0 where there is none. */
function characterAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte < 0xc2 || byte > 0xf4) return 0;
  const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  for (let next = at + 1; next < at + length; next += 1) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Yields the layer with ever fewer escapes, and returns it with all and with none of them. */
function* escapes(layer: Layer): Generator<Reading, Layer[]> {
  const levels = escapeLevels(layer);
  for (const level of levels) yield { layer: level, packed: false };
  return [layer, levels.at(-1) ?? layer];
}

/** The layer, and what is left of it after each level of escapes. */
function escapeLevels(layer: Layer): readonly Layer[] {
  const levels = [layer];
  for (
    let next = unescaped(layer);
    next !== undefined && levels.length <= MOST_ESCAPES;
    next = unescaped(next)
  ) {
    levels.push(next);
  }
  return levels;
}

/** A text with all of its escapes undone, as bytes: what every spelling of it by escapes comes to. */
export function withoutEscapes(text: string): Uint8Array {
  const layer = textLayer(text);
  return (escapeLevels(layer).at(-1) ?? layer).bytes;
}
