import type { Changes } from '../../../../src/emulator/defects/define-defect.ts';
import type { AssignmentsPolicy } from '../../../../src/emulator/policy.ts';
import type { IssuedPair, Project } from '../../../../src/emulator/records.ts';
import type { Assignments } from '../../../../src/emulator/store.ts';
import { noted } from './noted.ts';

/** Ids of the users assigned to a project, in the order of assignment. */
export function usersOf(all: Assignments, { id }: Pick<Project, 'id'>): readonly string[] {
  return [...all.of(id)];
}

/** The sum of an id's character codes: which shard it is on. */
export function sumOf(id: string): number {
  return [...id].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0);
}

/** A defect of the operations that depends on who calls. */
export function byCaller(
  make: (assignments: AssignmentsPolicy, caller: () => IssuedPair) => Partial<AssignmentsPolicy>,
): Changes {
  return noted((policy, request) => ({ assignments: make(policy.assignments, () => request.caller) }));
}
