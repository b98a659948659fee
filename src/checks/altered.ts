import { turned } from '../flow/never-issued.ts';

export { neverIssued, unknownId } from '../flow/never-issued.ts';

/**
 * What a value becomes when it is almost right: first, middle or last character changed, cut short, longer, or in another
 * letter case. Each once, none equal to the value, and none that a decoder reads as the same bytes: what stands for bytes
 * (base64, base32, hexadecimal) may be decoded leniently, so padding, the bits that fill up the last character, and the letter
 * case where it carries nothing are left alone.
 */
export function alterations(value: string): readonly string[] {
  return almostRight(value, HEXADECIMAL.test(value) || BASE32.test(value) ? [] : [swapCase(value)]);
}

/**
 * A client secret that is almost right. It is compared as it is, whatever it is made of: its letter case counts, and so does
 * a NUL behind it, as padding to some length adds it in a form.
 */
export function wrongSecrets(secret: string): readonly string[] {
  return [...almostRight(secret, [swapCase(secret)]), `${secret}\0`];
}

/** A client id that is almost right; its letter case may carry nothing. */
export function wrongIds(id: string): readonly string[] {
  return [...alterations(id), `${id}\0`];
}

/** {@link alterations} of a code or token in a form, and one that goes on behind a NUL where no decoder would stop there. */
export function wrongTokens(token: string): readonly string[] {
  const endsAtNul = HEXADECIMAL.test(token) || token.endsWith('=');
  return [...alterations(token), ...(endsAtNul ? [] : [`${token}\0${token.slice(0, 2)}`])];
}

function almostRight(value: string, more: readonly string[]): readonly string[] {
  const body = value.replace(/=+$/, '');
  const padding = value.slice(body.length);
  const middle = Math.floor(body.length / 2);
  const altered = [
    changedAt(body, 0) + padding,
    changedAt(body, middle) + padding,
    lastChanged(body) + padding,
    body.slice(0, -1),
    body.slice(0, Math.max(1, middle)),
    longer(body, padding),
    ...more,
  ];
  return [...new Set(altered)].filter((a) => a !== value && a !== '');
}

/**
 * In which way a parameter's value differs from the usual one, without telling either: `client_secret cut short`. What
 * fails for one alteration alone must read otherwise than what fails for all.
 */
export function howAltered(name: string, value: string, usual: string | undefined): string {
  if (value === '') return `empty ${name}`;
  if (usual === undefined) return `own ${name}`;
  if (value.startsWith(`${usual}\0`)) return `${name} followed by NUL`;
  if (value.startsWith(usual)) return `${name} made longer`;
  if (usual.startsWith(value)) return `${name} cut short`;
  if (value.toLowerCase() === usual.toLowerCase()) return `${name} in another letter case`;
  const differing = [...value].filter((character, i) => character !== usual[i]).length;
  if (value.length === usual.length && differing === 1) return `${name} altered by a character`;
  return `another ${name}`;
}

/** Another character at a place, or at the next one that holds a letter or a digit. */
function changedAt(value: string, from: number): string {
  const found = value.slice(from).search(/[0-9a-z]/i);
  const index = found < 0 ? from : from + found;
  return value.slice(0, index) + turned(value[index] ?? 'a', 1) + value.slice(index + 1);
}

/** Digits as UUIDs have them too. */
const HEXADECIMAL = /^[0-9a-f-]+$/i;
const BASE32 = /^([A-Z2-7]+|[a-z2-7]+)=*$/;

/** The alphabets of encodings of bytes whose last character may hold bits that only fill it up. */
const ALPHABETS = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  'abcdefghijklmnopqrstuvwxyz234567',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
];

/** Another last character, other in its first bit: of what encodes bytes, the last bits may be filling. */
function lastChanged(body: string): string {
  const alphabet = HEXADECIMAL.test(body)
    ? undefined
    : ALPHABETS.find((one) => [...body].every((character) => one.includes(character)));
  if (alphabet === undefined) return changedAt(body, body.length - 1);
  return body.slice(0, -1) + alphabet[alphabet.indexOf(body.at(-1) ?? '') ^ (alphabet.length / 2)];
}

/** Longer by two characters of its own and four where there is padding: no decoder drops all of them as incomplete. */
function longer(body: string, padding: string): string {
  return padding === '' ? body + (body + body).slice(0, 2) : body + (body + body).slice(0, 4) + padding;
}

function swapCase(value: string): string {
  return [...value].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
}
