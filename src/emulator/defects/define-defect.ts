import type { RequirementId } from '../../../generated/ids.ts';
import type { Defect } from '../defect.ts';
import type { Policy } from '../policy.ts';

export type PolicyChanges = { readonly [Group in keyof Policy]?: Partial<Policy[Group]> };

/** Called once per emulator and reset, with the original policy. A defect keeps its state in the closure. */
export type Changes = (base: Policy) => PolicyChanges;

export interface StatedDefect {
  readonly summary: string;
  /** `blunt`: any check of the service detects it. Absent for `subtle`: only a thorough check does. */
  readonly severity?: 'blunt';
  /** Public report of the fault, such as `kanidm/kanidm#2775`. */
  readonly reference?: string;
  /** The requirements whose own check fails with this defect; no others do. */
  readonly breaks: readonly RequirementId[];
  readonly changes: Changes;
}

export type Defects = Readonly<Record<string, StatedDefect>>;

export type PolicyFunction = {
  [Group in keyof Policy]: `${Group}.${keyof Policy[Group] & string}`;
}[keyof Policy];

export type FunctionAt<At> = At extends `${infer Group extends keyof Policy}.${infer Name}`
  ? Policy[Group][Name & keyof Policy[Group]]
  : never;

/** Changes one function of the policy. `make` gets the original; its state is in the closure. */
export function changing<const At extends PolicyFunction>(
  at: At,
  make: (base: FunctionAt<At>) => FunctionAt<At>,
): Changes {
  const [group, name] = at.split('.') as [keyof Policy, never];
  return (policy) => ({ [group]: { [name]: make(policy[group][name]) } });
}

export function defect(id: string, changes: Changes): Defect {
  return { id, create: () => (policy) => changed(policy, changes(policy)) };
}

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
