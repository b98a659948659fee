import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { loadCatalogue } from '../../../src/document/load-catalogue.ts';
import { defect } from '../../../src/emulator/defects/define-defect.ts';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import { CHECKS } from '../../../src/evaluation/checks/index.ts';
import { SharedRefusals } from '../../../src/evaluation/language/shared-refusals.ts';
import { alterations, howAltered, wrongSecrets } from '../../../src/evaluation/requests/altered.ts';
import { runCheck } from '../../../src/evaluation/run/run-check.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { runSmokeFlow } from '../../../src/service/flow/smoke-flow.ts';
import { held } from '../../support/held.ts';

/** Values that are almost right must be wrong for a service that decodes what it gets, however leniently. */

type Decode = (text: string) => string;

const base64: Decode = (text) => Buffer.from(text, 'base64url').toString('hex');
const hexadecimal: Decode = (text) => Buffer.from(text.replaceAll('-', ''), 'hex').toString('hex');

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

/** Each part decoded by itself, as a JWT's parts are, and what follows the third dropped. */
const parts: Decode = (text) =>
  text
    .split(/[.~:|]/)
    .slice(0, 3)
    .map((part) => base64(part))
    .join('.');

function partsIn(separator: string): (bytes: Uint8Array) => string {
  return (bytes) =>
    [bytes.subarray(0, 5), bytes.subarray(5, 11), bytes.subarray(11)]
      .map((part) => Buffer.from(part).toString('base64url'))
      .join(separator);
}

const ENCODINGS: readonly (readonly [string, (bytes: Uint8Array) => string, Decode])[] = [
  ['base64url', (bytes) => Buffer.from(bytes).toString('base64url'), base64],
  ['base64 with padding', (bytes) => Buffer.from(bytes).toString('base64'), base64],
  ['hexadecimal', (bytes) => Buffer.from(bytes).toString('hex'), hexadecimal],
  ['hexadecimal in capitals', (bytes) => Buffer.from(bytes).toString('hex').toUpperCase(), hexadecimal],
  ['base32', encodedInBase32, base32],
  ['base32 in small letters', (bytes) => encodedInBase32(bytes).toLowerCase(), base32],
  ...['.', '~', ':', '|'].map(
    (separator) => [`three parts in base64url, divided by ${separator}`, partsIn(separator), parts] as const,
  ),
];

test('a JWT is also sent as one that claims to need no signature', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ typ: 'JWT', alg: 'HS256' })}.${part({ sub: 'ada' })}.c2lnbmF0dXJl`;
  const unsigned = `${part({ typ: 'JWT', alg: 'none' })}.${part({ sub: 'ada' })}.`;
  expect(alterations(token)).toContain(unsigned);
  expect(howAltered('access token', unsigned, token)).toBe('access token without a signature (alg: none)');
  expect(alterations('abc.def.ghi').filter((one) => one.endsWith('.'))).toEqual([]);
});

for (const [name, encode, decode] of ENCODINGS) {
  test(`no alteration of a value in ${name} decodes to the same bytes`, () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 40 }), (bytes) => {
        const value = encode(bytes);
        // A text of few letters may be in several encodings, and is no token.
        fc.pre(new Set(value).size > 8);
        for (const altered of alterations(value))
          held(decode(altered) !== decode(value), () => `${altered} decodes as ${value}`);
        held(new Set(alterations(value)).size >= 6, () => `too few of ${value}`);
      }),
    );
  });
}

test('a secret is also tried in another letter case, whatever it is made of', () => {
  expect(wrongSecrets('0123456789abcdef')).toContain('0123456789ABCDEF');
});

test('every part of a value is altered, and the report says which', () => {
  const jwt = ['{"alg":"RS256"}', '{"sub":"owner"}', 'signature'.repeat(8)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  expect(alterations(jwt).map((wrong) => howAltered('token', wrong, jwt))).toEqual([
    'token altered by a character of the header',
    'token altered by a character of the payload',
    'token altered by a character of the signature',
    'token altered by a character of the signature',
    'token cut short',
    'token cut short',
    'token made longer',
    'token in another letter case',
    'token without a signature (alg: none)',
  ]);
  expect(howAltered('token', '12|abce', '12|abcd')).toBe('token altered by a character of part 2 of 2');
});

test('a signature that nobody verifies is named in the reason and in the exchange', async () => {
  const unverified = defect('unverified', ({ token }) => ({
    token: {
      value: (kind, randomness, previous) =>
        kind === 'access'
          ? `eyJhbGciOiJub25lIn0.${randomness.token(60)}.${randomness.token(32)}`
          : token.value(kind, randomness, previous),
      find: (presented, store) => {
        const signed = presented?.slice(0, presented.lastIndexOf('.'));
        const pair = [...store.tokens.values()].find(({ accessToken }) =>
          accessToken.startsWith(`${signed}.`),
        );
        return token.find(pair?.accessToken ?? presented, store);
      },
    },
  }));
  const profile = await loadProfile('by-the-rfc');
  const target = await emulatorTarget({ profile, defects: [unverified], sockets: false });
  const session = connectWithoutBrowser(target, new SecretRegistry());
  const walk = await runSmokeFlow(session);
  const check = CHECKS.find(({ id }) => id === 'list.token-invalid-refused');
  if (check === undefined) throw new Error('no such check');
  const { result } = await runCheck(check, {
    catalogue: loadCatalogue(),
    session: { ...session, requestStyle: walk.requestStyle },
    smokeFlow: walk,
    sharedRefusals: new SharedRefusals(),
    keepEvidence: true,
  });
  await target.close();
  const how = 'list with access token altered by a character of the signature';
  expect(result.reason).toContain(`expected ${how} to be refused`);
  const purposes = result.evidence.map((entry) => (entry.kind === 'exchange' ? entry.purpose : ''));
  expect(purposes).toContain(how);
});
