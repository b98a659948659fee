import { expect, test } from '@playwright/test';
import { validateProfile } from '../../generated/validators.js';
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts';
import { loadProfile, profileIds } from '../../src/emulator/load-profile.ts';
import type { Profile } from '../../src/emulator/profile.ts';
import { answersOf, expectedAnswers } from '../../src/profiles/answers-of.ts';
import { aspectIds, canonical } from '../../src/profiles/aspects.ts';
import { digestOf } from '../../src/profiles/digest.ts';
import { express } from '../../src/profiles/express.ts';
import type { Draft } from '../support/controls/factor.ts';
import { FACTORS } from '../support/controls/factors.ts';
import { profileControls } from '../support/controls/profile-controls.ts';
import { frozenFrom, observeProfile } from '../support/observing/observe-profile.ts';

/** Observe the emulator on a profile and the same profile comes back: whatever a profile says, the probes see. */

const LETTER_CASE = 'response-headers.letter-case';
/** What a token that fills the body of the request leaves no room for. */
const NO_ROOM = ['operation-answers.assign.request-body', 'operation-answers.unassign.request-body'];

const plain = (answers: ReadonlyMap<string, unknown>) => Object.fromEntries(answers);

for (const id of profileIds()) {
  test(`the emulator on ${id} is seen to answer as the profile says, and so is the emulator on what was seen`, async () => {
    const profile = await loadProfile(id);
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

for (const { profile } of profileControls().slice(0, ROWS)) {
  test(`the emulator on ${profile.name} is seen to answer as the profile says, and the profile can be told from it`, async () => {
    const { answers, unseen, requests } = await observeProfile(profile);
    const expected = new Map(expectedAnswers(profile));
    for (const aspect of unseen.keys()) {
      expect([LETTER_CASE, ...NO_ROOM]).toContain(aspect);
      expected.delete(aspect);
    }
    expect(plain(answers)).toEqual(plain(expected));
    expect(requests).toBeLessThanOrEqual(746);
    const { notExpressed } = express(expectedAnswers(profile), await loadProfile('doorkeeper-5'), undefined);
    expect(plain(notExpressed)).toEqual({});
  });
}

test('every answer that a profile can give shows at some aspect, under one or another of the shipped profiles', async () => {
  const bases = await Promise.all(['adversarial', 'by-the-rfc', 'doorkeeper-5'].map(loadProfile));
  const hidden: string[] = [];
  for (const { name, values } of FACTORS) {
    const seen = values.map((value) => bases.map((base) => shown(base, value.set)));
    seen.forEach((one, index) => {
      const twin = seen.findIndex(
        (other, at) => at > index && one.every((text, base) => text === other[base]),
      );
      if (twin >= 0) hidden.push(`${name}: ${values[index]?.name} and ${values[twin]?.name}`);
    });
  }
  // What is left out is absent.
  expect(hidden).toEqual(['neighbours.openidConfiguration: null and "absent"']);
});

/** What the emulator shows on a profile with one answer changed. */
function shown(base: Profile, set: (answers: Draft) => void): string {
  const answers = structuredClone(base.answers);
  set(answers as unknown as Draft);
  return canonical(plain(expectedAnswers({ ...base, answers })));
}

test('what nobody can see of a profile is named, with the reason, and is in every profile', async () => {
  const { answers } = await loadProfile('doorkeeper-5');
  for (const { id, unseen = [] } of loadCatalogue().openPoints) {
    for (const { at, why } of unseen) {
      expect(why).toMatch(/\.$/);
      const [first = '', second = ''] = at.split('.');
      const member = (answers[id] as unknown as Record<string, Record<string, unknown>>)[first];
      expect(second === '*' || Object.hasOwn(member ?? {}, second), `${id}: ${at}`).toBe(true);
    }
  }
});

test('the digest heeds answers, and neither dates nor the order of members', async () => {
  const frozen = await frozenFrom(await observeProfile(await loadProfile('by-the-rfc')));
  const { answers, observed } = frozen;
  if (observed === undefined) throw new Error('a frozen profile says what was observed');
  const reordered = Object.fromEntries(Object.entries(answers).reverse()) as unknown as Profile['answers'];
  expect(
    digestOf({ ...frozen, answers: reordered, observed: { ...observed, at: '2027-01-01T00:00:00Z' } }),
  ).toBe(frozen.digest);
  const changed = { ...answers, pkce: { challenge: 'ignored' as const } };
  expect(digestOf({ ...frozen, answers: changed })).not.toBe(frozen.digest);
  const less = { ...observed, notObserved: { 'pkce.support': 'nobody looked' } };
  expect(digestOf({ ...frozen, observed: less })).not.toBe(frozen.digest);
});

test('every aspect has an expectation under every shipped profile', async () => {
  for (const id of profileIds())
    expect([...expectedAnswers(await loadProfile(id)).keys()]).toEqual(aspectIds);
});
