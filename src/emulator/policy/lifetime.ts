import type { LifetimePolicy } from '../policy.ts';
import type { Answers } from '../profile.ts';

/** Seconds (clause 8). */
export const ACCESS_TOKEN_LIFETIME = 7_200;

export function lifetimePolicy(answers: Answers): LifetimePolicy {
  const seconds = (life: number | 'unlimited') => (life === 'unlimited' ? Number.POSITIVE_INFINITY : life);
  const code = seconds(answers['lifetimes.code']);
  const refreshToken = seconds(answers['lifetimes.refresh-token']);
  return {
    accessToken: () => ACCESS_TOKEN_LIFETIME,
    refreshToken: () => refreshToken,
    code: () => code,
  };
}
