import type { LifetimePolicy } from '../policy.ts';
import type { Answers } from '../profile.ts';

/** Lifetime of an access token in seconds (clauses 2.1 and 8). */
const ACCESS_TOKEN_LIFETIME = 7_200;

/** Lifetimes (clause 8), by open point 10. */
export function lifetimePolicy(answers: Answers): LifetimePolicy {
  const { code, refreshToken } = answers.lifetimes;
  const refreshSeconds = refreshToken === 'unlimited' ? Number.POSITIVE_INFINITY : refreshToken;
  return {
    accessToken: () => ACCESS_TOKEN_LIFETIME,
    refreshToken: () => refreshSeconds,
    code: () => code,
  };
}
