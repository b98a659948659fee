import type { Policy } from './policy.ts';

/** A switchable fault of the emulator that breaks named requirements: proof that their checks can fail. */
export interface Defect {
  readonly id: string;
  /** A fresh wrapper of the policy. What it remembers lives in its closure; a reset makes another. */
  create(): (policy: Policy) => Policy;
}

export function applyDefects(policy: Policy, defects: readonly Defect[]): Policy {
  return defects.reduce((current, defect) => defect.create()(current), policy);
}
