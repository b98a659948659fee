import type { Lifetime } from '../control-types.ts';
import type { Service } from '../service.ts';

/** What the document says (clause 8), in seconds. */
const DOCUMENTED = 7_200;

/** The longest that can be told: a year. */
const LONGEST = 31_536_000;

/**
 * A lifetime that can be told, in seconds.
 *
 * @throws RangeError when it cannot
 */
export function expiresInOption(seconds: number): number {
  if (Number.isSafeInteger(seconds) && seconds >= 1 && seconds <= LONGEST) return seconds;
  throw new RangeError(`expiresIn: expected whole seconds from 1 to ${LONGEST}, got ${seconds}.`);
}

/** The lifetime of access tokens that are issued now. */
export function lifetimeOf({ policy, clock, expiresIn }: Service): Lifetime {
  return {
    expiresIn: policy.lifetime.accessToken(undefined, clock.now()),
    documented: expiresIn === undefined || expiresIn === DOCUMENTED,
  };
}
