import type { AbilityId } from '../../../../generated/ids.ts';
import type { Target } from '../../target.ts';

/** A setting that does not fit the service: the observation, the key, and the fix. */
export interface ConfigurationFinding {
  readonly observed: string;
  readonly remedy: string;
}

export function findingText({ observed, remedy }: ConfigurationFinding): string {
  return `configuration: ${observed}; ${remedy}`;
}

export interface ReliableTarget {
  readonly target: Target;
  readonly wrongSettings: readonly ConfigurationFinding[];
}

export function withoutAbility(target: Target, ability: AbilityId, why: string): Target {
  return {
    ...target,
    abilities: new Set([...target.abilities].filter((one) => one !== ability)),
    missing: new Map([...target.missing, [ability, why]]),
  };
}

export function withAbility(target: Target, ability: AbilityId): Target {
  return {
    ...target,
    abilities: new Set([...target.abilities, ability]),
    missing: new Map([...target.missing].filter(([one]) => one !== ability)),
  };
}
