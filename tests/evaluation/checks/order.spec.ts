import { expect, test } from '@playwright/test';
import { CHECKS } from '../../../src/evaluation/checks/index.ts';
import { scheduledChecks } from '../../../src/evaluation/run/run-checks.ts';

for (const workers of [1, 2])
  test(`${workers} at a time: each check once, and those that provoke refusals last`, () => {
    const ordered = scheduledChecks(CHECKS, workers);
    expect(new Set(ordered)).toEqual(new Set(CHECKS));
    expect(ordered).toHaveLength(CHECKS.length);
    const provokes = ordered.map((check) => check.provokes);
    expect(provokes).toEqual(provokes.toSorted((a, b) => Number(a) - Number(b)));
  });

test('two workers begin with more subjects than one, so that they do not both wait for the browser', () => {
  const subjects = (workers: number) =>
    new Set(
      scheduledChecks(CHECKS, workers)
        .slice(0, 10)
        .map(({ id }) => id.split('.', 1)[0]),
    ).size;
  expect(subjects(2)).toBeGreaterThan(subjects(1));
});
