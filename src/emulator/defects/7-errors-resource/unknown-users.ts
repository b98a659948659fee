import type { Defect } from '../../defect.ts';
import type { Policy, ResourceOperation } from '../../policy.ts';
import type { User } from '../../records.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import type { Store } from '../../store.ts';
import { defect, type PolicyChanges } from '../define-defect.ts';
import { currentOperation, isOrdinary } from './current-route.ts';

const UNKNOWN = refuse('user-unknown', 'no such user');

/** One operation takes an unknown user for another; `taken` tells whether it just did. */
function takingFor(
  { assignments }: Policy,
  operation: ResourceOperation,
  stand: (id: string, store: Store) => User | undefined,
): { readonly assignments: NonNullable<PolicyChanges['assignments']>; readonly taken: () => boolean } {
  const { route, is } = currentOperation(assignments);
  const made = new Set<string>();
  let taken = false;
  return {
    taken: () => taken,
    assignments: {
      route,
      user(id, store) {
        const found = made.has(id) ? UNKNOWN : assignments.user(id, store);
        const other = isRefusal(found) && is(operation) && isOrdinary(id) ? stand(id, store) : undefined;
        taken = other !== undefined;
        if (other?.id === id) made.add(id);
        return other ?? found;
      },
    },
  };
}

function created(id: string, store: Store): User {
  const user = { id, name: 'New user', email: '' };
  store.users.set(id, user);
  return user;
}

function lastUser(_id: string, store: Store): User | undefined {
  return [...store.users.values()].at(-1);
}

/** Faults by which an unknown user is not refused. */
export const unknownUsers: readonly Defect[] = [
  defect('assign-creates-user', (policy) => ({
    assignments: takingFor(policy, 'assign', created).assignments,
  })),

  defect('assign-unknown-user-refused-and-done', (policy) => {
    const { assignments, taken } = takingFor(policy, 'assign', created);
    const { answer } = policy;
    return {
      assignments,
      answer: {
        assigned: (outcome, project, user) =>
          taken() ? answer.resourceFailure(UNKNOWN) : answer.assigned(outcome, project, user),
      },
    };
  }),

  defect('assign-unknown-user-is-the-last', (policy) => ({
    assignments: takingFor(policy, 'assign', lastUser).assignments,
  })),

  defect('unassign-unknown-user-clears-project', (policy) => {
    const { assignments, taken } = takingFor(policy, 'unassign', lastUser);
    return {
      assignments: {
        ...assignments,
        unassign(all, project, user, now) {
          if (taken()) for (const id of [...all.of(project.id)]) all.remove(project.id, id);
          return policy.assignments.unassign(all, project, user, now);
        },
      },
    };
  }),

  defect('unassign-unknown-user-refused-and-last-removed', (policy) => {
    const { assignments, taken } = takingFor(policy, 'unassign', lastUser);
    const { answer } = policy;
    return {
      assignments: {
        ...assignments,
        unassign(all, project, user, now) {
          const last = [...all.of(project.id)].at(-1);
          if (!taken() || last === undefined) return policy.assignments.unassign(all, project, user, now);
          all.remove(project.id, last);
          return 'not-assigned';
        },
      },
      answer: {
        unassigned: (outcome, project, user) =>
          taken() ? answer.resourceFailure(UNKNOWN) : answer.unassigned(outcome, project, user),
      },
    };
  }),
];
