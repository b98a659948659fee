import { expect, test } from '@playwright/test';
import { nextCheck } from '../../../src/judge/run/run-checks.ts';
import { CHECKS_IN_ORDER } from '../../proof/kill-matrix/run-checks.ts';

function orders(lanes: number): readonly (readonly string[])[] {
  const queue = [...CHECKS_IN_ORDER];
  const done = Array.from({ length: lanes }, () => [] as string[]);
  for (let turn = 0; queue.length > 0; turn += 1) {
    const check = nextCheck(queue, turn % lanes, lanes);
    if (check !== undefined) done[turn % lanes]?.push(check.id);
  }
  return done;
}

const provokes = new Map<string, boolean>(CHECKS_IN_ORDER.map((check) => [check.id, check.provokes]));

test('one lane keeps the order of a run', () => {
  expect(orders(1)).toEqual([CHECKS_IN_ORDER.map(({ id }) => id)]);
});

for (const lanes of [2, 3, 4])
  test(`${lanes} lanes do every check once, what provokes after everything else, and pages on every second lane first`, () => {
    const done = orders(lanes);
    expect(done.flat().toSorted()).toEqual(CHECKS_IN_ORDER.map(({ id }) => id).toSorted());
    for (const ids of done) {
      const provoking = ids.map((id) => provokes.get(id));
      expect(provoking.lastIndexOf(false)).toBeLessThan(provoking.indexOf(true));
    }
    for (const [lane, [first = '']] of done.entries())
      expect(/^(application|authorize)\./.test(first)).toBe(lane % 2 === 0);
  });
