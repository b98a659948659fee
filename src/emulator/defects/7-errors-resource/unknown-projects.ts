import type { Policy, ResourceOperation } from '../../policy.ts';
import type { Project } from '../../records.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import type { Store } from '../../store.ts';
import type { Defects, PolicyChanges } from '../define-defect.ts';
import { currentOperation, isOrdinary } from './current-route.ts';

const UNKNOWN = refuse('project-unknown', 'no such project');

function takingFor(
  { assignments }: Policy,
  operation: ResourceOperation,
  stand: (id: string, store: Store) => Project | undefined,
): { readonly assignments: NonNullable<PolicyChanges['assignments']>; readonly taken: () => boolean } {
  const { route, is } = currentOperation(assignments);
  let taken = false;
  return {
    taken: () => taken,
    assignments: {
      route,
      project(id, store) {
        const found = assignments.project(id, store);
        const other = isRefusal(found) && is(operation) && isOrdinary(id) ? stand(id, store) : undefined;
        taken = other !== undefined;
        return other ?? found;
      },
    },
  };
}

function firstProject(_id: string, store: Store): Project | undefined {
  const [first] = store.projects.values();
  return first;
}

const itself = (id: string): Project => ({ id, name: '' });

export const unknownProjects: Defects = {
  'assign-creates-project': {
    summary: 'Assigning to a project that does not exist creates it.',
    severity: 'blunt',
    breaks: ['assign.unknown-project-refused'],
    changes: ({ assignments }) => {
      const { route, is } = currentOperation(assignments);
      return {
        assignments: {
          route,
          project(id, store) {
            const found = assignments.project(id, store);
            if (!isRefusal(found) || !isOrdinary(id)) return found;
            const [somebody] = store.assignments.of(id);
            return is('assign') || (is('list') && somebody !== undefined) ? itself(id) : found;
          },
        },
      };
    },
  },

  'assign-unknown-project-is-the-first': {
    summary: 'Where the project does not exist, the user is assigned to the first one.',
    severity: 'blunt',
    breaks: ['assign.unknown-project-refused'],
    changes: (policy) => ({
      assignments: takingFor(policy, 'assign', firstProject).assignments,
    }),
  },

  'assign-unknown-project-refused-and-done': {
    summary:
      'Assigning to a project that does not exist is answered with 404, after the user was assigned to the first one.',
    breaks: ['assign.unknown-project-refused'],
    changes: (policy) => {
      const { assignments, taken } = takingFor(policy, 'assign', firstProject);
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

  'unassign-unknown-project-is-every-project': {
    summary: 'Where the project does not exist, the user is unassigned from all.',
    severity: 'blunt',
    breaks: ['unassign.unknown-project-refused'],
    changes: (policy) => {
      const { assignments, taken } = takingFor(policy, 'unassign', itself);
      return {
        assignments: {
          ...assignments,
          unassign(all, project, user, now) {
            if (taken()) for (const id of [...all.projects()]) all.remove(id, user.id);
            return policy.assignments.unassign(all, project, user, now);
          },
        },
      };
    },
  },

  'unassign-unknown-project-refused-and-done': {
    summary:
      'Unassigning from a project that does not exist is answered with 404, after the user was unassigned from the first one.',
    breaks: ['unassign.unknown-project-refused'],
    changes: (policy) => {
      const { assignments, taken } = takingFor(policy, 'unassign', firstProject);
      const { answer } = policy;
      return {
        assignments,
        answer: {
          unassigned: (outcome, project, user) =>
            taken() ? answer.resourceFailure(UNKNOWN) : answer.unassigned(outcome, project, user),
        },
      };
    },
  },

  'list-unknown-project-lists-everybody': {
    summary: 'Where the project does not exist, the users of all projects are listed.',
    severity: 'blunt',
    breaks: ['list.unknown-project-refused'],
    changes: (policy) => {
      const { assignments, taken } = takingFor(policy, 'list', itself);
      return {
        assignments: {
          ...assignments,
          list: (all, project, now) =>
            taken()
              ? [...new Set([...all.projects()].flatMap((id) => [...all.of(id)]))]
              : policy.assignments.list(all, project, now),
        },
      };
    },
  },

  'list-unknown-project-refused-with-list': {
    summary:
      'The list of a project that does not exist is a 404 with the users of the first one in its body.',
    breaks: ['list.unknown-project-refused'],
    changes: (policy) => {
      const { assignments, taken } = takingFor(policy, 'list', firstProject);
      const { answer } = policy;
      return {
        assignments,
        answer: {
          list(project, users, query) {
            const list = answer.list(project, users, query);
            return taken() ? { ...answer.resourceFailure(UNKNOWN), body: list.body } : list;
          },
        },
      };
    },
  },

  'resource-unknown-project-empty-list': {
    summary: 'A project that does not exist has an empty list.',
    breaks: ['resource.failure-status'],
    changes: (policy) => ({
      assignments: takingFor(policy, 'list', itself).assignments,
    }),
  },
};
