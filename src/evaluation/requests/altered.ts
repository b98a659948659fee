import { shiftedCharacter } from '../../service/flow/never-issued.ts';

/**
 * Almost correct values. Padding, filler bits and insignificant letter case stay unchanged, so that no lenient decoder
 * (base64, base32, hexadecimal) reads one as the same bytes.
 */
export function alterations(value: string): readonly string[] {
  const longest = partsOf(value).toSorted((a, b) => b.text.length - a.text.length)[0];
  if (longest === undefined) return [];
  const caseless = HEXADECIMAL.test(longest.text) || BASE32.test(longest.text);
  return almostRight(value, caseless ? [] : [withPart(value, longest, swapCase(longest.text))]);
}

/** Returns wrong secrets, also in another letter case, because secrets must match exactly. */
export function wrongSecrets(secret: string): readonly string[] {
  return almostRight(secret, [swapCase(secret)]);
}

/** Returns wrong client ids. Letter case may not be significant: many databases compare text without it. */
export function wrongIds(id: string): readonly string[] {
  return almostRight(id, []);
}

const WIDTHS = [31n, 32n, 53n, 64n];

/** Returns numbers that equal this one after a cut to some number of bits; none for an id that is no number. */
export function wrappedNumbers(id: string): readonly string[] {
  if (!/^[0-9]+$/.test(id)) return [];
  const numbers = WIDTHS.flatMap((width) => [BigInt(id) + 2n ** width, BigInt(id) - 2n ** width]);
  return numbers.map(String);
}

function almostRight(value: string, more: readonly string[]): readonly string[] {
  const parts = partsOf(value);
  const last = parts.at(-1);
  if (last === undefined) return [];
  const altered = [
    ...parts.map((part) => withPart(value, part, changedInside(part.text))),
    ...(parts.length > 1 ? [] : [changedAt(value, 0)]),
    withPart(value, last, lastChanged(last.text)),
    withPart(value, last, last.text.replace(/.=*$/, '')),
    value.slice(0, Math.max(1, Math.floor(value.length / 2))),
    withPart(value, last, longer(last.text)),
    ...more,
    ...unsigned(value),
  ];
  return [...new Set(altered)].filter((a) => a !== value && a !== '');
}

const JWT = /^eyJ[^.]*\.[^.]+\.[^.]+$/;

/** Returns a JWT that claims to need no signature (RFC 7519 section 6); nothing for another value. */
function unsigned(value: string): readonly string[] {
  const [header = '', payload = ''] = JWT.test(value) ? value.split('.') : [];
  const decoded = Buffer.from(header, 'base64url')
    .toString()
    .replace(/"alg" *: *"[^"]*"/, '"alg":"none"');
  return header === '' ? [] : [`${Buffer.from(decoded).toString('base64url')}.${payload}.`];
}

interface Part {
  readonly text: string;
  readonly from: number;
}

function partsOf(value: string): readonly Part[] {
  return [...value.matchAll(/[^.~:|]+/g)].map((match) => ({ text: match[0], from: match.index }));
}

function withPart(value: string, { text, from }: Part, replaced: string): string {
  return value.slice(0, from) + replaced + value.slice(from + text.length);
}

/**
 * Tells how a parameter differs from the usual value, showing neither: `client_secret cut short`.
 * @param otherwise the name of a value that has nothing in common with the usual one
 */
export function howAltered(
  name: string,
  value: string,
  usual: string | undefined,
  otherwise = `another ${name}`,
): string {
  if (value === '') return `empty ${name}`;
  if (usual === undefined) return `own ${name}`;
  if (value.startsWith(usual)) return `${name} made longer`;
  if (usual.startsWith(value)) return `${name} cut short`;
  if (value.toLowerCase() === usual.toLowerCase()) return `${name} in another letter case`;
  if (JWT.test(usual) && value.endsWith('.')) return `${name} without a signature (alg: none)`;
  const at = [...usual].findIndex((character, i) => character !== value[i]);
  if (value.length === usual.length && value.slice(at + 1) === usual.slice(at + 1))
    return `${name} altered by a character${ofPart(usual, at)}`;
  return otherwise;
}

function ofPart(value: string, at: number): string {
  const parts = partsOf(value);
  if (parts.length < 2) return '';
  const part = parts.findIndex(({ text, from }) => at < from + text.length);
  const name = JWT.test(value) ? ['header', 'payload', 'signature'][part] : undefined;
  return ` of ${name === undefined ? `part ${part + 1} of ${parts.length}` : `the ${name}`}`;
}

/** Changes a character in the middle, because the last one's bits may be padding. */
function changedInside(text: string): string {
  return text.length < 3
    ? lastChanged(text)
    : changedAt(text.slice(0, -1), Math.floor(text.length / 2)) + text.slice(-1);
}

/** Changes the character at this position, or the nearest letter or digit. */
function changedAt(text: string, place: number): string {
  const nearest = [...text.matchAll(/[0-9a-z]/gi)].toSorted(
    (a, b) => Math.abs(a.index - place) - Math.abs(b.index - place),
  );
  const index = nearest[0]?.index ?? place;
  return text.slice(0, index) + shiftedCharacter(text[index] ?? 'a', 1) + text.slice(index + 1);
}

const HEXADECIMAL = /^[0-9a-f-]+$/i;
const BASE32 = /^([A-Z2-7]+|[a-z2-7]+)=*$/;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const CAPITALS = LETTERS.toUpperCase();

/** A character's position in the alphabets of hexadecimal and base32, which ignore letter case, and of base64. */
const POSITIONS: readonly ((character: string) => readonly [at: number, of: number])[] = [
  (character) => [`${DIGITS}abcdef`.indexOf(character.toLowerCase()), 16],
  (character) => [`${LETTERS}234567`.indexOf(character.toLowerCase()), 32],
  (character) => [`${CAPITALS}${LETTERS}${DIGITS}-_`.indexOf(character), 64],
  (character) => [`${CAPITALS}${LETTERS}${DIGITS}+/`.indexOf(character), 64],
];

/** Changes the last character in its first bit under every possible encoding, because its last bits may be filler. */
function lastChanged(text: string): string {
  const { body, padding } = padded(text);
  const last = body.at(-1) ?? '';
  const digits = [...body].filter((character) => character !== '-');
  const fitting = POSITIONS.filter((position) => digits.every((character) => position(character)[0] >= 0));
  const differs = (character: string) =>
    fitting.every((position) => {
      const [[was, of], [is]] = [position(last), position(character)];
      return is >= 0 && is < of / 2 !== was < of / 2;
    });
  const other = [...DIGITS, ...LETTERS, ...CAPITALS].find(differs);
  if (fitting.length === 0 || other === undefined) return changedAt(body, body.length - 1) + padding;
  return body.slice(0, -1) + other + padding;
}

/** Appends two characters, or four after padding, so that no decoder drops all of them as incomplete. */
function longer(text: string): string {
  const { body, padding } = padded(text);
  return body + (body + body).slice(0, padding === '' ? 2 : 4) + padding;
}

function padded(text: string): { readonly body: string; readonly padding: string } {
  const body = text.replace(/=+$/, '');
  return { body, padding: text.slice(body.length) };
}

function swapCase(value: string): string {
  return [...value].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
}
