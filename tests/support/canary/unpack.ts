import { gunzipSync, inflateRawSync } from 'node:zlib';

/** Signatures of a zip archive's records (APPNOTE 4.3). */
const ENTRY = Buffer.from('PK\x01\x02', 'latin1');
const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);

/** Stored, and deflated. */
const STORED = 0;

/** Longest base64 that is worth decoding begins here: shorter runs are words. */
const BASE64_RUN = /[A-Za-z0-9+/_-]{40,}={0,2}/g;

/** Maximum nesting of archives. */
const DEEPEST = 4;

/** Everything that can be read in some bytes: as text, and what is packed in them with gzip, zip or base64. */
export function readings(bytes: Buffer, depth = 0): readonly string[] {
  const text = bytes.toString('utf8');
  if (depth >= DEEPEST) return [text];
  const packed = [...gzipped(bytes), ...zipped(bytes), ...encoded(text)];
  return [text, ...packed.flatMap((inner) => readings(inner, depth + 1))];
}

function gzipped(bytes: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = bytes.indexOf(GZIP); at !== -1; at = bytes.indexOf(GZIP, at + 1)) {
    const inner = attempt(() => gunzipSync(bytes.subarray(at)));
    if (inner !== undefined) found.push(inner);
  }
  return found;
}

function zipped(bytes: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = bytes.indexOf(ENTRY); at !== -1; at = bytes.indexOf(ENTRY, at + 1)) {
    const inner = attempt(() => entryAt(bytes, at));
    if (inner !== undefined) found.push(inner);
  }
  return found;
}

/** The central directory's entry at an offset. */
function entryAt(bytes: Buffer, at: number): Buffer {
  const method = bytes.readUInt16LE(at + 10);
  const size = bytes.readUInt32LE(at + 20);
  const local = bytes.readUInt32LE(at + 42);
  const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const data = bytes.subarray(begin, begin + size);
  return method === STORED ? data : inflateRawSync(data);
}

/** Base64 of an archive only: whatever is text in base64 is searched for by its spelling. */
function encoded(text: string): readonly Buffer[] {
  return [...text.matchAll(BASE64_RUN)]
    .map(([run]) => Buffer.from(run, 'base64'))
    .filter((inner) => inner.subarray(0, 3).equals(GZIP) || inner.subarray(0, 2).toString() === 'PK');
}

function attempt(unpack: () => Buffer): Buffer | undefined {
  try {
    return unpack();
  } catch {
    return undefined;
  }
}
