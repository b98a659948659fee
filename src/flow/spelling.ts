import type { Header } from '../exchange/exchange.ts';

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
  /** The header `Accept`; `application/json` when absent, and no header at all where it is null. */
  readonly accept?: string | null;
  /** Percent-encodes what form encoding leaves as it is, as clients do that encode everything but letters and digits. */
  readonly encodesMore?: true;
}

/** As the suite writes requests unless a check varies them: the order of the document's tables. */
export const AS_DOCUMENTED: Spelling = { name: '' };

/** The other ways, each different in one thing. */
export const OTHER_SPELLINGS: readonly Spelling[] = [
  { name: 'parameters in another order', reversed: true },
  { name: 'percent-encoding in small letters', lowerCaseHex: true },
  { name: 'with a charset', charset: true },
  { name: 'accepting any type', accept: '*/*' },
  { name: 'accepting JSON before other types', accept: 'application/json, text/plain, */*' },
  { name: 'without Accept', accept: null },
  { name: 'percent-encoding more than is needed', encodesMore: true },
];

/** The ways in which an authorization request can differ: it has no body, and browsers choose its headers. */
export const AUTHORIZATION_SPELLINGS = OTHER_SPELLINGS.filter(
  ({ reversed, lowerCaseHex, encodesMore }) => reversed ?? lowerCaseHex ?? encodesMore,
);

/** The ways in which a request without a body can differ, beside its address. */
export const READING_SPELLINGS = OTHER_SPELLINGS.filter(({ accept }) => accept !== undefined);

/** The header `Accept` of a spelling. */
export function acceptOf({ accept = 'application/json' }: Spelling): readonly Header[] {
  return accept === null ? [] : [['Accept', accept]];
}

const ALL = [AS_DOCUMENTED, ...OTHER_SPELLINGS] as const;

/** One spelling after the other, for the variants that a check tries anyway. */
export function spellingFor(index: number): Spelling {
  return ALL[index % ALL.length] ?? AS_DOCUMENTED;
}

/** Percent-encoded text as a spelling has it. */
export function respelled(encoded: string, { lowerCaseHex, encodesMore }: Spelling): string {
  if (encodesMore) return encoded.replace(/=[^&]*/g, (value) => value.replace(/[-_.~*]/g, hex));
  return lowerCaseHex ? encoded.replace(/%[0-9A-F]{2}/g, (encoding) => encoding.toLowerCase()) : encoded;
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
