import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { Episode } from '../../src/client-checks/evaluate/episode.ts';
import { bitsOfStates, forgedState } from '../../src/client-checks/evaluate/state-text.ts';
import { evaluateEpisodes } from '../support/evaluate-episodes.ts';

/** The value of `state`: what of it is random, and what an attacker could write. */

const random = () => randomBytes(16).toString('base64url');
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const now = Date.now();

/** Two states of one client, and whether 100 random bits fit into them. */
const FORMS: readonly (readonly [form: string, make: (index: number) => string, isEnough: boolean])[] = [
  ['16 random bytes', random, true],
  ['a UUID', () => randomUUID(), true],
  ['random bytes as base64 of hexadecimal digits', () => btoa(randomBytes(16).toString('hex')), true],
  ['random bytes beside data', () => base64({ nonce: random(), next: '/projects' }), true],
  ['random bytes beside a time', (index) => `${random()}.${now + index}`, true],
  ['a JWT with random bytes', () => `${base64({ alg: 'none' })}.${base64({ nonce: random() })}.`, true],
  ['a JWT that is signed', () => `${base64({ alg: 'HS256' })}.${base64({ user: 1 })}.${random()}`, true],
  ['an id', (index) => base64({ user: 1041 + index, from: 'the-settings-page-of-the-shop' }), false],
  ['an id and a time', (index) => `user-of-the-shop-of-ours:1041:${now + index}`, false],
  [
    'an unsigned JWT',
    (index) => `${base64({ alg: 'none' })}.${base64({ user: 7, iat: now + index })}.`,
    false,
  ],
  ['a counter', (index) => `sign-in-number-of-the-shop-of-ours-${index}`, false],
];

for (const [form, make, isEnough] of FORMS)
  test(`${form}: ${isEnough ? 'enough' : 'too few'} random bits`, () => {
    const bits = bitsOfStates([make(1), make(2)]);
    expect([...bits.values()].map((count) => count >= 100)).toEqual([isEnough, isEnough]);
  });

/** Sign-ins of some situations: milliseconds of their arrival, each with its state. */
function unguessable(...situations: readonly (readonly (readonly [arrivedMs: number, state: string])[])[]) {
  const ids = ['flow', 'denial', 'expiry'] as const;
  const episodes = situations.map((all, index): Episode => {
    const entries = all.map(([arrivedMs, state], arrival) => ({
      ...{ endpoint: 'authorize', method: 'GET', body: '', arrival, arrivedMs, issued: { code: 'code#1' } },
      ...{ headers: [], parameters: [], presented: {} },
      target: `/oauth/authorize?state=${encodeURIComponent(state)}`,
    })) as unknown as Episode['entries'];
    return { situation: ids[index] ?? 'flow', steps: [], entries, owners: { first: '', second: '' } };
  });
  return evaluateEpisodes(episodes).of('state.unguessable');
}

test('two sign-ins within one moment may have the same signed time; one state over time is reused', () => {
  const signed = (iat: number) => {
    const claims = `${base64({ alg: 'HS256' })}.${base64({ user: 1, iat })}`;
    return `${claims}.${createHmac('sha256', 'a key').update(claims).digest('base64url')}`;
  };
  const time = Math.floor(now / 1_000);
  const state = signed(time);
  expect(unguessable([[5, state]], [[9, state]], [[7, signed(time + 1)]]).kind).toBe('kept');
  expect(
    unguessable([
      [5, state],
      [700, state],
    ]).kind,
  ).toBe('kept');
  expect(
    unguessable(
      [[5, state]],
      [
        [5, state],
        [2_500, state],
      ],
    ),
  ).toMatchObject({
    kind: 'broken',
    lines: [expect.stringContaining('one state in 3 sign-ins (flow, denial)')],
  });
  expect(unguessable([[5, 'x']], [[5_000, 'x']])).toMatchObject({
    lines: ['one state in 2 sign-ins (flow, denial)'],
  });
  expect(unguessable([[5, 'visit-1']], [[5_000, 'visit-2']])).toMatchObject({
    lines: [
      expect.stringMatching(
        /^`state` has room for \d random bits beside times and fixed parts; 100 are needed$/,
      ),
    ],
  });
  const constant = randomUUID();
  expect(unguessable([[5, constant]], [[5, constant]]).kind).toBe('broken');
});

test('a single state has nothing in common with another', () => {
  expect([...bitsOfStates(['a-state-of-forty-characters-in-one-test']).values()][0]).toBeGreaterThan(100);
});

test('a forged state has other contents in the same encoding; signature, head and time stay', () => {
  expect(forgedState(base64({ user: 1041, to: '/a', iat: now }))).toBe(
    base64({ user: 1042, to: '/b', iat: now }),
  );
  const head = base64({ alg: 'HS256' }).replaceAll('=', '');
  const body = (user: string) => Buffer.from(`{"user":"${user}"}`).toString('base64url');
  expect(forgedState(`${head}.${body('ada')}.c2ln`)).toBe(`${head}.${body('adb')}.c2ln`);
  expect(forgedState('user=ada')).toBe('uses=adb');
  expect(forgedState(String(now))).toBeUndefined();
});
