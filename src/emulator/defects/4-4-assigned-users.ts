import type { Store } from '../store/store.ts';
import { assignmentKey, cachedList, everybodyIn } from './at-resource-api.ts';
import { changing, type Defects } from './define-defect.ts';

const SEATS = 4;

const KEPT_LONG = 60;

export const defects: Defects = {
  'assign-not-stored': {
    summary: 'Assign is acknowledged and not stored.',
    breaks: ['assign.adds-user'],
    changes: changing('assignments.assign', () => () => 'assigned'),
  },

  'assign-replaces': {
    summary: 'Assign puts the user in the place of all who were assigned.',
    breaks: ['assign.leaves-others'],
    changes: changing('assignments.assign', (base) => (all, project, user, now) => {
      for (const other of [...all.of(project.id)]) if (other !== user.id) all.remove(project.id, other);
      return base(all, project, user, now);
    }),
  },

  'assign-puts-out-the-oldest': {
    summary: 'A project holds four users; a fifth puts out who was assigned first.',
    severity: 'subtle',
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
    breaks: ['assign.project-scoped', 'list.project-scoped'],
    changes: changing('assignments.assign', (base) => async (all, project, user, now) => {
      const outcome = await base(all, project, user, now);
      for (const other of [...all.projects()]) all.add(other, user.id);
      return outcome;
    }),
  },

  'assign-duplicates': {
    summary: 'Who is assigned twice is listed twice.',
    breaks: ['assign.idempotent'],
    changes: ({ assignments }) => {
      const repeated = new Set<string>();
      return {
        assignments: {
          async assign(all, project, user, now) {
            const outcome = await assignments.assign(all, project, user, now);
            if (outcome === 'assigned') repeated.delete(assignmentKey(project, user));
            else repeated.add(assignmentKey(project, user));
            return outcome;
          },
          async list(all, project, now) {
            const ids = await assignments.list(all, project, now);
            return ids.flatMap((id) => (repeated.has(assignmentKey(project, { id })) ? [id, id] : [id]));
          },
        },
      };
    },
  },

  'unassign-not-stored': {
    summary: 'Unassign is acknowledged and not stored.',
    breaks: ['unassign.removes-user'],
    changes: changing('assignments.unassign', () => () => 'unassigned'),
  },

  'unassign-clears-project': {
    summary: 'Unassign removes every user of the project.',
    breaks: ['unassign.leaves-others'],
    changes: changing('assignments.unassign', (base) => (all, project, user, now) => {
      const outcome = base(all, project, user, now);
      for (const other of [...all.of(project.id)]) all.remove(project.id, other);
      return outcome;
    }),
  },

  'unassign-from-every-project': {
    summary: 'Unassign removes the user from every project.',
    breaks: ['unassign.project-scoped'],
    changes: changing('assignments.unassign', (base) => (all, project, user, now) => {
      for (const other of [...all.projects()]) if (other !== project.id) all.remove(other, user.id);
      return base(all, project, user, now);
    }),
  },

  'list-repeats-users': {
    summary: 'The list names every user twice, once for each row of a join.',
    breaks: ['list.returns-assigned'],
    changes: changing(
      'assignments.list',
      (base) => async (all, project, now) => (await base(all, project, now)).flatMap((user) => [user, user]),
    ),
  },

  'list-holds-every-user': {
    summary: 'The list names every user of the service, assigned or not.',
    breaks: ['list.returns-assigned', 'list.project-scoped', 'unassign.removes-user'],
    changes: ({ assignments }) => {
      let store: Store | undefined;
      return {
        assignments: {
          project(id, current) {
            store = current;
            return assignments.project(id, current);
          },
          list: () => [...(store?.users.values() ?? [])].map((user) => user.id),
        },
      };
    },
  },

  'list-cached-for-a-minute': {
    summary: 'The list is served from a cache for a minute, whatever changes.',
    breaks: ['list.fresh'],
    changes: changing('assignments.list', (base) => cachedList(base, KEPT_LONG)),
  },

  'list-crosses-projects': {
    summary: 'The list of any project names the users of all.',
    breaks: ['list.project-scoped', 'assign.project-scoped'],
    changes: changing('assignments.list', () => (all) => everybodyIn(all)),
  },
};
