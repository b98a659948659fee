import { SHORTEST_PACKED } from './packed.ts';
import { readings, withoutEscapes } from './readings.ts';

/**
 * The forms of a secret in readings, folded: its own escapes undone, other character sets, composed and decomposed,
 * in other letter case if that changes more than ASCII, runs of blanks as one.
 */
function needlesOf(secret: string): readonly Uint8Array[] {
  const texts = [secret, secret.replace(/\s+/g, ' ').trim()];
  const isAscii = /^[\0-\x7f]*$/.test(secret);
  if (!isAscii) {
    texts.push(secret.toUpperCase(), secret.toLowerCase(), secret.normalize('NFC'), secret.normalize('NFD'));
  }
  const forms: Uint8Array[] = texts.flatMap(withoutEscapes);
  if (!isAscii) {
    // Bytes of one set read as another: Node's header fields, and Latin-1 pages.
    forms.push(Buffer.from(Buffer.from(secret, 'utf8').toString('latin1'), 'utf8'));
    if (/^[\0-\xff]*$/.test(secret)) forms.push(Buffer.from(secret, 'latin1'));
  }
  const distinct = new Map(forms.map(folded).map((form) => [Buffer.from(form).toString('latin1'), form]));
  return [...distinct.values()];
}

function folded(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  for (let index = 0; index < bytes.length; index += 1) out[index] = FOLD[bytes[index] ?? 0] ?? 0;
  return out;
}

/** ASCII letters to lower case; every blank, including a form's `+`, to a space. */
const FOLD = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  return byte === 0x2b || (byte >= 0x09 && byte <= 0x0d) ? 0x20 : byte;
});

/** A secret in a text or in decoded bytes; `end` is exclusive. An encoded form may be longer than the secret. */
interface Match {
  readonly label: string;
  readonly begin: number;
  readonly end: number;
}

interface Needle {
  readonly bytes: Uint8Array;
  readonly label: string;
}

/** Needles are indexed by their last four bytes: tokens of one kind begin alike but end randomly. */
const SUFFIX = 4;

/** Size in bits of the table that quickly rules out a needle's end. */
const TABLE_BITS = 18;

/** Searches many byte sequences in one pass, as fast for ten thousand as for ten. */
class NeedleIndex {
  readonly #bySuffix = new Map<number, Needle[]>();
  readonly #table = new Uint8Array(2 ** TABLE_BITS / 8);

  add(bytes: Uint8Array, label: string): void {
    let suffix = 0;
    for (const byte of bytes.subarray(-SUFFIX)) suffix = (suffix << 8) | byte;
    const slot = Math.imul(suffix, 0x9e3779b1) >>> (32 - TABLE_BITS);
    this.#table[slot >>> 3] = (this.#table[slot >>> 3] ?? 0) | (1 << (slot & 7));
    const needles = this.#bySuffix.get(suffix) ?? [];
    needles.push({ bytes, label });
    needles.sort((a, b) => b.bytes.length - a.bytes.length);
    this.#bySuffix.set(suffix, needles);
  }

