import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';

/** Signatures of a zip archive's records (APPNOTE 4.3). */
const ENTRY = Buffer.from('PK\x01\x02', 'latin1');
const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);

/** Stored, and deflated. */
const STORED = 0;

/** Longest base64 that is worth decoding begins here: shorter runs are words. */
const BASE64_RUN = /[A-Za-z0-9+/_-]{40,}={0,2}/g;

const DEEPEST = 4;

/** Everything that can be read in some bytes: as text, and what is packed in them with gzip, zip or base64. */
function readings(bytes: Buffer, depth = 0): readonly string[] {
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

export interface Canary {
  /** Its kind: `password`, `access token`, `name in the list`. */
  readonly kind: string;
  readonly value: string;
}

export interface LeftBehind {
  readonly paths: readonly string[];
  readonly printed: Readonly<Record<string, string>>;
}

/** Searches all that a command left behind, in every encoding and archive; one sentence for each find, without the value. */
export function findCanaries(canaries: readonly Canary[], left: LeftBehind): readonly string[] {
  const places = [
    ...left.paths.flatMap(filesIn).map((file) => ({ where: file, bytes: readFileSync(file) })),
    ...Object.entries(left.printed).map(([where, text]) => ({ where, bytes: Buffer.from(text) })),
  ];
  const wanted = canaries.map((canary) => ({ canary, spellings: spellingsOf(canary.value) }));
  return places.flatMap(({ where, bytes }) => {
    const texts = readings(bytes);
    return wanted.flatMap(({ canary, spellings }) =>
      spellings
        .filter(({ text }) => texts.some((t) => t.includes(text)))
        .map(({ as }) => `${where} holds a ${canary.kind}, ${as}`),
    );
  });
}

function filesIn(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const entry = statSync(path);
  // Sockets and the like hold nothing.
  if (!entry.isDirectory()) return entry.isFile() ? [path] : [];
  return readdirSync(path).flatMap((name) => filesIn(join(path, name)));
}

function spellingsOf(value: string): readonly { readonly as: string; readonly text: string }[] {
  const url = encodeURIComponent(value);
  const all = [
    { as: 'raw', text: value },
    { as: 'URL-encoded', text: url },
    { as: 'URL-encoded twice', text: encodeURIComponent(url) },
    { as: 'form-encoded', text: url.replaceAll('%20', '+') },
    { as: 'JSON-encoded', text: JSON.stringify(value).slice(1, -1) },
    { as: 'HTML-encoded', text: htmlEncode(value) },
    { as: 'hex-encoded', text: Buffer.from(value).toString('hex') },
    ...[0, 1, 2].flatMap((shift) => base64At(value, shift)),
  ];
  const seen = new Set<string>();
  return all.filter(({ text }) => text !== '' && !seen.has(text) && seen.add(text));
}

function htmlEncode(value: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return value.replace(/[&<>"]/g, (c) => names[c] ?? c);
}

/** The part of a value's base64 that is the same whatever stands around it, when it begins at byte `shift` of a triple. */
function base64At(value: string, shift: number): readonly { readonly as: string; readonly text: string }[] {
  const whole = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
  const triples = Math.floor(whole.length / 3);
  const core = whole.toString('base64').slice(shift === 0 ? 0 : 4, triples * 4);
  if (core.length < 8) return [];
  return [
    { as: 'base64-encoded', text: core },
    { as: 'base64url-encoded', text: core.replaceAll('+', '-').replaceAll('/', '_') },
  ];
}
