import type { RequirementId } from '../../../generated/ids.ts';
import type { Defect } from '../defect.ts';
import type { Policy } from '../policy.ts';

/** Functions that a defect puts in place of the policy's own, by group. */
export type PolicyChanges = { readonly [Group in keyof Policy]?: Partial<Policy[Group]> };

/** Called once for each emulator and reset, with the policy as it was: what the defect remembers lives in the closure. */
export type Changes = (base: Policy) => PolicyChanges;

/** One defect: its facts, and its behaviour. */
export interface StatedDefect {
  /** The fault of real providers, in one sentence. */
  readonly summary: string;
  /** `blunt`: any look at the service shows it. `subtle`: only a thorough check does. */
  readonly severity: 'blunt' | 'subtle';
  /** Where it was seen in public: `kanidm/kanidm#2775`. */
  readonly reference?: string;
  /** The requirements whose own check it makes fail, and no others. */
  readonly breaks: readonly RequirementId[];
  readonly changes: Changes;
}

/** Defects by their ids. */
export type Defects = Readonly<Record<string, StatedDefect>>;

export function defect(id: string, changes: Changes): Defect {
  return { id, create: () => (policy) => changed(policy, changes(policy)) };
}

/** The policy with some of its functions replaced. */
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
