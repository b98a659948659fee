import type { Target } from '../../targets/target.ts';
import type { RunPlan } from './plan.ts';

/**
 * Returns the target with the permissions from the command line: if waiting for expiry is allowed, the checks that need
 * time apply without a movable clock.
 */
export function asAllowed(target: Target, { waitExpiry }: RunPlan): Target {
  if (target.kind !== 'live' || waitExpiry !== true || target.clock !== undefined) return target;
  return {
    ...target,
    abilities: new Set([...target.abilities, 'clock']),
    missing: new Map([...target.missing].filter(([ability]) => ability !== 'clock')),
  };
}
