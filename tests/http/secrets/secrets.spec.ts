import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { redactText } from '../../../src/http/to-evidence.ts';
import { ENCODINGS, TWO_LEVELS } from '../../support/canary/encodings.ts';
import { held } from '../../support/held.ts';

/** Text that may surround an encoded secret without a separator. */
const CONTEXTS = [
  (text: string) => `before ${text} after`,
  (text: string) => `{"key":"${text}"}`,
  (text: string) => `?key=${text}&other=1`,
  (text: string) => `100% \\ & ü ${text}\n`,
] as const;

/** Secrets as services make them: long enough to be told from words, with everything that encodings touch. */
const secret = fc
  .string({ unit: fc.constantFrom(...'abcXYZ0189-_.~+/=&% ü"<>\''), minLength: 12, maxLength: 48 })
  .filter((s) => s.trim() === s);

function registryWith(...values: string[]): SecretRegistry {
  const registry = new SecretRegistry();
  for (const value of values) registry.register('access_token', value);
  return registry;
}

test.describe('a registered secret', () => {
  test('of millions of equal characters is found, however often it stands there', () => {
    const value = 'a'.repeat(1_500_000);
    expect(registryWith(value).redact(`${value}${value} and Bearer ${value}`)).toBe(
      '<access_token#1><access_token#1> and Bearer <access_token#1>',
    );
  });

  for (const [name, encode] of Object.entries(ENCODINGS)) {
    test(`is found and redacted: ${name}`, () => {
      fc.assert(
        fc.property(secret, fc.constantFrom(...CONTEXTS), (value, around) => {
          const registry = registryWith(value);
          const text = around(encode(value));
          held(registry.find(text).length > 0, () => `not found: ${text}`);
          const redacted = registry.redact(text);
          held(registry.find(redacted).length === 0, () => `found again: ${text} -> ${redacted}`);
          held(redacted.includes('<access_token#1>'), () => `no label: ${redacted}`);
        }),
      );
    });
  }

  test('is found in any two encodings, one in the other', () => {
    const byItself = Object.entries(ENCODINGS).filter(
      ([name]) => !TWO_LEVELS.has(name) && !/case$/.test(name) && name !== 'Unicode decomposed',
    );
    const encoding = fc.constantFrom(...byItself);
    fc.assert(
      fc.property(secret, encoding, encoding, (value, [innerName, inner], [outerName, outer]) => {
        // Latin-1 has not every character that an encoding may have made; it was never said of what.
        fc.pre(!`${innerName} ${outerName}`.includes('Latin-1'));
        const text = `before ${outer(inner(value))} after`;
        held(
          registryWith(value).find(text).length > 0,
          () => `not found: ${innerName} in ${outerName}: ${text}`,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test('keeps its ordinal when it is seen again, and another gets the next', () => {
    const registry = new SecretRegistry();
    expect(registry.register('refresh_token', 'first-token-value')).toBe('refresh_token#1');
    expect(registry.register('refresh_token', 'second-token-value')).toBe('refresh_token#2');
    expect(registry.register('refresh_token', 'first-token-value')).toBe('refresh_token#1');
  });

  test('is replaced as a whole where another one is its beginning', () => {
    const registry = registryWith('token-abcdef', 'token-abcdef-and-more');
    expect(registry.redact('x token-abcdef-and-more y')).toBe('x <access_token#2> y');
  });
});

test('ordinary words, and what stands in the place of secrets, are no secrets', () => {
  const registry = new SecretRegistry();
  const tokens = Array.from({ length: 2_000 }, () => randomBytes(12).toString('base64url'));
  const labels = tokens.map((token) => registry.register('access_token', token));
  for (const file of ['README.md', 'generated/validators.js', 'package-lock.json']) {
    const text = readFileSync(file, 'utf8');
    expect(registry.find(text), file).toEqual([]);
    expect(registry.redact(text)).toBe(text);
  }
  const redacted = registry.redact(JSON.stringify({ tokens }));
  expect(redacted).toBe(JSON.stringify({ tokens: labels.map((label) => `<${label}>`) }));
  expect(registry.find(encodeURIComponent(redacted) + Buffer.from(redacted).toString('base64'))).toEqual([]);
});

test('text without secrets is left as it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => registryWith('a-secret-that-is-not-there').redact(text) === text),
  );
});

test('what stands in the place of a secret is hidden though nobody registered it', () => {
  const registry = new SecretRegistry();
  expect(redactText('code=unregistered-code&state=x', registry)).toBe('code=<hidden>&state=x');
  expect(redactText('{"access_token":"unregistered-token"}', registry)).toBe('{"access_token":"<hidden>"}');
});
