import { LIFETIME } from '../../catalogue/lifetime.ts';
import type { Answered, TokenAnswer } from '../../flow/answers.ts';
import { noteTokenRefusal } from '../note-refusal.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';

/** Seconds from which a code counts as unlimited: a day. */
const LONGEST_CODE = 86_400;

/** Seconds from which a refresh token counts as unlimited: ten years. */
const LONGEST_REFRESH_TOKEN = 315_360_000;

/** Open point 10: lifetime of a code, and the refusal of an expired one. */
export const codeLifetime: Probe = {
  openPoint: 'lifetimes',
  aspects: ['lifetimes.code', 'token-failures.exchange.expired-code'],
  requests: 18 * 4,
  async run(context) {
    await context.pass(0);
    const life = await lifetime(
      0,
      LONGEST_CODE,
      async (age) => {
        const code = await context.code();
        await context.pass(age);
        return context.exchange('exchange an old code', code);
      },
      context,
    );
    context.see('lifetimes.code', life.seconds, 'codes of growing age, exchanged');
    if (life.refusal === undefined) context.see('token-failures.exchange.expired-code', null);
    else noteTokenRefusal(context, 'exchange.expired-code', life.refusal);
  },
};

/** Open point 10: lifetime of a refresh token, from expiry on if refreshes must wait for it. */
export const refreshTokenLifetime: Probe = {
  openPoint: 'lifetimes',
  aspects: ['lifetimes.refresh-token', 'token-failures.refresh.expired-token'],
  requests: 30 * 5,
  async run(context) {
    await context.pass(0);
    const earliest = context.conversation.requestStyle.refreshBeforeExpiry ? 0 : LIFETIME;
    const life = await lifetime(
      earliest,
      LONGEST_REFRESH_TOKEN,
      async (age) => {
        const { refreshToken } = await context.pair();
        await context.pass(age);
        return context.refresh('refresh with an old token', refreshToken);
      },
      context,
    );
    context.see('lifetimes.refresh-token', life.seconds, 'refresh tokens of growing age, used');
    if (life.refusal === undefined) context.see('token-failures.refresh.expired-token', null);
    else noteTokenRefusal(context, 'refresh.expired-token', life.refusal);
  },
};

/** Returns the first second at which a fresh value is refused, and the refusal. Bisects with a new value per step. */
async function lifetime(
  earliest: number,
  longest: number,
  useAt: (ageSeconds: number) => Promise<Answered<TokenAnswer>>,
  context: ProbeContext,
): Promise<{ readonly seconds: number | 'unlimited'; readonly refusal?: Answered<TokenAnswer> }> {
  let refusal = await useAt(longest);
  if (context.pairOf(refusal) !== undefined) return { seconds: 'unlimited' };
  let [alive, dead] = [earliest, longest];
  while (dead - alive > 1) {
    const age = Math.floor((alive + dead) / 2);
    const answer = await useAt(age);
    if (context.pairOf(answer) !== undefined) alive = age;
    else [dead, refusal] = [age, answer];
  }
  return { seconds: dead, refusal };
}
