import type { RequirementId } from '../../../generated/ids.ts';
import type { Policy } from '../policy/policy.ts';

/** A switchable fault of the emulator that breaks named requirements: it proves that their checks can fail. */
export interface Defect {
  readonly id: string;
  /** Returns a new wrapper of the policy. Its state is in the closure; a reset creates another. */
  create(): (policy: Policy) => Policy;
}

export function applyDefects(policy: Policy, defects: readonly Defect[]): Policy {
  return defects.reduce((current, defect) => defect.create()(current), policy);
}

export type PolicyChanges = { readonly [Group in keyof Policy]?: Partial<Policy[Group]> };

/** Called once per emulator and reset, with the original policy. A defect keeps its state in the closure. */
export type Changes = (base: Policy) => PolicyChanges;

export interface StatedDefect {
  readonly summary: string;
  /** `blunt`: any check of the service detects it; `subtle`: only a thorough check does. The emulator's own are blunt by default, the others subtle. */
  readonly severity?: 'blunt' | 'subtle';
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

/** Makes several changes, each over the ones before. */
export function together(...all: readonly Changes[]): Changes {
  return (base) => all.reduce((policy, changes) => changed(policy, changes(policy)), base);
}

/** Makes changes for some requests: those for which the latest call of one function `applies`. */
export function whenever<const At extends PolicyFunction>(
  at: At,
  applies: (...call: Parameters<FunctionAt<At>>) => boolean,
  changes: Changes,
): Changes {
  return (base) => {
    const [usual, other] = [base, changed(base, changes(base))] as unknown as readonly AnyPolicy[];
    let current = usual;
    const choosing = (group: string, name: string) => [
      name,
      (...call: Parameters<FunctionAt<At>>) => {
        if (`${group}.${name}` === at) current = applies(...call) ? other : usual;
        return current?.[group]?.[name]?.(...call);
      },
    ];
    const groups = Object.entries(base).map(([group, functions]) => [
      group,
      Object.fromEntries(Object.keys(functions).map((name) => choosing(group, name))),
    ]);
    return Object.fromEntries(groups) as PolicyChanges;
  };
}

type AnyPolicy = Readonly<Record<string, Readonly<Record<string, (...call: readonly unknown[]) => unknown>>>>;
