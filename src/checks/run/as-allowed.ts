import type { Target } from '../../targets/target.ts';
import type { RunPlan } from './plan.ts';

/**
 * The target with what its run was allowed on the command line: to wait until tokens expire, where no clock can be moved.
 * The checks that need time then apply; who waits is the run's matter.
 */
export function asAllowed(target: Target, { waitExpiry }: RunPlan): Target {
  if (target.kind !== 'live' || waitExpiry !== true || target.clock !== undefined) return target;
  return {
    ...target,
    abilities: new Set([...target.abilities, 'clock']),
    missing: new Map([...target.missing].filter(([ability]) => ability !== 'clock')),
  };
}
