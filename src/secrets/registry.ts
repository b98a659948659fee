import { spellings } from './encodings.ts';

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

interface Entry {
  readonly spelling: string;
  readonly label: string;
}

/** A secret found in a text. `offset` counts UTF-16 units from the start. */
export interface Finding {
  readonly label: string;
  readonly offset: number;
}

/** Spellings shorter than this are not indexed: they would redact ordinary words. */
const SHORTEST = 6;
const PREFIX = 6;

/**
 * Knows every secret of a run from the moment it is seen, and replaces it in anything that is written.
 *
 * Reports show ordinals (`refresh_token#3`), so that rotation can be followed by eye. Lookup is by the first characters
 * of each spelling: one pass over a text costs the same with ten secrets and with ten thousand.
 */
export class SecretRegistry {
  readonly #labels = new Map<string, string>();
  readonly #counts = new Map<SecretKind, number>();
  readonly #byPrefix = new Map<string, Entry[]>();

  /**
   * Registers a secret in every spelling it may travel in. A value seen before keeps its ordinal.
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
    for (const spelling of spellings(value)) {
      if (spelling.length < SHORTEST) continue;
      const prefix = spelling.slice(0, PREFIX);
      const bucket = this.#byPrefix.get(prefix) ?? [];
      bucket.push({ spelling, label });
      bucket.sort((a, b) => b.spelling.length - a.spelling.length);
      this.#byPrefix.set(prefix, bucket);
    }
    return label;
  }

  /** The label of a value registered before, else undefined. */
  labelOf(value: string): string | undefined {
    return this.#labels.get(value);
  }

  /** How many secrets are known. */
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
    for (const hit of this.#hits(text)) {
      out += `${text.slice(from, hit.offset)}<${hit.label}>`;
      from = hit.offset + hit.length;
    }
    return from === 0 ? text : out + text.slice(from);
  }

  /** Where registered secrets stand in a text. Empty is good. */
  find(text: string): readonly Finding[] {
    return [...this.#hits(text)].map(({ label, offset }) => ({ label, offset }));
  }

  *#hits(text: string): Generator<{ label: string; offset: number; length: number }> {
    const last = text.length - PREFIX;
    for (let i = 0; i <= last; i += 1) {
      const bucket = this.#byPrefix.get(text.slice(i, i + PREFIX));
      const entry = bucket?.find((e) => text.startsWith(e.spelling, i));
      if (entry === undefined) continue;
      yield { label: entry.label, offset: i, length: entry.spelling.length };
      i += entry.spelling.length - 1;
    }
  }
}
