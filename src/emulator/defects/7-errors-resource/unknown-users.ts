import type { Policy, ResourceOperation } from '../../policy.ts';
import type { User } from '../../records.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import type { Store } from '../../store.ts';
import type { Defects, PolicyChanges } from '../define-defect.ts';
import { currentOperation, isOrdinary } from './current-route.ts';

const UNKNOWN = refuse('user-unknown', 'no such user');

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

export const unknownUsers: Defects = {
  'assign-creates-user': {
    summary: 'Assigning a user who does not exist creates them.',
    severity: 'blunt',
    breaks: ['assign.unknown-user-refused'],
    changes: (policy) => ({
      assignments: takingFor(policy, 'assign', created).assignments,
    }),
  },

  'assign-unknown-user-refused-and-done': {
    summary:
      'Assigning a user who does not exist is answered with 404, after they were created and assigned.',
    breaks: ['assign.unknown-user-refused'],
    changes: (policy) => {
      const { assignments, taken } = takingFor(policy, 'assign', created);
      const { answer } = policy;
      return {
        assignments,
        answer: {
          assigned: (outcome, project, user) =>
            taken() ? answer.resourceFailure(UNKNOWN) : answer.assigned(outcome, project, user),
        },
      };
    },
  },

  'assign-unknown-user-is-the-last': {
    summary: 'Where the user does not exist, the one who was created last is assigned.',
    breaks: ['assign.unknown-user-refused'],
    changes: (policy) => ({
      assignments: takingFor(policy, 'assign', lastUser).assignments,
    }),
  },

  'unassign-unknown-user-clears-project': {
    summary: 'Unassigning a user who does not exist unassigns all users.',
    severity: 'blunt',
    breaks: ['unassign.unknown-user-refused'],
    changes: (policy) => {
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
    },
  },

  'unassign-unknown-user-refused-and-last-removed': {
    summary:
      'Unassigning a user who does not exist is answered with 404, after the last one assigned was removed.',
    breaks: ['unassign.unknown-user-refused'],
    changes: (policy) => {
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
    },
  },
};
