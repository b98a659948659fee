import type { Policy } from './policy.ts';

/** A switchable fault of the emulator that breaks named requirements: it proves that their checks can fail. */
export interface Defect {
  readonly id: string;
  /** Returns a new wrapper of the policy. Its state is in the closure; a reset creates another. */
  create(): (policy: Policy) => Policy;
}

export function applyDefects(policy: Policy, defects: readonly Defect[]): Policy {
  return defects.reduce((current, defect) => defect.create()(current), policy);
}
