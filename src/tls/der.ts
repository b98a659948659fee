/** The part of DER (ITU-T X.690) that X.509 needs: a value is its tag, length and content. */

export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

export const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content);

export const set = (...content: readonly Uint8Array[]): Buffer => der(0x31, ...content);

export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));

export const octets = (content: Uint8Array): Buffer => der(0x04, content);

export const TRUE: Buffer = der(0x01, Buffer.from([0xff]));

export function integer(bytes: Uint8Array): Buffer {
  const positive = (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes]);
  return der(0x02, positive);
}

/** Encodes a BIT STRING; `unused` counts the unused bits at its end. */
export const bits = (content: Uint8Array, unused = 0): Buffer => der(0x03, Buffer.from([unused]), content);

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** Encodes UTCTime until 2049, GeneralizedTime from 2050 (RFC 5280 section 4.1.2.5). */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

function base128(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift((rest % 128) | 0x80);
  }
  return bytes;
}
