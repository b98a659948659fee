import type { Policy } from '../policy.ts';
import type { Randomness } from '../randomness.ts';
import type { Service } from '../service.ts';

/**
 * Adds the control's settings for lifetimes and tokens. Reads them for each token, so that a change needs no new policy
 * and defects keep their state.
 */
export function asConfigured(policy: Policy, service: Pick<Service, 'expiresIn' | 'tokenForm'>): Policy {
  return {
    ...policy,
    lifetime: {
      ...policy.lifetime,
      accessToken: (previous, now) => service.expiresIn ?? policy.lifetime.accessToken(previous, now),
    },
    code: {
      ...policy.code,
      value: (randomness) =>
        service.tokenForm === 'profile' ? policy.code.value(randomness) : oddText(randomness),
    },
    token: {
      ...policy.token,
      value: (kind, randomness, previous) => {
        if (service.tokenForm === 'profile') return policy.token.value(kind, randomness, previous);
        return kind === 'access' ? oddToken(randomness) : oddText(randomness);
      },
    },
  };
}

/** Returns characters that break when decoded twice or not encoded; form values permit them (RFC 6749 appendix A). */
function oddText(randomness: Randomness): string {
  return `${randomness.token(18)}-._~+/%2B&=`;
}

/** Returns letters, digits and every other character that RFC 6750 section 2.1 permits. */
function oddToken(randomness: Randomness): string {
  return `${randomness.token(18)}-._~+/=`;
}
