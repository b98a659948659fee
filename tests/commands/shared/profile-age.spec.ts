import { expect, test } from '@playwright/test';
import { ageNotice } from '../../../src/commands/shared/read-profile.ts';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';

test('a recorded profile that is older than the configuration allows is a notice with both numbers', async () => {
  const profile = await loadProfile('by-the-rfc');
  const observed = { at: '2026-10-01T12:00:00.000Z' } as NonNullable<typeof profile.observed>;
  const age = (day: string, most: number) =>
    ageNotice({ ...profile, observed }, most, new Date(`${day}T12:00:00Z`));
  expect(age('2026-10-31', 30)).toEqual([]);
  expect(age('2026-11-01', 30)).toEqual([
    expect.stringMatching(/ 31 days old, more than 30 \(`maxAgeDays`\)/),
  ]);
  expect(age('2026-11-01', 60)).toEqual([]);
  expect(ageNotice(profile, 1, new Date())).toEqual([]);
});
