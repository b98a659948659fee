import { type Match, NeedleIndex, needlesOf } from './needles.ts';
import { SHORTEST_PACKED } from './packed.ts';
import { readings } from './readings.ts';

/** Label in reports for a secret, in RFC 6749's terms if possible. */
type SecretKind =
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

  redact(text: string): string {
    let out = '';
    let from = 0;
    for (const { label, begin, end } of this.find(text)) {
      out += `${text.slice(from, begin)}<${label}>`;
      from = end;
    }
    return from === 0 ? text : out + text.slice(from);
  }

  /** Redacts every text and every name in plain data. */
  redactAll<T>(value: T): T {
    const redacted = (one: unknown): unknown => {
      if (typeof one === 'string') return this.redact(one);
      if (Array.isArray(one)) return one.map(redacted);
      if (one instanceof Map) return new Map([...one].map(([key, inner]) => [key, redacted(inner)]));
      if (typeof one !== 'object' || one === null) return one;
      return Object.fromEntries(
        Object.entries(one).map(([name, inner]) => [this.redact(name), redacted(inner)]),
      );
    };
    return redacted(value) as T;
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
