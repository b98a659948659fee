/**
 * Ways to write one and the same request. The document names parameters and their encoding; it says nothing of their order,
 * of the letter case of percent-encoding, of a charset beside the content type, or of `Accept`: a service that follows it
 * takes them all alike, and clients differ in them.
 */
export interface Spelling {
  /** What the report calls it: `exchange, parameters in another order`. */
  readonly name: string;
  readonly reversed?: true;
  readonly lowerCaseHex?: true;
  /** Of a form, beside its content type. */
  readonly charset?: true;
  readonly acceptsAnything?: true;
}

/** As the suite writes requests unless a check varies them: the order of the document's tables. */
export const AS_DOCUMENTED: Spelling = { name: '' };

/** The other ways, each different in one thing. */
export const OTHER_SPELLINGS: readonly Spelling[] = [
  { name: 'parameters in another order', reversed: true },
  { name: 'percent-encoding in small letters', lowerCaseHex: true },
  { name: 'with a charset', charset: true },
  { name: 'accepting any type', acceptsAnything: true },
];

const ALL = [AS_DOCUMENTED, ...OTHER_SPELLINGS] as const;

/** One spelling after the other, for the variants that a check tries anyway. */
export function spellingFor(index: number): Spelling {
  return ALL[index % ALL.length] ?? AS_DOCUMENTED;
}

/** Percent-encoded text as a spelling has it. */
export function respelled(encoded: string, { lowerCaseHex }: Spelling): string {
  return lowerCaseHex ? encoded.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()) : encoded;
}
