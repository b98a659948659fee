import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { withholdLeaks } from '../../src/app/withhold.ts';
import { redactText } from '../../src/exchange/to-evidence.ts';
import { SecretRegistry } from '../../src/secrets/registry.ts';

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
  const spellings: readonly (readonly [string, (s: string) => string])[] = [
    ['raw', (s) => s],
    ['percent-encoded', encodeURIComponent],
    ['form-encoded', (s) => new URLSearchParams({ s }).toString().slice(2)],
    ['in JSON', (s) => JSON.stringify({ s })],
    ['in JSON within JSON', (s) => JSON.stringify(JSON.stringify({ s }))],
    ['in base64', (s) => Buffer.from(s).toString('base64')],
    ['in a Basic header', (s) => Buffer.from(`client-id:${s}`).toString('base64')],
    ['in base64url', (s) => Buffer.from(`x${s}`).toString('base64url')],
  ];

  for (const [name, spell] of spellings) {
    test(`is found and redacted ${name}`, () => {
      fc.assert(
        fc.property(secret, (value) => {
          const registry = registryWith(value);
          const text = `before ${spell(value)} after`;
          expect(registry.find(text).length, text).toBeGreaterThan(0);
          const redacted = registry.redact(text);
          expect(registry.find(redacted)).toEqual([]);
          expect(redacted).toContain('<access_token#1>');
        }),
      );
    });
  }

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

test('text without secrets is left as it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(registryWith('a-secret-that-is-not-there').redact(text)).toBe(text);
    }),
  );
});

test('what stands in the place of a secret is hidden though nobody registered it', () => {
  const registry = new SecretRegistry();
  expect(redactText('code=unregistered-code&state=x', registry)).toBe('code=<hidden>&state=x');
  expect(redactText('{"access_token":"unregistered-token"}', registry)).toBe('{"access_token":"<hidden>"}');
});

test('a report file that holds a secret is withheld, and the finding does not tell it', () => {
  const registry = registryWith('a-very-secret-token');
  const { clean, leaks } = withholdLeaks(
    [
      { name: 'index.html', text: '<p>a-very-secret-token</p>' },
      { name: 'junit.xml', text: '<testsuite/>' },
    ],
    registry,
  );
  expect(clean.map((file) => file.name)).toEqual(['junit.xml']);
  expect(leaks.join()).toContain('access_token#1');
  expect(leaks.join()).not.toContain('a-very-secret-token');
});
