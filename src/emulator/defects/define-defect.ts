import type { Defect } from '../defect.ts';
import type { Policy } from '../policy.ts';

/** Functions that a defect puts in place of the policy's own, by group. */
export type PolicyChanges = { readonly [Group in keyof Policy]?: Partial<Policy[Group]> };

/**
 * A defect that puts functions of its own in place of some of the policy's.
 *
 * @param changes called once for each emulator and reset, with the policy as it was: what the defect remembers lives in
 *   the closure
 */
export function defect(id: string, changes: (base: Policy) => PolicyChanges): Defect {
  return { id, create: () => (policy) => changed(policy, changes(policy)) };
}

/** The policy with some of its functions put in their place. */
export function changed(policy: Policy, changes: PolicyChanges): Policy {
  return {
    authorize: { ...policy.authorize, ...changes.authorize },
    code: { ...policy.code, ...changes.code },
    client: { ...policy.client, ...changes.client },
    token: { ...policy.token, ...changes.token },
    refresh: { ...policy.refresh, ...changes.refresh },
    lifetime: { ...policy.lifetime, ...changes.lifetime },
    assignments: { ...policy.assignments, ...changes.assignments },
    answer: { ...policy.answer, ...changes.answer },
  };
}
