import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { wrongSecrets, wrongTokens } from '../../src/checks/altered.ts';
import { held } from '../support/held.ts';

/** Values that are almost right must be wrong for a service that decodes what it gets, however leniently. */

type Decode = (text: string) => string;

const base64: Decode = (text) => Buffer.from(text, 'base64url').toString('hex');
const hexadecimal: Decode = (text) => Buffer.from(text.replaceAll('-', ''), 'hex').toString('hex');

/** Letter case ignored, padding and incomplete ends dropped. */
const base32: Decode = (text) => {
  const bits = [...text.toUpperCase().replace(/=+$/, '')]
    .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
    .join('');
  return (bits.match(/.{8}/g) ?? []).join(' ');
};

function encodedInBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((b) => b.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((g) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(g.padEnd(5, '0'), 2)]).join('');
}

const ENCODINGS: readonly (readonly [string, (bytes: Uint8Array) => string, Decode])[] = [
  ['base64url', (bytes) => Buffer.from(bytes).toString('base64url'), base64],
  ['base64 with padding', (bytes) => Buffer.from(bytes).toString('base64'), base64],
  ['hexadecimal', (bytes) => Buffer.from(bytes).toString('hex'), hexadecimal],
  ['hexadecimal in capitals', (bytes) => Buffer.from(bytes).toString('hex').toUpperCase(), hexadecimal],
  ['base32', encodedInBase32, base32],
  ['base32 in small letters', (bytes) => encodedInBase32(bytes).toLowerCase(), base32],
];

for (const [name, encode, decode] of ENCODINGS) {
  test(`no alteration of a value in ${name} decodes to the same bytes`, () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 40 }), (bytes) => {
        const value = encode(bytes);
        // What consists of few letters may be in several encodings, and is no token.
        fc.pre(new Set(value).size > 8);
        for (const altered of wrongTokens(value))
          held(decode(altered) !== decode(value), () => `${altered} decodes as ${value}`);
        held(new Set(wrongTokens(value)).size >= 6, () => `too few of ${value}`);
      }),
    );
  });
}

test('a secret is also tried in another letter case and with a NUL behind it, whatever it is made of', () => {
  expect(wrongSecrets('0123456789abcdef')).toEqual(
    expect.arrayContaining(['0123456789ABCDEF', '0123456789abcdef\0']),
  );
});
