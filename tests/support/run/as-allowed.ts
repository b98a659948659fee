import type { Target } from '../../../src/target/target.ts';
import type { RunPlan } from './plan.ts';

/** Why nobody uses an old refresh token again on a live target, and what to do. */
export const REUSE_NOT_ASKED =
  'an old refresh token is used again only on request, because the service may revoke everything: --probe-reuse';

/**
 * The target with what its run was allowed on the command line: to wait until tokens expire, where no clock can be moved,
 * and to use old refresh tokens again.
 */
export function asAllowed(target: Target, { waitExpiry, probeReuse }: RunPlan): Target {
  if (target.kind !== 'live') return target;
  const mayReuse = probeReuse === true;
  if (waitExpiry !== true || target.clock !== undefined) return { ...target, mayReuse };
  return {
    ...target,
    mayReuse,
    abilities: new Set([...target.abilities, 'clock']),
    missing: new Map([...target.missing].filter(([ability]) => ability !== 'clock')),
  };
}
