import { setTimeout as pause } from 'node:timers/promises';
import { assignmentKey } from '../../../../src/emulator/defects/at-resource-api.ts';
import { changing, type Defects } from '../../../../src/emulator/defects/define-defect.ts';
import { RACE_MS } from '../at-resource-api.ts';

const PAGE = 4;

const KEPT_SHORT = 1;

const READINGS = 6;

export const list: Defects = {
  'list-at-once-shared': {
    summary: 'Lists that are read at once get one answer, whatever project they ask for.',
    breaks: ['list.project-scoped'],
    changes: changing('assignments.list', (base) => {
      let underWay: ReturnType<typeof base> | undefined;
      return async (...asked) => {
        underWay ??= pause(RACE_MS).then(() => base(...asked));
        const answer = await underWay;
        underWay = undefined;
        return answer;
      };
    }),
  },

  'list-removed-user-returns': {
    summary: 'A user who was removed is listed again once another is removed.',
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

  'list-first-page-only': {
    summary: 'The list ends after four users, and nothing tells of a second page.',
    breaks: ['list.returns-assigned'],
    changes: changing(
      'assignments.list',
      (base) => async (all, project, now) => (await base(all, project, now)).slice(0, PAGE),
    ),
  },

  'list-shows-assigned-a-second-late': {
    summary: 'The list shows a user a second after they were assigned.',
    breaks: ['list.fresh'],
    changes: ({ assignments }) => {
      const since = new Map<string, number>();
      return {
        assignments: {
          assign(all, project, user, now) {
            if (!all.has(project.id, user.id)) since.set(assignmentKey(project, user), now);
            return assignments.assign(all, project, user, now);
          },
          async list(all, project, now) {
            const ids = await assignments.list(all, project, now);
            return ids.filter((id) => now - (since.get(assignmentKey(project, { id })) ?? 0) >= KEPT_SHORT);
          },
        },
      };
    },
  },

  'list-shows-unassigned-a-second-longer': {
    summary: 'The list shows a user for a second after they were unassigned.',
    breaks: ['list.fresh'],
    changes: ({ assignments }) => {
      const removed = new Map<
        string,
        { readonly at: number; readonly project: string; readonly user: string }
      >();
      return {
        assignments: {
          assign(all, project, user, now) {
            removed.delete(assignmentKey(project, user));
            return assignments.assign(all, project, user, now);
          },
          unassign(all, project, user, now) {
            if (all.has(project.id, user.id))
              removed.set(assignmentKey(project, user), { at: now, project: project.id, user: user.id });
            return assignments.unassign(all, project, user, now);
          },
          async list(all, project, now) {
            const ids = await assignments.list(all, project, now);
            const lingering = [...removed.values()].filter(
              (gone) => gone.project === project.id && now - gone.at < KEPT_SHORT && !ids.includes(gone.user),
            );
            return [...ids, ...lingering.map(({ user }) => user)];
          },
        },
      };
    },
  },

  'list-holds-users-of-the-next-project': {
    summary: 'The list of a project names the users of the project with the next id too.',
    breaks: ['list.project-scoped', 'assign.project-scoped'],
    changes: changing('assignments.list', (base) => async (all, project, now) => {
      const next = String(Number(project.id) + 1);
      return [...new Set([...(await base(all, project, now)), ...all.of(next)])];
    }),
  },

  'list-reading-unassigns': {
    summary: 'Reading the same list again and again unassigns the last user.',
    breaks: ['list.safe'],
    changes: changing('assignments.list', (base) => {
      let read = '';
      let times = 0;
      return async (all, project, now) => {
        const ids = await base(all, project, now);
        const state = `${project.id}: ${ids.join(' ')}`;
        times = state === read ? times + 1 : 1;
        read = state;
        const last = ids.at(-1);
        if (times < READINGS || last === undefined) return ids;
        all.remove(project.id, last);
        return ids.slice(0, -1);
      };
    }),
  },
};
