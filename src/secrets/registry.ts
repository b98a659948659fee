import { NeedleIndex, needlesOf } from './needles.ts';
import { SHORTEST_PACKED } from './packed.ts';
import { readings } from './readings.ts';

/** What a secret is, in RFC 6749's words where it has some. Shown in reports in place of the secret. */
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

/** A secret found in a text. `offset` and `length` count UTF-16 units. */
export interface SecretFinding {
  readonly label: string;
  readonly offset: number;
  /** Of what stands for it, which may be longer than the secret. */
  readonly length: number;
}

/** Fewer bytes than this are not looked for: they would redact ordinary words. */
const SHORTEST = 6;

/** Characters of the longest text that is known again, and how many texts are. */
const LONGEST_KEPT = 256;
const MOST_KEPT = 10_000;

/** Where a secret stands in a text, in UTF-16 units. */
interface Hit {
  readonly label: string;
  readonly begin: number;
  /** Exclusive. */
  readonly end: number;
}

/**
 * Knows every secret of a run from the moment it is seen, and replaces it in anything that is written, in the encodings that
 * software applies by itself (see `readings.ts`): texts are decoded and then searched, because no list of a secret's spellings
 * is complete.
 *
 * Reports show ordinals (`refresh_token#3`), so that rotation can be followed by eye.
 */
export class SecretRegistry {
  readonly #labels = new Map<string, string>();
  readonly #counts = new Map<SecretKind, number>();
  readonly #needles = new NeedleIndex();
  /** Short texts that were searched since a secret was registered, and held none: headers come again with every answer. */
  readonly #clean = new Set<string>();

  /**
   * Registers a secret. A value seen before keeps its ordinal.
   *
   * @returns the label that stands for it, `access_token#1`
   */
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

  /** Registers several secrets. */
  registerAll(secrets: Iterable<{ readonly kind: SecretKind; readonly value: string }>): void {
    for (const { kind, value } of secrets) this.register(kind, value);
  }

  /** The label of a value registered before, else undefined. */
  labelOf(value: string): string | undefined {
    return this.#labels.get(value);
  }

  get size(): number {
    return this.#labels.size;
  }

  /** The secrets themselves, for handing them to a scanner in another process. Never write them anywhere else. */
  entries(): readonly { readonly value: string; readonly label: string }[] {
    return [...this.#labels].map(([value, label]) => ({ value, label }));
  }

  /** Takes over what another process has registered, labels included. */
  adopt(entries: readonly { readonly value: string; readonly label: string }[]): void {
    for (const { value, label } of entries) {
      if (this.#labels.has(value)) continue;
      this.register(label.split('#')[0] as SecretKind, value);
    }
  }

  /** The text with every registered secret replaced by its label in angle brackets. */
  redact(text: string): string {
    let out = '';
    let from = 0;
    for (const { label, begin, end } of this.#hits(text)) {
      out += `${text.slice(from, begin)}<${label}>`;
      from = end;
    }
    return from === 0 ? text : out + text.slice(from);
  }

  find(text: string): readonly SecretFinding[] {
    return this.#hits(text).map(({ label, begin, end }) => ({ label, offset: begin, length: end - begin }));
  }

  /** In order, none inside or across another. */
  #hits(text: string): readonly Hit[] {
    if (this.#labels.size === 0 || text.length < SHORTEST || this.#clean.has(text)) return [];
    const hits: Hit[] = [];
    for (const reading of readings(text)) {
      const shortest = reading.packed ? SHORTEST_PACKED : SHORTEST;
      for (const { label, begin, end } of this.#needles.matches(reading.bytes, shortest)) {
        hits.push({ label, begin: reading.begin(begin), end: reading.end(end - 1) });
      }
    }
    if (hits.length === 0 && text.length <= LONGEST_KEPT && this.#clean.size < MOST_KEPT)
      this.#clean.add(text);
    return apart(hits);
  }
}

/** What overlaps is one; it has the name of what begins first, and of the longest of those. */
function apart(hits: readonly Hit[]): readonly Hit[] {
  const sorted = [...hits].sort((a, b) => a.begin - b.begin || b.end - a.end);
  const found: Hit[] = [];
  for (const hit of sorted) {
    const last = found.at(-1);
    if (last === undefined || hit.begin >= last.end) found.push(hit);
    else if (hit.end > last.end) found[found.length - 1] = { ...last, end: hit.end };
  }
  return found;
}
