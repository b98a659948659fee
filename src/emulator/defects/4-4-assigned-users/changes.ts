import { placeOf } from '../at-resource-api.ts';
import { changing, type Defects } from '../define-defect.ts';

const SEATS = 4;

export const changes: Defects = {
  'assign-not-stored': {
    summary: 'Assign is acknowledged and not stored.',
    severity: 'blunt',
    breaks: ['assign.adds-user'],
    changes: changing('assignments.assign', () => () => 'assigned'),
  },

  'assign-not-stored-after-unassign': {
    summary: 'Who was unassigned once is kept as deleted, and assigning them again does nothing.',
    breaks: ['assign.adds-user'],
    changes: ({ assignments }) => {
      const removed = new Set<string>();
      return {
        assignments: {
          assign: (all, project, user, now) =>
            removed.has(placeOf(project, user)) ? 'assigned' : assignments.assign(all, project, user, now),
          unassign(all, project, user, now) {
            removed.add(placeOf(project, user));
            return assignments.unassign(all, project, user, now);
          },
        },
      };
    },
  },

  'assign-replaces': {
    summary: 'Assign puts the user in the place of all who were assigned.',
    severity: 'blunt',
    breaks: ['assign.leaves-others'],
    changes: changing('assignments.assign', (base) => (all, project, user, now) => {
      for (const other of [...all.of(project.id)]) if (other !== user.id) all.remove(project.id, other);
      return base(all, project, user, now);
    }),
  },

  'assign-puts-out-the-oldest': {
    summary: 'A project holds four users; a fifth puts out who was assigned first.',
    breaks: ['assign.leaves-others'],
    changes: changing('assignments.assign', (base) => async (all, project, user, now) => {
      const outcome = await base(all, project, user, now);
      const [oldest, ...others] = all.of(project.id);
      if (oldest !== undefined && others.length >= SEATS) all.remove(project.id, oldest);
      return outcome;
    }),
  },

  'assign-to-every-project': {
    summary: 'Assign adds the user to every project.',
    severity: 'blunt',
    breaks: ['assign.project-scoped', 'list.project-scoped'],
    changes: changing('assignments.assign', (base) => async (all, project, user, now) => {
      const outcome = await base(all, project, user, now);
      for (const other of [...all.projects()]) all.add(other, user.id);
      return outcome;
    }),
  },

  'assign-takes-from-other-projects': {
    summary: 'Assign takes the user out of all other projects.',
    breaks: ['assign.project-scoped'],
    changes: changing('assignments.assign', (base) => (all, project, user, now) => {
      for (const other of [...all.projects()]) if (other !== project.id) all.remove(other, user.id);
      return base(all, project, user, now);
    }),
  },

  'assign-duplicates': {
    summary: 'Who is assigned twice is listed twice.',
    severity: 'blunt',
    breaks: ['assign.idempotent'],
    changes: ({ assignments }) => {
      const repeated = new Set<string>();
      return {
        assignments: {
          async assign(all, project, user, now) {
            const outcome = await assignments.assign(all, project, user, now);
            if (outcome === 'assigned') repeated.delete(placeOf(project, user));
            else repeated.add(placeOf(project, user));
            return outcome;
          },
          async list(all, project, now) {
            const ids = await assignments.list(all, project, now);
            return ids.flatMap((id) => (repeated.has(placeOf(project, { id })) ? [id, id] : [id]));
          },
        },
      };
    },
  },

  'assign-again-unassigns': {
    summary: 'Assign is a toggle: the second one unassigns.',
    breaks: ['assign.adds-user', 'assign.idempotent'],
    changes: changing('assignments.assign', (base) => async (all, project, user, now) => {
      const outcome = await base(all, project, user, now);
      if (outcome === 'already-assigned') all.remove(project.id, user.id);
      return outcome;
    }),
  },

  'unassign-not-stored': {
    summary: 'Unassign is acknowledged and not stored.',
    severity: 'blunt',
    breaks: ['unassign.removes-user'],
    changes: changing('assignments.unassign', () => () => 'unassigned'),
  },

  'unassign-takes-two-requests': {
    summary: 'The first unassign marks the user, and only the second removes them.',
    breaks: ['unassign.removes-user'],
    changes: ({ assignments }) => {
      const asked = new Set<string>();
      return {
        assignments: {
          assign(all, project, user, now) {
            asked.delete(placeOf(project, user));
            return assignments.assign(all, project, user, now);
          },
          unassign(all, project, user, now) {
            const place = placeOf(project, user);
            if (asked.has(place)) return assignments.unassign(all, project, user, now);
            asked.add(place);
            return 'unassigned';
          },
        },
      };
    },
  },

  'unassign-removes-last-assigned': {
    summary: 'Unassign removes who was assigned last, whichever user is named.',
    breaks: ['unassign.removes-user', 'unassign.leaves-others'],
    changes: changing('assignments.unassign', () => (all, project) => {
      const last = [...all.of(project.id)].at(-1);
      return last !== undefined && all.remove(project.id, last) ? 'unassigned' : 'not-assigned';
    }),
  },

  'unassign-clears-project': {
    summary: 'Unassign removes every user of the project.',
    severity: 'blunt',
    breaks: ['unassign.leaves-others'],
    changes: changing('assignments.unassign', (base) => (all, project, user, now) => {
      const outcome = base(all, project, user, now);
      for (const other of [...all.of(project.id)]) all.remove(project.id, other);
      return outcome;
    }),
  },

  'unassign-takes-the-next-along': {
    summary: 'Unassign removes who was assigned next as well.',
    breaks: ['unassign.leaves-others'],
    changes: changing('assignments.unassign', (base) => (all, project, user, now) => {
      const users = [...all.of(project.id)];
      const at = users.indexOf(user.id);
      const next = at < 0 ? undefined : users[at + 1];
      if (next !== undefined) all.remove(project.id, next);
      return base(all, project, user, now);
    }),
  },

  'unassign-from-every-project': {
    summary: 'Unassign removes the user from every project.',
    severity: 'blunt',
    breaks: ['unassign.project-scoped'],
    changes: changing('assignments.unassign', (base) => (all, project, user, now) => {
      for (const other of [...all.projects()]) if (other !== project.id) all.remove(other, user.id);
      return base(all, project, user, now);
    }),
  },

  'unassign-from-the-latest-project': {
    summary:
      'Unassign removes the user from the project to which they were assigned last, whichever is named.',
    breaks: ['unassign.project-scoped'],
    changes: ({ assignments }) => {
      const latest = new Map<string, string>();
      return {
        assignments: {
          assign(all, project, user, now) {
            latest.set(user.id, project.id);
            return assignments.assign(all, project, user, now);
          },
          unassign(all, project, user, now) {
            const id = latest.get(user.id);
            const from = id !== undefined && all.has(id, user.id) ? { ...project, id } : project;
            return assignments.unassign(all, from, user, now);
          },
        },
      };
    },
  },

  'unassign-of-nobody-removes-the-last': {
    summary:
      'Unassigning who is not assigned removes the last of the list, because the place not found is counted from the end.',
    breaks: ['unassign.idempotent', 'unassign.leaves-others'],
    changes: changing('assignments.unassign', (base) => (all, project, user, now) => {
      const last = [...all.of(project.id)].at(-1);
      if (!all.has(project.id, user.id) && last !== undefined) all.remove(project.id, last);
      return base(all, project, user, now);
    }),
  },
};
