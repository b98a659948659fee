/** What the emulator keeps in memory: a shelf of texts is a map that lies elsewhere, and token pairs stay what they were when their places go to others. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { ALL_SCOPES } from '../../src/emulator/scopes.ts';
import { TextShelf } from '../../src/emulator/store/text-shelf.ts';
import { MemoryTokens } from '../../src/emulator/store/tokens.ts';

/** Few, so that the same one comes again; of every length and with characters of every width. */
const texts = fc.oneof(
  fc.integer({ min: 0, max: 400 }).map((n) => `token-${n}`),
  fc.constantFrom(
    '',
    'ü'.repeat(47),
    'a'.repeat(47),
    'a'.repeat(48),
    'x'.repeat(3_000),
    'Ω',
    '\0',
    'a\u{1f600}',
  ),
);

test('a shelf holds what a map would, however often places change hands', () => {
  const act = fc.tuple(fc.constantFrom('set', 'set', 'delete'), texts, fc.integer());
  fc.assert(
    fc.property(fc.array(act, { maxLength: 2_000, size: 'max' }), (acts) => {
      const shelf = new TextShelf<number>();
      const map = new Map<string, number>();
      for (const [what, text, value] of acts) {
        if (what === 'set') {
          if (shelf.textAt(shelf.set(text, value)) !== text) throw new Error(text);
          map.set(text, value);
        } else {
          shelf.delete(text);
          map.delete(text);
        }
        if (shelf.get(text) !== map.get(text) || shelf.size !== map.size) throw new Error(text);
      }
      expect([...shelf.values()].sort()).toEqual([...map.values()].sort());
    }),
    { numRuns: 8 },
  );
});

function pairOf(accessToken: string, refreshToken: string) {
  return {
    ...{ accessToken, refreshToken, accessOrdinal: 0, refreshOrdinal: 0, scopes: ALL_SCOPES },
    grant: { ordinal: 1, clientId: 'a', ownerId: 'o', scopes: ALL_SCOPES, revoked: false },
    ...{ issuedAt: 0, expiresAt: 7_200, refreshExpiresAt: undefined },
    ...{ accessRevoked: false, refreshRevoked: false, supersedes: undefined },
  };
}

test('a pair whose token another pair has too keeps it, also when that one is forgotten', () => {
  const tokens = new MemoryTokens();
  const first = tokens.add(pairOf('access-1', 'shared'));
  const second = tokens.add(pairOf('access-2', 'shared'));
  expect(tokens.byRefreshToken('shared')).toBe(second);
  expect([first.refreshOrdinal, second.refreshOrdinal]).toEqual([1, 1]);
  tokens.revokeAccess(second);
  tokens.revokeRefresh(second);
  // As many as the store tells apart from tokens that never were, and one more.
  for (let count = 0; count < 50_000; count += 1) {
    const next = tokens.add(pairOf(`a-${count}`, `r-${count}`));
    tokens.revokeAccess(next);
    tokens.revokeRefresh(next);
  }
  expect(tokens.byRefreshToken('shared')).toBeUndefined();
  expect(tokens.byAccessToken('access-1')).toBe(first);
  for (let count = 0; count < 3; count += 1) tokens.add(pairOf(`b-${count}`, `s-${count}`));
  expect([first.accessToken, first.refreshToken]).toEqual(['access-1', 'shared']);
  expect([second.accessToken, second.refreshToken]).toEqual(['access-2', 'shared']);
  expect(tokens.size).toBe(50_004);
});
