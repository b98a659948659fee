import type { AssignmentsPolicy } from '../../policy.ts';
import type { Project } from '../../records.ts';
import { isRefusal } from '../../refusal.ts';
import { cachedList } from '../assigned.ts';
import type { Changes, Defects } from '../define-defect.ts';

const CACHED = 60;

/** Distinguishes the first requested project from the others; undefined for the first. */
function byFirstProject(
  changes: (
    assignments: AssignmentsPolicy,
    firstBefore: (project: Project) => string | undefined,
  ) => Partial<AssignmentsPolicy>,
): Changes {
  return ({ assignments }) => {
    let first: string | undefined;
    return {
      assignments: {
        project(id, store) {
          const found = assignments.project(id, store);
          if (!isRefusal(found)) first ??= found.id;
          return found;
        },
        ...changes(assignments, ({ id }) => (id === first ? undefined : first)),
      },
    };
  };
}

export const elsewhere: Defects = {
  'assign-stored-in-the-first-project-alone': {
    summary: 'Assign is stored in the project that was asked for first, and nowhere else.',
    breaks: ['assign.adds-user'],
    changes: byFirstProject(({ assign }, firstBefore) => ({
      assign: (all, project, user, now) =>
        firstBefore(project) === undefined ? assign(all, project, user, now) : 'assigned',
    })),
  },

  'unassign-stored-in-the-first-project-alone': {
    summary: 'Unassign is stored in the project that was asked for first, and nowhere else.',
    breaks: ['unassign.removes-user'],
    changes: byFirstProject(({ unassign }, firstBefore) => ({
      unassign: (all, project, user, now) =>
        firstBefore(project) === undefined ? unassign(all, project, user, now) : 'unassigned',
    })),
  },

  'unassign-takes-from-the-first-project-too': {
    summary: 'Unassign from another project takes the user from the first one too.',
    breaks: ['unassign.project-scoped'],
    changes: byFirstProject(({ unassign }, firstBefore) => ({
      unassign(all, project, user, now) {
        const first = firstBefore(project);
        if (first !== undefined) all.remove(first, user.id);
        return unassign(all, project, user, now);
      },
    })),
  },

  'assign-to-the-first-project-too': {
    summary: 'Assign to another project assigns to the first one too.',
    breaks: ['assign.project-scoped', 'list.project-scoped'],
    changes: byFirstProject(({ assign }, firstBefore) => ({
      assign(all, project, user, now) {
        const first = firstBefore(project);
        if (first !== undefined) all.add(first, user.id);
        return assign(all, project, user, now);
      },
    })),
  },

  'list-of-another-project-cached': {
    summary: 'The list of every project but the first is served from a cache for a minute.',
    breaks: ['list.fresh'],
    changes: byFirstProject(({ list }, firstBefore) => {
      const cached = cachedList(list, CACHED);
      return {
        list: (all, project, now) =>
          firstBefore(project) === undefined ? list(all, project, now) : cached(all, project, now),
      };
    }),
  },
};
