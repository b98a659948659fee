import type { Header } from '../../http/exchange.ts';

/**
 * Equivalent ways to write one request. The document does not define parameter order, the case of percent-encoding, a
 * charset or `Accept`, so a service must accept them all.
 */
export interface Spelling {
  readonly name: string;
  readonly reversed?: true;
  readonly lowerCaseHex?: true;
  readonly charset?: true;
  /** The `Accept` header; `application/json` when absent, no header when null. */
  readonly accept?: string | null;
  /** The `If-None-Match` header (RFC 9110 section 13.1.2). */
  readonly unlessSame?: string;
  /** Percent-encodes everything but letters and digits, as some clients do. */
  readonly encodesMore?: true;
}

export const AS_DOCUMENTED: Spelling = { name: '' };

export const OTHER_SPELLINGS: readonly Spelling[] = [
  { name: 'parameters in another order', reversed: true },
  { name: 'percent-encoding in small letters', lowerCaseHex: true },
  { name: 'with a charset', charset: true },
  { name: 'accepting any type', accept: '*/*' },
  { name: 'accepting JSON before other types', accept: 'application/json, text/plain, */*' },
  { name: 'without Accept', accept: null },
  { name: 'percent-encoding more than is needed', encodesMore: true },
];

export const AUTHORIZATION_SPELLINGS = OTHER_SPELLINGS.filter(
  ({ reversed, lowerCaseHex, encodesMore }) => reversed ?? lowerCaseHex ?? encodesMore,
);

export const READING_SPELLINGS = OTHER_SPELLINGS.filter(({ accept }) => accept !== undefined);

/** Returns the headers that a spelling decides. */
export function spelledHeaders({ accept = 'application/json', unlessSame }: Spelling): readonly Header[] {
  const accepted: readonly Header[] = accept === null ? [] : [['Accept', accept]];
  return unlessSame === undefined ? accepted : [...accepted, ['If-None-Match', unlessSame]];
}

const ALL = [AS_DOCUMENTED, ...OTHER_SPELLINGS] as const;

/** Cycles through the spellings, for variants that a check sends anyway. */
export function spellingFor(index: number): Spelling {
  return ALL[index % ALL.length] ?? AS_DOCUMENTED;
}

export function respelled(encoded: string, { lowerCaseHex, encodesMore }: Spelling): string {
  if (encodesMore) return encoded.replace(/=[^&]*/g, (value) => value.replace(/[-_.~*]/g, hex));
  return lowerCaseHex ? encoded.replace(/%[0-9A-F]{2}/g, (encoding) => encoding.toLowerCase()) : encoded;
}

export function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
