/** Lists that differ by themselves are told from what another client does, by pairs that were asked for at once. */
import { expect, test } from '@playwright/test';
import { type ListChanger, type ListPair, whoChanges } from '../../src/flow/who-changes.ts';

/** Lists of pairs as they are written here: `ab/a` is one that holds a and b, and one that was asked for at once and holds a. */
function pairsOf(text: string): readonly ListPair[] {
  return text.split(' ').map((pair) => {
    const [one = '', other = ''] = pair.split('/');
    return [new Set(one), new Set(other)];
  });
}

const CASES: readonly (readonly [title: string, pairs: string, expected: ListChanger])[] = [
  ['what a client has done stays', 'a/a a/a a/a a/a', 'another client'],
  ['a client goes on', 'a/a a/a ab/ab abc/abc abc/abc a/a', 'another client'],
  ['a client goes on, and once a change falls into a pair', 'a/a ab/a ab/ab b/b b/b ab/ab', 'another client'],
  ['one answer in five lacks a user', 'ab/ab ab/a ab/ab a/ab ab/ab ab/a a/a ab/ab', 'the service'],
  ['every other answer lacks a user', 'ab/a a/ab ab/a ab/a', 'the service'],
  ['as often one as the other', 'ab/a ab/ab a/a ab/a a/ab ab/ab a/ab', 'the service'],
  ['it was so once, and never again', 'ab/ab ab/ab ab/ab ab/ab', 'unknown'],
  ['a single pair differs within', 'ab/ab ab/a ab/ab ab/ab', 'unknown'],
];

for (const [title, pairs, expected] of CASES) {
  test(`${title}: ${expected}`, () => {
    expect(whoChanges(new Set('ab'), pairsOf(pairs))).toBe(expected);
  });
}

test('nothing that can be read tells nothing', () => {
  expect(whoChanges(new Set('ab'), [])).toBe('unknown');
});
