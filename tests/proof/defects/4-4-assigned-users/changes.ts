import { setTimeout as pause } from 'node:timers/promises';
import { assignmentKey } from '../../../../src/emulator/defects/at-resource-api.ts';
import { changing, type Defects } from '../../../../src/emulator/defects/define-defect.ts';
import { RACE_MS } from '../at-resource-api.ts';

export const changes: Defects = {
  'assign-not-stored-after-unassign': {
    summary: 'Who was unassigned once is kept as deleted, and assigning them again does nothing.',
    breaks: ['assign.adds-user'],
    changes: ({ assignments }) => {
      const removed = new Set<string>();
      return {
        assignments: {
          assign: (all, project, user, now) =>
            removed.has(assignmentKey(project, user))
              ? 'assigned'
              : assignments.assign(all, project, user, now),
          unassign(all, project, user, now) {
            removed.add(assignmentKey(project, user));
            return assignments.unassign(all, project, user, now);
          },
        },
      };
    },
  },

  'assign-takes-from-other-projects': {
    summary: 'Assign takes the user out of all other projects.',
    breaks: ['assign.project-scoped'],
    changes: changing('assignments.assign', (base) => (all, project, user, now) => {
      for (const other of [...all.projects()]) if (other !== project.id) all.remove(other, user.id);
      return base(all, project, user, now);
    }),
  },

  'assign-again-takes-from-other-projects': {
    summary: 'Assign of a user who is assigned already takes the user out of all other projects.',
    breaks: ['assign.project-scoped'],
    changes: changing('assignments.assign', (base) => async (all, project, user, now) => {
      if (all.has(project.id, user.id))
        for (const other of [...all.projects()]) if (other !== project.id) all.remove(other, user.id);
      return base(all, project, user, now);
    }),
  },

  'unassign-again-takes-from-other-projects': {
    summary: 'Unassign of a user who is not assigned takes the user out of all other projects.',
    breaks: ['unassign.project-scoped'],
    changes: changing('assignments.unassign', (base) => async (all, project, user, now) => {
      if (!all.has(project.id, user.id)) for (const other of [...all.projects()]) all.remove(other, user.id);
      return base(all, project, user, now);
    }),
  },

  'assign-twice-at-once-takes-another': {
    summary: 'The same user assigned twice at once puts another user out of the project.',
    breaks: ['assign.leaves-others'],
    changes: changing('assignments.assign', (base) => {
      const underWay = new Set<string>();
      return async (all, project, user, now) => {
        const meets = underWay.has(assignmentKey(project, user));
        underWay.add(assignmentKey(project, user));
        await pause(RACE_MS);
        underWay.delete(assignmentKey(project, user));
        const other = [...all.of(project.id)].find((id) => id !== user.id);
        if (meets && other !== undefined) all.remove(project.id, other);
        return base(all, project, user, now);
      };
    }),
  },

  'assign-twice-at-once-listed-twice': {
    summary: 'A user who is assigned twice at once is listed twice.',
    breaks: ['assign.idempotent'],
    changes: ({ assignments }) => {
      const underWay = new Set<string>();
      const twice = new Set<string>();
      return {
        assignments: {
          async assign(all, project, user, now) {
            if (underWay.has(user.id)) twice.add(user.id);
            else if (!all.has(project.id, user.id)) twice.delete(user.id);
            underWay.add(user.id);
            await pause(RACE_MS);
            underWay.delete(user.id);
            return assignments.assign(all, project, user, now);
          },
          list: async (...asked) =>
            (await assignments.list(...asked)).flatMap((id) => (twice.has(id) ? [id, id] : [id])),
        },
      };
    },
  },

  'assign-at-once-loses-one': {
    summary:
      'Assign reads who is assigned, takes a moment, and writes that with the change: the last write wins.',
    breaks: ['assign.leaves-others', 'list.returns-assigned'],
    changes: ({ assignments }) => ({
      assignments: {
        async assign(all, project, user, now) {
          const before = await assignments.list(all, project, now);
          await pause(RACE_MS);
          for (const id of await assignments.list(all, project, now))
            if (!before.includes(id)) all.remove(project.id, id);
          return assignments.assign(all, project, user, now);
        },
      },
    }),
  },

  'unassign-at-once-leaves-one': {
    summary: 'Of two users who are unassigned at once, one stays.',
    breaks: ['unassign.removes-user'],
    changes: changing('assignments.unassign', (base) => {
      let underWay = 0;
      return async (...asked) => {
        underWay += 1;
        const isFirst = underWay === 1;
        await pause(RACE_MS);
        underWay -= 1;
        return isFirst ? base(...asked) : 'unassigned';
      };
    }),
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

  'unassign-takes-two-requests': {
    summary: 'The first unassign marks the user, and only the second removes them.',
    breaks: ['unassign.removes-user'],
    changes: ({ assignments }) => {
      const asked = new Set<string>();
      return {
        assignments: {
          assign(all, project, user, now) {
            asked.delete(assignmentKey(project, user));
            return assignments.assign(all, project, user, now);
          },
          unassign(all, project, user, now) {
            const place = assignmentKey(project, user);
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
