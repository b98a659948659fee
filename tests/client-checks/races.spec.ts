import { expect, test } from '@playwright/test';
import type { ClientRequirementId } from '../../generated/ids.ts';
import { evaluateSent, type Sender } from '../support/own-tests/evaluate-sent.ts';

/** Two refreshes in the same moment in an integrator's own tests, where the emulator answers faster than two calls race. */

const refresh = (token: string | undefined) => ({ grant_type: 'refresh_token', refresh_token: token ?? '' });

const SENT: readonly (readonly [
  what: string,
  send: (sender: Sender, first: string) => Promise<void>,
  broken: readonly ClientRequirementId[],
])[] = [
  [
    'two refreshes one after the other, before the new pair is used',
    async ({ token, list }, first) => {
      const pairs = [await token(refresh(first)), await token(refresh(first))];
      for (const pair of pairs) await list(`Bearer ${pair.access_token}`);
    },
    ['renewal.one-at-a-time'],
  ],
  [
    'two refreshes at once',
    async ({ token }, first) => {
      await Promise.all([token(refresh(first)), token(refresh(first))]);
    },
    ['renewal.one-at-a-time'],
  ],
  [
    'the old refresh token after the new access token was used',
    async ({ token, list }, first) => {
      await list(`Bearer ${(await token(refresh(first))).access_token}`);
      await token(refresh(first));
    },
    ['pair.newest-refresh-token'],
  ],
  [
    'one refresh, and another one with the new token',
    async ({ token }, first) => {
      await token(refresh((await token(refresh(first))).refresh_token));
    },
    [],
  ],
  [
    'a refresh again after 503',
    async ({ emulator, token }, first) => {
      emulator.control.faults.arm({ route: 'token', kind: 'status', status: 503, body: '{}', count: 1 });
      await token(refresh(first));
      await token(refresh(first));
    },
    [],
  ],
  [
    'a made-up refresh token twice',
    async ({ token }) => {
      await token(refresh('invalid-0'));
      await token(refresh('invalid-0'));
    },
    [],
  ],
];

for (const [what, send, expected] of SENT)
  test(`${what}: ${expected.join(', ') || 'nothing'}`, async () => {
    const { broken } = await evaluateSent(async (sender) => {
      await send(sender, sender.emulator.tokens().refresh_token);
    });
    expect(broken).toEqual(expected);
  });

for (const [arrivedMs, expected] of [
  [100, ['renewal.one-at-a-time']],
  [400, []],
] as const)
  test(`a refresh ${arrivedMs} ms after one that the client gave up, which a busy service noticed at 700 ms: ${expected[0] ?? 'nothing'}`, async () => {
    const { broken } = await evaluateSent(
      async ({ emulator, token }) => {
        const old = emulator.tokens().refresh_token;
        await token(refresh(old));
        await token(refresh(old));
      },
      ([first, second, ...others]) =>
        first === undefined || second === undefined
          ? []
          : [
              { ...first, arrivedMs: 0, answeredMs: 700, clientGone: true, fault: 'stall', issued: {} },
              { ...second, arrivedMs, answeredMs: 900 },
              ...others,
            ],
    );
    expect(broken).toEqual(expected);
  });
