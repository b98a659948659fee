import { LIFETIME } from '../../../document/lifetime.ts';
import { refusalOf } from '../../../service/flow/answer-shape.ts';
import type { Answered, TokenAnswer } from '../../../service/flow/answers.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';

/** Seconds from which a code counts as unlimited: a day. */
const LONGEST_CODE = 86_400;

/** Seconds from which a refresh token counts as unlimited: ten years. */
const LONGEST_REFRESH_TOKEN = 315_360_000;

interface Lifetime {
  readonly of: 'code' | 'refresh-token';
  readonly refusal: 'exchange.expired-code' | 'refresh.expired-token';
  readonly evidence: string;
  readonly longest: number;
  readonly earliest: (context: ProbeContext) => number;
  readonly useAt: (context: ProbeContext, ageSeconds: number) => Promise<Answered<TokenAnswer>>;
}

/** Open point 10: a lifetime, and the refusal after it. */
function lifetimeProbe({ of, refusal, evidence, longest, earliest, useAt }: Lifetime): Probe {
  return {
    aspects: [`lifetimes.${of}`, `token-failures.${refusal}`],
    async run(context) {
      await context.pass(0);
      const life = await lifetime(earliest(context), longest, (age) => useAt(context, age), context);
      context.see(`lifetimes.${of}`, life.seconds, evidence);
      context.see(`token-failures.${refusal}`, life.refusal === undefined ? null : refusalOf(life.refusal));
    },
  };
}

export const codeLifetime = lifetimeProbe({
  of: 'code',
  refusal: 'exchange.expired-code',
  evidence: 'codes of growing age, exchanged',
  longest: LONGEST_CODE,
  earliest: () => 0,
  useAt: async (context, age) => {
    const code = await context.code();
    await context.pass(age);
    return context.exchange('exchange an old code', code);
  },
});

/** From expiry on if refreshes must wait for it. */
export const refreshTokenLifetime = lifetimeProbe({
  of: 'refresh-token',
  refusal: 'refresh.expired-token',
  evidence: 'refresh tokens of growing age, used',
  longest: LONGEST_REFRESH_TOKEN,
  earliest: ({ requestStyle }) => (requestStyle.refreshBeforeExpiry ? 0 : LIFETIME),
  useAt: async (context, age) => {
    const { refreshToken } = await context.pair();
    await context.pass(age);
    return context.refresh('refresh with an old token', refreshToken);
  },
});

/** Returns the first second at which a fresh value is refused, and the refusal. Each step has a new value. */
async function lifetime(
  earliest: number,
  longest: number,
  useAt: (ageSeconds: number) => Promise<Answered<TokenAnswer>>,
  context: ProbeContext,
): Promise<{ readonly seconds: number | 'unlimited'; readonly refusal?: Answered<TokenAnswer> }> {
  let refusal: Answered<TokenAnswer> | undefined;
  const seconds = await findLifetime(earliest, longest, async (age) => {
    const answer = await useAt(age);
    if (context.pairOf(answer) !== undefined) return false;
    refusal = answer;
    return true;
  });
  return { seconds, refusal };
}

/**
 * Returns the first second at which something is over. Bisects, so the predicate is called about as often as the longest time has
 * binary digits.
 *
 * @param earliest a second at which it is not over yet
 * @param longest if it is not over then, it counts as unlimited
 */
export async function findLifetime(
  earliest: number,
  longest: number,
  isOver: (seconds: number) => Promise<boolean>,
): Promise<number | 'unlimited'> {
  if (!(await isOver(longest))) return 'unlimited';
  let [alive, dead] = [earliest, longest];
  while (dead - alive > 1) {
    const middle = Math.floor((alive + dead) / 2);
    if (await isOver(middle)) dead = middle;
    else alive = middle;
  }
  return dead;
}
