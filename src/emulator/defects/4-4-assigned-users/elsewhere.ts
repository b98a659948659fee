import type { Project } from '../../records.ts';
import { changing, type Defects } from '../define-defect.ts';

function others(): (project: Project) => boolean {
  let first: string | undefined;
  return ({ id }) => {
    first ??= id;
    return id !== first;
  };
}

const CACHED = 60;

export const elsewhere: Defects = {
  'assign-stored-in-the-first-project-alone': {
    summary: 'Assign is stored in the project that was asked for first, and nowhere else.',
    breaks: ['assign.adds-user'],
    changes: ({ assignments }) => {
      const isOther = others();
      return {
        assignments: {
          list(all, project, now) {
            isOther(project);
            return assignments.list(all, project, now);
          },
          assign: (all, project, user, now) =>
            isOther(project) ? 'assigned' : assignments.assign(all, project, user, now),
        },
      };
    },
  },

  'unassign-stored-in-the-first-project-alone': {
    summary: 'Unassign is stored in the project that was asked for first, and nowhere else.',
    breaks: ['unassign.removes-user'],
    changes: ({ assignments }) => {
      const isOther = others();
      return {
        assignments: {
          list(all, project, now) {
            isOther(project);
            return assignments.list(all, project, now);
          },
          unassign: (all, project, user, now) =>
            isOther(project) ? 'unassigned' : assignments.unassign(all, project, user, now),
        },
      };
    },
  },

  'unassign-takes-from-the-first-project-too': {
    summary: 'Unassign from another project takes the user from the first one too.',
    breaks: ['unassign.project-scoped'],
    changes: ({ assignments }) => {
      let first: Project | undefined;
      return {
        assignments: {
          list(all, project, now) {
            first ??= project;
            return assignments.list(all, project, now);
          },
          unassign(all, project, user, now) {
            first ??= project;
            if (project.id !== first.id) all.remove(first.id, user.id);
            return assignments.unassign(all, project, user, now);
          },
        },
      };
    },
  },

  'assign-to-the-first-project-too': {
    summary: 'Assign to another project assigns to the first one too.',
    breaks: ['assign.project-scoped', 'list.project-scoped'],
    changes: ({ assignments }) => {
      let first: Project | undefined;
      return {
        assignments: {
          list(all, project, now) {
            first ??= project;
            return assignments.list(all, project, now);
          },
          async assign(all, project, user, now) {
            first ??= project;
            if (project.id !== first.id) await assignments.assign(all, first, user, now);
            return assignments.assign(all, project, user, now);
          },
        },
      };
    },
  },

  'list-of-another-project-cached': {
    summary: 'The list of every project but the first is served from a cache for a minute.',
    breaks: ['list.fresh'],
    changes: changing('assignments.list', (base) => {
      const isOther = others();
      const cached = new Map<string, { readonly users: readonly string[]; readonly at: number }>();
      return async (all, project, now) => {
        if (!isOther(project)) return base(all, project, now);
        const known = cached.get(project.id);
        if (known !== undefined && now - known.at < CACHED) return known.users;
        const users = [...(await base(all, project, now))];
        cached.set(project.id, { users, at: now });
        return users;
      };
    }),
  },
};
