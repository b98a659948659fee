import { expect, test } from '@playwright/test';
import { differenceOf } from '../../src/client-checks/evaluate/difference.ts';

/** A value that a client sent, beside the one that the service issued. */

const GIVEN = 'secret-Zm9y/LXRo';

const SAID: readonly (readonly [sent: string, given: string | undefined, words: string])[] = [
  [`${GIVEN}\n`, GIVEN, 'the given one with a line break behind it'],
  [`${GIVEN}\r\n`, GIVEN, 'the given one with a line break behind it'],
  [` ${GIVEN}`, GIVEN, 'the given one with blanks around it'],
  [`"${GIVEN}"`, GIVEN, 'the given one in quotes'],
  [encodeURIComponent(GIVEN), GIVEN, 'the given one, encoded twice'],
  [GIVEN.slice(0, 9), GIVEN, 'the first 9 of its 16 characters'],
  [GIVEN.toUpperCase(), GIVEN, 'the given one in other letter case'],
  ['client_secret', GIVEN, 'the word "client_secret"'],
  ['<your-client-id>', GIVEN, 'the word "<your-client-id>"'],
  ['undefined', undefined, 'the word "undefined"'],
  ['"a-code"', undefined, 'one in quotes'],
  ['another-secret-of-theirs', GIVEN, 'another one, of 24 characters'],
  ['a-code-of-nobody', undefined, 'one of 16 characters that was never issued'],
];

for (const [sent, given, words] of SAID)
  test(`${JSON.stringify(sent)}: ${words}`, () => {
    expect(differenceOf(sent, given)).toBe(words);
  });
