/**
 * One reading of a text as bytes: the text itself in UTF-8, or what comes out when an encoding in it is undone. Every byte
 * knows where in the text it comes from, so that what is found in a reading can be replaced in the text. Most texts hold no
 * secret: places are worked out only when one is found.
 */
export interface Layer {
  readonly bytes: Uint8Array;
  /** Where in the text the byte at an index begins, in UTF-16 units. */
  begin(index: number): number;
  /** Where in the text the byte at an index ends, exclusive. */
  end(index: number): number;
}

/** The text itself. A lone surrogate reads as U+FFFD, as in every file that is written. */
export function textLayer(text: string): Layer {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length === text.length) return { bytes, begin: (index) => index, end: (index) => index + 1 };
  let places: Int32Array | undefined;
  const begin = (index: number) => {
    places ??= placesOf(text, bytes.length);
    return places[index] ?? text.length;
  };
  const end = (index: number) => {
    const place = begin(index);
    return place + ((text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1);
  };
  return { bytes, begin, end };
}

function placesOf(text: string, size: number): Int32Array {
  const places = new Int32Array(size);
  let byte = 0;
  for (let unit = 0; unit < text.length; ) {
    const point = text.codePointAt(unit) ?? 0;
    const length = point < 0x80 ? 1 : point < 0x800 ? 2 : point > 0xffff ? 4 : 3;
    places.fill(unit, byte, byte + length);
    byte += length;
    unit += point > 0xffff ? 2 : 1;
  }
  return places;
}

/** Bytes that follow one another in a layer: where they begin, and where they end, exclusive. */
export type Stretch = readonly [begin: number, end: number];

/** Some stretches of a layer as a layer of their own, a zero after each. */
export function stretchLayer(parent: Layer, stretches: readonly Stretch[]): Layer {
  const size = stretches.reduce((sum, [begin, end]) => sum + end - begin + 1, 0);
  const bytes = new Uint8Array(size);
  const starts: number[] = [];
  let at = 0;
  for (const [begin, end] of stretches) {
    starts.push(at);
    bytes.set(parent.bytes.subarray(begin, end), at);
    at += end - begin + 1;
  }
  const inParent = (index: number) => {
    const which = lastNotAfter(starts, index);
    const [begin, end] = stretches[which] ?? [0, 0];
    return Math.min(begin + index - (starts[which] ?? 0), end - 1);
  };
  return {
    bytes,
    begin: (index) => parent.begin(inParent(index)),
    end: (index) => parent.end(inParent(index)),
  };
}

/** Position of the last of some ascending numbers that is not greater than another. */
export function lastNotAfter(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
