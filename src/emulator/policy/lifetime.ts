import type { LifetimePolicy } from '../policy.ts';
import type { Answers } from '../profile.ts';

/** Lifetime of an access token in seconds (clauses 2.1 and 8). */
const ACCESS_TOKEN_LIFETIME = 7_200;

/** Lifetimes (clause 8), by open point 10. */
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
