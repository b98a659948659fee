import { type Header, isSuccess, jsonOf, type WireRequest, type WireResponse } from './exchange.ts';
import { latin1 } from './secrets/reading.ts';
import { readings } from './secrets/readings.ts';
import type { SecretRegistry } from './secrets/registry.ts';

/** Characters of a body that are searched for secrets. */
export const MOST_SEARCHED = 64 * 1024;

/** Headers whose values hold neither a session nor a person. */
const HARMLESS_HEADER =
  /^(?:content-(?:type|length|encoding|language|security-policy)|date|age|expires|last-modified|cache-control|pragma|vary|allow|server|via|connection|keep-alive|transfer-encoding|strict-transport-security|x-(?:content-type-options|frame-options|xss-protection|powered-by|runtime)|referrer-policy|permissions-policy|cross-origin-.*|access-control-.*|accept-ranges|(?:x-)?rate-?limit.*|retry-after|deprecation|sunset|www-authenticate|(?:x-)?(?:request|correlation)-id|traceparent|cf-ray)$/i;

export function isHarmlessHeader(name: string): boolean {
  return HARMLESS_HEADER.test(name);
}

/** Returns true for an answer that may hold new tokens, in any shape: a success at an address of the token endpoint. */
export function mayHoldTokens(
  { url }: WireRequest,
  response: WireResponse | undefined,
): response is WireResponse {
  return isSuccess(response) && /\/oauth\/+token/i.test(url);
}

/**
 * Returns the values of an answer that is secret unless known to be harmless: those of 16 characters and more in body and
 * headers, in every reading of them; shorter ones occur by chance. Dates, plain words and configured texts are harmless.
 *
 * @param configured addresses, ids and names of the target
 */
export function secretsIn(response: WireResponse, configured: readonly string[]): ReadonlySet<string> {
  // Messages quote the media type.
  const headers = response.headers.filter(
    ([name]) => !isHarmlessHeader(name) || /^content-type$/i.test(name),
  );
  const text = [response.body.slice(0, MOST_SEARCHED), ...headers.map(([, value]) => value)].join('\n');
  // A short one occurs in many values.
  const known = configured
    .filter(({ length }) => length >= 8)
    .flatMap((one) => [one, encodeURIComponent(one)]);
  const unknown = (part: string) => known.reduce((rest, one) => rest.replaceAll(one, ' '), part);
  const found = new Set(stringsIn(jsonOf(response)));
  for (const { bytes } of readings(text)) {
    const read = unknown(latin1(bytes));
    for (const piece of PIECES) for (const [value] of read.matchAll(piece)) found.add(value);
  }
  return new Set([...found].filter((one) => one.length >= 16 && !isPlain(unknown(one).trim())));
}

/** A value between quotes, brackets and blanks; in a form; in a path; and without the signs of base64. */
const PIECES = [/[!#-&(-;=?-[\]-~]{16,}/g, /[\w.~+/-]{16,}/g, /[\w.~-]{16,}/g];

function stringsIn(json: unknown): readonly string[] {
  if (typeof json === 'string') return [json];
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(stringsIn) : [];
}

const DATE =
  /^(?:\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-][\d:]+)?)?|(?:\w{3}, )?\d\d? \w{3} \d{4} [\d:]+ \w{1,5})$/;

/** Returns true for words of letters, of four characters each on average, and for dates. A token is neither. */
function isPlain(text: string): boolean {
  const words = text.split(/[^A-Za-z0-9@]+|(?<=[a-z])(?=[A-Z])/).filter((word) => word !== '');
  const isWord = (word: string) => /^(?:[A-Z]?[a-z]{1,20}|[A-Z]{1,20})?\d{0,2}$/.test(word);
  return DATE.test(text) || ((words.length - 1) * 4 <= text.length && words.every(isWord));
}

/** Members whose documented or usual values are shown. */
const HARMLESS_MEMBER = new Map([
  ['token_type', /^(?:bearer|mac|dpop|pop|jwt|n_a|token)$/i],
  ['expires_in', /^-?[\d.]{1,12}$/],
  ['created_at', /^\d{1,13}$/],
  ['scope', /^[a-z_:.]{0,20}(?: [a-z_:.]{1,20})*$/],
  ['error', /^[a-z_]{1,40}$/],
]);

/** Returns true for a member of a token response whose value may be shown. */
export function isHarmlessMember(name: string, value: unknown): boolean {
  return value === null || HARMLESS_MEMBER.get(name)?.test(String(value)) === true;
}

/** Describes a member of a token response: its value if that is known to be harmless, otherwise its type and length. */
export function memberText(name: string, value: unknown): string {
  if (isHarmlessMember(name, value)) return JSON.stringify(value);
  return typeof value === 'string' ? `a string of ${value.length} characters` : typeOf(value);
}

/** Names the type of a value of JSON. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return value === undefined ? 'nothing' : `a ${typeof value}`;
}

/** Returns a token response as structure: names, JSON types, lengths, ordinals of the documented tokens, harmless values. */
export function tokenStructure(response: WireResponse, secrets: SecretRegistry): WireResponse {
  const json = jsonOf(response);
  const shown = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => shown(name, one));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(key, inner)]));
    if (isHarmlessMember(name, value)) return value;
    const label = secrets.redact(String(value));
    return /^<(?!secret#)\w+#\d+>$/.test(label) ? label : `<${memberText('', value)}>`;
  };
  const tokens = secrets.redact(response.body).match(/<(?:access|refresh)_token#\d+>/g) ?? [];
  const unread = [`<${response.bytes} bytes that are no JSON>`, ...tokens].join(' ');
  const body = json === undefined ? unread : JSON.stringify(shown('', json));
  return { ...response, headers: withheldHeaders(response.headers), body };
}

/** Returns headers with the values of those that are known to be harmless; of all others the length. */
export function withheldHeaders(headers: readonly Header[]): readonly Header[] {
  return headers.map(([name, value]) => {
    if (!isHarmlessHeader(name)) return [name, `<${value.length} characters>`];
    // A challenge may describe the user; an error code is one word.
    return [name, value.replace(/="(?![a-z_]{1,40}")[^"]*"/g, '="…"')];
  });
}
