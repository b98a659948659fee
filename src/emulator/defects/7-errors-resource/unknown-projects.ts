import type { Defect } from '../../defect.ts';
import type { Policy, ResourceOperation } from '../../policy.ts';
import type { Project } from '../../records.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import type { Store } from '../../store.ts';
import { defect, type PolicyChanges } from '../define-defect.ts';
import { currentOperation, isOrdinary } from './current-route.ts';

const UNKNOWN = refuse('project-unknown', 'no such project');

/** One operation takes an unknown project for another; `taken` tells whether it just did. */
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

/** Faults by which an unknown project is not refused. */
export const unknownProjects: readonly Defect[] = [
  defect('assign-creates-project', ({ assignments }) => {
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
  }),

  defect('assign-unknown-project-is-the-first', (policy) => ({
    assignments: takingFor(policy, 'assign', firstProject).assignments,
  })),

  defect('assign-unknown-project-refused-and-done', (policy) => {
    const { assignments, taken } = takingFor(policy, 'assign', firstProject);
    const { answer } = policy;
    return {
      assignments,
      answer: {
        assigned: (outcome, project, user) =>
          taken() ? answer.resourceFailure(UNKNOWN) : answer.assigned(outcome, project, user),
      },
    };
  }),

  defect('unassign-unknown-project-is-every-project', (policy) => {
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
  }),

  defect('unassign-unknown-project-refused-and-done', (policy) => {
    const { assignments, taken } = takingFor(policy, 'unassign', firstProject);
    const { answer } = policy;
    return {
      assignments,
      answer: {
        unassigned: (outcome, project, user) =>
          taken() ? answer.resourceFailure(UNKNOWN) : answer.unassigned(outcome, project, user),
      },
    };
  }),

  defect('list-unknown-project-lists-everybody', (policy) => {
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
  }),

  defect('list-unknown-project-refused-with-list', (policy) => {
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
  }),

  defect('resource-unknown-project-empty-list', (policy) => ({
    assignments: takingFor(policy, 'list', itself).assignments,
  })),
];
