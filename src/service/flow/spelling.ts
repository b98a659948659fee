import type { Header } from '../../http/exchange.ts';

/**
 * Equivalent ways to write one request. The document does not define parameter order, the case of percent-encoding, a
 * charset or headers besides, so a service must accept them all; one that refuses must not do what was asked.
 */
export interface Spelling {
  readonly name?: string;
  readonly reversed?: true;
  /** Places of the parameters, from 0. */
  readonly order?: readonly number[];
  readonly lowerCaseHex?: true;
  readonly charset?: true;
  /** The `Accept` header; `application/json` when absent, no header for `none`. */
  readonly accept?: string;
  readonly encoding?: 'identity' | 'gzip' | 'br';
  /** The `If-None-Match` header (RFC 9110 section 13.1.2). */
  readonly unlessSame?: string;
  /** The `If-Modified-Since` header (RFC 9110 section 13.1.3). */
  readonly unlessSince?: string;
  /** Percent-encodes everything but letters and digits, as some clients do. */
  readonly encodesMore?: true;
  /** Percent-encodes the first character of every value, or of every id in a path (RFC 3986 sections 2.3 and 6.2.2.2). */
  readonly percent?: true;
  readonly head?: true;
  /** `Host` in capitals. */
  readonly host?: true;
  /** With an empty JSON object as body. */
  readonly body?: true;
  /** A change without a body and without `Content-Length`. */
  readonly noLength?: true;
  /** The client closes the connection before the answer. */
  readonly cut?: true;
  /** A token request on the connection of the one before it. */
  readonly kept?: true;
}

export const AS_DOCUMENTED: Spelling = {};

export const OTHER_SPELLINGS: readonly Spelling[] = [
  { name: 'parameters in another order', reversed: true },
  { name: 'percent-encoding in small letters', lowerCaseHex: true },
  { name: 'with a charset', charset: true },
  { name: 'accepting any type', accept: '*/*' },
  { name: 'accepting JSON before other types', accept: 'application/json, text/plain, */*' },
  { name: 'without Accept', accept: 'none' },
  { name: 'accepting gzip', encoding: 'gzip' },
  { name: 'percent-encoding more than is needed', encodesMore: true },
];

export const AUTHORIZATION_SPELLINGS = OTHER_SPELLINGS.filter(
  ({ reversed, lowerCaseHex, encodesMore }) => reversed ?? lowerCaseHex ?? encodesMore,
);

export const READING_SPELLINGS = OTHER_SPELLINGS.filter(({ accept }) => accept !== undefined);

export function spelledHeaders(spelling: Spelling, url: string): readonly Header[] {
  const { accept = 'application/json', encoding, unlessSame, unlessSince, host } = spelling;
  const headers = {
    Accept: accept !== 'none' && accept,
    'Accept-Encoding': encoding,
    'If-None-Match': unlessSame,
    'If-Modified-Since': unlessSince,
    Host: host && new URL(url).host.toUpperCase(),
  };
  return Object.entries(headers).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}

const ALL = [AS_DOCUMENTED, ...OTHER_SPELLINGS] as const;

/** Cycles through the spellings, for variants that a check sends anyway. */
export function spellingFor(index: number): Spelling {
  return ALL[index % ALL.length] ?? AS_DOCUMENTED;
}

export function respelled(encoded: string, { lowerCaseHex, encodesMore, percent }: Spelling): string {
  if (percent) return encoded.replace(/(?<==)[A-Za-z0-9]/g, percentEncoded);
  if (encodesMore) return encoded.replace(/=[^&]*/g, (value) => value.replace(/[-_.~*]/g, percentEncoded));
  return lowerCaseHex ? encoded.replace(/%[0-9A-F]{2}/g, (encoding) => encoding.toLowerCase()) : encoded;
}

export function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