  /** @param shortest ignores needles of fewer bytes @returns the longest needle that ends at each place */
  matches(bytes: Uint8Array, shortest: number): readonly Match[] {
    const found: Match[] = [];
    const size = bytes.length;
    for (let end = nextEnd(bytes, 0, this.#table); end <= size; end = nextEnd(bytes, end, this.#table)) {
      const needle = this.#endingAt(bytes, end, shortest);
      if (needle !== undefined) found.push({ label: needle.label, begin: end - needle.bytes.length, end });
    }
    return found;
  }

  #endingAt(bytes: Uint8Array, end: number, shortest: number): Needle | undefined {
    for (const needle of this.#bySuffix.get(suffixAt(bytes, end)) ?? [])
      if (needle.bytes.length >= shortest && endsWith(bytes, end, needle.bytes)) return needle;
    return undefined;
  }
}

/** Returns the next position where a needle may end; beyond the length if none. A plain loop, because this is the hot path. */
function nextEnd(bytes: Uint8Array, from: number, table: Uint8Array): number {
  const size = bytes.length;
  let suffix = suffixAt(bytes, from);
  for (let index = from; index < size; index += 1) {
    suffix = (suffix << 8) | (FOLD[bytes[index] ?? 0] ?? 0);
    const slot = Math.imul(suffix, 0x9e3779b1) >>> (32 - TABLE_BITS);
    if (((table[slot >>> 3] ?? 0) & (1 << (slot & 7))) !== 0) return index + 1;
  }
  return size + 1;
}

function suffixAt(bytes: Uint8Array, end: number): number {
  let suffix = 0;
  for (let index = Math.max(0, end - SUFFIX); index < end; index += 1)
    suffix = (suffix << 8) | (FOLD[bytes[index] ?? 0] ?? 0);
  return suffix;
}

function endsWith(bytes: Uint8Array, end: number, needle: Uint8Array): boolean {
  const begin = end - needle.length;
  if (begin < 0) return false;
  for (let index = 0; index < needle.length; index += 1) {
    if (FOLD[bytes[begin + index] ?? 0] !== needle[index]) return false;
  }
  return true;
}

/** Label in reports for a secret, in RFC 6749's terms if possible. */
export type SecretKind =
  | 'access_token'
  | 'refresh_token'
  | 'code'
  | 'client_secret'
  | 'login'
  | 'password'
  | 'cookie'
  | 'csrf'
  | 'totp_secret'
  | 'secret';

/** Minimum bytes of a secret: shorter ones would redact ordinary words. */
const SHORTEST = 6;

/** Limits of the cache of clean texts: characters of one text, and number of texts. */
const LONGEST_KEPT = 256;
const MOST_KEPT = 10_000;

/**
 * Knows every secret of a run and redacts it in all output. Decodes texts before searching (see `readings.ts`). Labels
 * have ordinals (`refresh_token#3`) that make rotation visible.
 */
export class SecretRegistry {
  readonly #labels = new Map<string, string>();
  readonly #counts = new Map<SecretKind, number>();
  readonly #needles = new NeedleIndex();
  /** Short texts without secrets, searched since the last registration: headers recur in every answer. */
  readonly #clean = new Set<string>();

  /** Registers a secret, and returns its label, such as `access_token#1`. A known value keeps its ordinal. */
  register(kind: SecretKind, value: string): string {
    const known = this.#labels.get(value);
    if (known !== undefined) return known;
    const ordinal = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, ordinal);
    const label = `${kind}#${ordinal}`;
    this.#labels.set(value, label);
    this.#clean.clear();
    for (const needle of needlesOf(value)) if (needle.length >= SHORTEST) this.#needles.add(needle, label);
    return label;
  }

  registerAll(secrets: Iterable<{ readonly kind: SecretKind; readonly value: string }>): void {
    for (const { kind, value } of secrets) this.register(kind, value);
  }

  get size(): number {
    return this.#labels.size;
  }

  redact(text: string): string {
    let out = '';
    let from = 0;
    for (const { label, begin, end } of this.find(text)) {
      out += `${text.slice(from, begin)}<${label}>`;
      from = end;
    }
    return from === 0 ? text : out + text.slice(from);
  }

  /** Returns the places of secrets in order, without overlaps. */
  find(text: string): readonly Match[] {
    if (this.#labels.size === 0 || text.length < SHORTEST || this.#clean.has(text)) return [];
    const matches: Match[] = [];
    for (const reading of readings(text)) {
      const shortest = reading.packed ? SHORTEST_PACKED : SHORTEST;
      for (const { label, begin, end } of this.#needles.matches(reading.bytes, shortest)) {
        matches.push({ label, begin: reading.begin(begin), end: reading.end(end - 1) });
      }
    }
    if (matches.length === 0 && text.length <= LONGEST_KEPT && this.#clean.size < MOST_KEPT)
      this.#clean.add(text);
    return apart(matches);
  }
}

/** Merges overlapping matches under the label of the first; of equal starts, the longest. */
function apart(matches: readonly Match[]): readonly Match[] {
  const sorted = [...matches].sort((a, b) => a.begin - b.begin || b.end - a.end);
  const found: Match[] = [];
  for (const match of sorted) {
    const last = found.at(-1);
    if (last === undefined || match.begin >= last.end) found.push(match);
    else if (match.end > last.end) found[found.length - 1] = { ...last, end: match.end };
  }
  return found;
}
