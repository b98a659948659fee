import { expect, test } from '@playwright/test';
import { validateProfile } from '../../../generated/validators.js';
import { answersOf, digestOf } from '../../../src/document/profiles/answers-of.ts';
import { aspectIds } from '../../../src/document/profiles/aspects.ts';
import { loadProfile, profileIds } from '../../../src/emulator/policy/load-profile.ts';
import { profileControls } from '../../support/controls/profile-controls.ts';
import { frozenFrom, observeProfile } from '../../support/observing/observe-profile.ts';
import { firstInTest } from '../../support/prove.ts';

/** Observe the emulator on a profile and the same profile comes back: whatever a profile says, the probes see. */

/** Aspects that do not fit with a token in the request's body. */
const NO_ROOM = ['operation-answers.assign.request-body', 'operation-answers.unassign.request-body'];

/** Aspects that need an hour of grace to be seen. The first refresh may have to wait for 7200 s. */
const AFTER_GRACE = [
  'refresh-fate.grace-seconds',
  'refresh-fate.reuse',
  'token-failures.refresh.revoked-token',
  'failed-exchange.revoked',
];
const SHORT_LIFE = 7_200 + 3_600;

const plain = (answers: ReadonlyMap<string, unknown>) => Object.fromEntries(answers);

for (const id of profileIds()) {
  test(`the emulator on ${id} is seen to answer as the profile says, and so is the emulator on what was seen`, async () => {
    const profile = await loadProfile(id);
    expect([...answersOf(profile).keys()]).toEqual(aspectIds);
    const observed = await observeProfile(profile, true);
    expect([...observed.unseen]).toEqual([]);
    expect(plain(observed.answers)).toEqual(plain(answersOf(profile)));

    const frozen = await frozenFrom(observed);
    expect([validateProfile(frozen), validateProfile.errors]).toEqual([true, null]);
    expect(frozen.observed?.notExpressed).toBeUndefined();
    expect(frozen.departures).toEqual(profile.departures);
    expect(plain(answersOf(frozen))).toEqual(plain(answersOf(profile)));

    const again = await frozenFrom(await observeProfile(frozen, true));
    expect(again.digest).toBe(frozen.digest);
  });
}

/** The first rows hold most of the pairs; each has several hundred that no row before it has. */
const ROWS = 24;

for (const [{ profile }, details] of firstInTest(profileControls().slice(0, ROWS), 5)) {
  test(`the emulator on ${profile.name} is seen to answer as the profile says`, details, async () => {
    const { answers, unseen, requests } = await observeProfile(profile);
    const said = new Map(answersOf(profile));
    const life = said.get('lifetimes.refresh-token');
    const isShort = typeof life === 'number' && life <= SHORT_LIFE;
    for (const aspect of unseen.keys()) {
      expect(isShort ? [...NO_ROOM, ...AFTER_GRACE] : NO_ROOM).toContain(aspect);
      said.delete(aspect);
    }
    expect(plain(answers)).toEqual(plain(said));
    expect(requests).toBeLessThanOrEqual(746);
  });
}

test('a service that keeps old refresh tokens for ever is told from one with a grace window', async () => {
  const profile = await loadProfile('rotation-with-grace');
  const answers = { ...profile.answers, 'refresh-fate.grace-seconds': 'unlimited' as const };
  const seen = await observeProfile({ ...profile, name: 'for-ever', answers });
  expect(seen.answers.get('refresh-fate.old-refresh-token')).toBe('never');
  expect(seen.answers.get('refresh-fate.grace-seconds')).toBe('unlimited');
  expect(seen.answers.get('refresh-fate.reuse')).toBeNull();
});

test('the digest heeds answers, and neither dates nor the order of members', async () => {
  const frozen = await frozenFrom(await observeProfile(await loadProfile('by-the-rfc')));
  const { answers, observed } = frozen;
  if (observed === undefined) throw new Error('a recorded profile says what was observed');
  const reordered = Object.fromEntries(Object.entries(answers).reverse()) as typeof answers;
  expect(
    digestOf({ ...frozen, answers: reordered, observed: { ...observed, at: '2027-01-01T00:00:00Z' } }),
  ).toBe(frozen.digest);
  const changed = { ...answers, 'pkce.support': 'ignored' as const };
  expect(digestOf({ ...frozen, answers: changed })).not.toBe(frozen.digest);
  const less = { ...observed, notObserved: { 'pkce.support': 'nobody looked' } };
  expect(digestOf({ ...frozen, observed: less })).not.toBe(frozen.digest);
});
