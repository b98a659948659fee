import { assignmentKey } from '../../../../src/emulator/defects/at-resource-api.ts';
import type { SecondOrderDefects } from '../define-second-order.ts';
import { beforeWrites, noted, notedChanging, usersOf } from '../tools/noted.ts';
import { isExpired, marking } from '../tools/tokens.ts';

/** Faults of the three operations that show only in some states. */
export const assignments: SecondOrderDefects = {
  'assign-by-refreshed-token-not-stored': {
    summary: 'Assign with the access token of a refresh is acknowledged and not stored.',
    breaks: ['assign.adds-user'],
    changes: notedChanging(
      'assignments.assign',
      (base, request) => (all, project, user, now) =>
        request.generation(request.caller.accessToken) > 0 ? 'assigned' : base(all, project, user, now),
    ),
  },

  'unassign-after-two-assigns-leaves-a-row': {
    summary: 'After two assigns of the same user, one unassign leaves the user listed.',
    breaks: ['unassign.removes-user'],
    changes: (policy) => {
      const rows = new Map<string, number>();
      return {
        assignments: {
          assign(all, project, user, now) {
            const place = assignmentKey(project, user);
            rows.set(place, all.has(project.id, user.id) ? (rows.get(place) ?? 1) + 1 : 1);
            return policy.assignments.assign(all, project, user, now);
          },
          unassign(all, project, user, now) {
            const place = assignmentKey(project, user);
            const left = (rows.get(place) ?? 1) - 1;
            rows.set(place, left);
            return left > 0 && all.has(project.id, user.id)
              ? 'unassigned'
              : policy.assignments.unassign(all, project, user, now);
          },
        },
      };
    },
  },

  'unassign-of-three-takes-last-along': {
    summary: 'Unassign from a project with three or more users also removes the last of the list.',
    breaks: ['unassign.leaves-others'],
    changes: (policy) => ({
      assignments: {
        unassign(all, project, user, now) {
          const users = usersOf(all, project);
          const last = users.at(-1);
          if (users.length >= 3 && last !== undefined && last !== user.id && users.includes(user.id)) {
            all.remove(project.id, last);
          }
          return policy.assignments.unassign(all, project, user, now);
        },
      },
    }),
  },

  'assign-lost-after-refused-unassign': {
    summary: 'After a refused unassign, the next assign in that project is acknowledged and not stored.',
    breaks: ['assign.adds-user'],
    changes: noted((policy, request) => {
      const marked = new Set<string>();
      return {
        assignments: {
          user(id, store) {
            const user = policy.assignments.user(id, store);
            const { operation, projectId = '' } = request.route ?? {};
            if ('refused' in user && operation === 'unassign') marked.add(projectId);
            return user;
          },
          assign: (all, project, user, now) =>
            marked.delete(project.id) ? 'assigned' : policy.assignments.assign(all, project, user, now),
        },
        answer: {
          unassigned(outcome, project, user) {
            const answer = policy.answer.unassigned(outcome, project, user);
            if (answer.status >= 400) marked.add(project.id);
            return answer;
          },
        },
      };
    }),
  },

  'assign-with-expired-token-refused-and-done': {
    summary: 'Assign with an expired access token is refused, and stored all the same.',
    breaks: ['lifetime.dead-after-7200'],
    changes: notedChanging('token.check', (base, request) => (pair, now) => {
      const dead = base(pair, now);
      const { route, store } = request;
      if (!isExpired(dead) || route?.operation !== 'assign' || store === undefined) return dead;
      if (store.projects.get(route.projectId) && store.users.get(route.userId)) {
        store.assignments.add(route.projectId, route.userId);
      }
      return dead;
    }),
  },

  'list-empty-after-refused-assign': {
    summary:
      'After an assign with an unknown or expired access token, the list of the project is empty until the next write.',
    // A refusal has no effect: by the unknown token and by the expired one it has.
    breaks: ['list.returns-assigned', 'assign.token-invalid-refused', 'lifetime.dead-after-7200'],
    changes: noted((policy, request) => {
      const emptied = new Set<string>();
      const refused = () => {
        if (request.route?.operation === 'assign') emptied.add(request.route.projectId);
      };
      return {
        token: {
          find(presented, store) {
            const pair = policy.token.find(presented, store);
            if ('refused' in pair && pair.refused === 'token-unknown') refused();
            return pair;
          },
          check(pair, now) {
            const dead = policy.token.check(pair, now);
            if (isExpired(dead)) refused();
            return dead;
          },
        },
        assignments: {
          ...beforeWrites(policy.assignments, ({ id }) => emptied.delete(id)),
          list: (all, project, now) =>
            emptied.has(project.id) ? [] : policy.assignments.list(all, project, now),
        },
      };
    }),
  },

  'unassign-by-token-refreshed-late-not-stored': {
    summary:
      'Unassign with an access token that came of a refresh after expiry is acknowledged and not stored.',
    breaks: ['unassign.removes-user'],
    changes: noted((policy, request) => {
      const late = new Set<string>();
      return {
        token: { value: marking(policy.token.value, late, ({ expiresAt }) => request.now >= expiresAt) },
        assignments: {
          unassign: (all, project, user, now) =>
            late.has(request.caller.accessToken)
              ? 'unassigned'
              : policy.assignments.unassign(all, project, user, now),
        },
      };
    }),
  },

  'assign-lost-after-unassign-elsewhere': {
    summary:
      'After a user was unassigned from one project, the next assign of that user to another is acknowledged and not stored.',
    breaks: ['assign.adds-user'],
    changes: (policy) => {
      const left = new Map<string, string>();
      return {
        assignments: {
          unassign(all, project, user, now) {
            if (all.has(project.id, user.id)) left.set(user.id, project.id);
            return policy.assignments.unassign(all, project, user, now);
          },
          assign(all, project, user, now) {
            const from = left.get(user.id);
            if (from === undefined || from === project.id) {
              return policy.assignments.assign(all, project, user, now);
            }
            left.delete(user.id);
            return 'assigned';
          },
        },
      };
    },
  },
};
