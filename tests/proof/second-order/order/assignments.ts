import { assignmentKey } from '../../../../src/emulator/defects/at-resource-api.ts';
import type { SecondOrderDefects } from '../define-second-order.ts';
import { beforeWrites, usersOf } from '../tools/noted.ts';

const HOUR = 3_600;
const DAY = 86_400;

/** Seconds within which an assign and an unassign are taken for one change. */
const AT_ONCE = 2;

/** Seconds for which an unassign is remembered. */
const TOMBSTONE_SECONDS = 5;

/** Faults of the three operations that depend on the order of requests and on time. */
export const assignments: SecondOrderDefects = {
  'list-forgets-assignments-after-a-day': {
    summary: 'A user who was assigned more than 86,400 s ago is not listed.',
    breaks: ['list.returns-assigned'],
    changes: (policy) => {
      const since = new Map<string, number>();
      return {
        assignments: {
          assign(all, project, user, now) {
            if (!all.has(project.id, user.id)) since.set(assignmentKey(project, user), now);
            return policy.assignments.assign(all, project, user, now);
          },
          list: (all, project, now) =>
            usersOf(all, project).filter(
              (id) => now - (since.get(assignmentKey(project, { id })) ?? now) <= DAY,
            ),
        },
      };
    },
  },

  'list-shows-unassigned-after-an-hour': {
    summary: 'A user who was unassigned is listed again from 3600 s after on.',
    breaks: ['list.returns-assigned'],
    changes: (policy) => {
      const gone = new Map<string, Map<string, number>>();
      return {
        assignments: {
          assign(all, project, user, now) {
            gone.get(project.id)?.delete(user.id);
            return policy.assignments.assign(all, project, user, now);
          },
          unassign(all, project, user, now) {
            const users = gone.get(project.id) ?? new Map<string, number>();
            gone.set(project.id, users);
            if (all.has(project.id, user.id)) users.set(user.id, now);
            return policy.assignments.unassign(all, project, user, now);
          },
          list(all, project, now) {
            const back = [...(gone.get(project.id) ?? [])].filter(([, at]) => now >= at + HOUR);
            return [...new Set([...usersOf(all, project), ...back.map(([id]) => id)])];
          },
        },
      };
    },
  },

  'unassign-right-after-assign-lost': {
    summary:
      'Unassign within 2 s after the assign of the same user, without a list between, is acknowledged and not done.',
    breaks: ['unassign.removes-user'],
    changes: (policy) => {
      const fresh = new Map<string, number>();
      return {
        assignments: {
          assign(all, project, user, now) {
            if (!all.has(project.id, user.id)) fresh.set(assignmentKey(project, user), now);
            return policy.assignments.assign(all, project, user, now);
          },
          unassign(all, project, user, now) {
            const at = fresh.get(assignmentKey(project, user));
            return at !== undefined && now <= at + AT_ONCE
              ? 'unassigned'
              : policy.assignments.unassign(all, project, user, now);
          },
          list(all, project, now) {
            for (const id of usersOf(all, project)) fresh.delete(assignmentKey(project, { id }));
            return policy.assignments.list(all, project, now);
          },
        },
      };
    },
  },

  'assign-right-after-vain-unassign-lost': {
    summary:
      'Assign within 5 s after an unassign of the same user, who was not assigned then, is acknowledged and not stored.',
    breaks: ['assign.adds-user'],
    changes: (policy) => {
      const tombstones = new Map<string, number>();
      return {
        assignments: {
          unassign(all, project, user, now) {
            if (!all.has(project.id, user.id)) tombstones.set(assignmentKey(project, user), now);
            return policy.assignments.unassign(all, project, user, now);
          },
          assign(all, project, user, now) {
            const at = tombstones.get(assignmentKey(project, user));
            return at !== undefined && now <= at + TOMBSTONE_SECONDS
              ? 'assigned'
              : policy.assignments.assign(all, project, user, now);
          },
        },
      };
    },
  },

  'list-first-after-idle-day-empty': {
    summary: 'The first list of a project after a day without requests for it is empty.',
    breaks: ['list.returns-assigned'],
    changes: (policy) => {
      const latest = new Map<string, number>();
      const asked = ({ id }: { readonly id: string }, now: number) => {
        const idle = now - (latest.get(id) ?? now);
        latest.set(id, now);
        return idle >= DAY;
      };
      return {
        assignments: {
          ...beforeWrites(policy.assignments, (project, _, now) => asked(project, now)),
          list: (all, project, now) =>
            asked(project, now) ? [] : policy.assignments.list(all, project, now),
        },
      };
    },
  },

  'assign-repeated-after-an-hour-unassigns': {
    summary: 'Assign of a user who was assigned 3600 s ago or more removes the user.',
    breaks: ['assign.idempotent'],
    changes: (policy) => {
      const since = new Map<string, number>();
      return {
        assignments: {
          assign(all, project, user, now) {
            const place = assignmentKey(project, user);
            const at = since.get(place) ?? now;
            if (!all.has(project.id, user.id)) {
              since.set(place, now);
            } else if (now >= at + HOUR) {
              all.remove(project.id, user.id);
              return 'already-assigned';
            }
            return policy.assignments.assign(all, project, user, now);
          },
        },
      };
    },
  },
};
