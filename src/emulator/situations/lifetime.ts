import type { Lifetime } from '../control-types.ts';
import { ACCESS_TOKEN_LIFETIME } from '../policy/lifetime.ts';
import type { Service } from '../service.ts';

/** One year, in seconds. */
const LONGEST = 31_536_000;

export function expiresInOption(seconds: number): number {
  if (Number.isSafeInteger(seconds) && seconds >= 1 && seconds <= LONGEST) return seconds;
  throw new RangeError(`expiresIn: expected whole seconds from 1 to ${LONGEST}, got ${seconds}.`);
}

export function lifetimeOf({ policy, clock, expiresIn }: Service): Lifetime {
  return {
    expiresIn: policy.lifetime.accessToken(undefined, clock.now()),
    documented: expiresIn === undefined || expiresIn === ACCESS_TOKEN_LIFETIME,
  };
}
