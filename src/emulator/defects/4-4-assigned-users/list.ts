import type { Store } from '../../store.ts';
import { cachedList, everybodyIn } from '../at-resource-api.ts';
import { changing, type Defects } from '../define-defect.ts';

const KEPT_LONG = 60;

export const list: Defects = {
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

  'list-removed-user-returns': {
    summary: 'A user who was removed is listed again once another is removed.',
    severity: 'subtle',
    breaks: ['list.returns-assigned'],
    changes: ({ assignments }) => {
      const removed = new Map<string, string>();
      return {
        assignments: {
          assign(all, project, user, now) {
            if (removed.get(project.id) === user.id) removed.delete(project.id);
            return assignments.assign(all, project, user, now);
          },
          async unassign(all, project, user, now) {
            const outcome = await assignments.unassign(all, project, user, now);
            if (outcome === 'not-assigned') return outcome;
            const before = removed.get(project.id);
            if (before !== undefined && before !== user.id) all.add(project.id, before);
            removed.set(project.id, user.id);
            return outcome;
          },
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
