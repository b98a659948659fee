import type { Defect } from '../../../../src/emulator/defect.ts';
import { placeOf } from '../../../../src/emulator/defects/4-4-assigned-users/place.ts';
import { defect } from '../../../../src/emulator/defects/define-defect.ts';
import { usersOf } from '../tools/assigned.ts';
import { noted } from '../tools/noted.ts';
import { isExpired } from '../tools/tokens.ts';

/** Faults of the three operations that show only in some states. */
export const assignments: readonly Defect[] = [
  noted('assign-by-refreshed-token-not-stored', (policy, request) => ({
    assignments: {
      assign: (all, project, user, now) =>
        request.generation(request.caller.accessToken) > 0
          ? 'assigned'
          : policy.assignments.assign(all, project, user, now),
    },
  })),

  defect('unassign-after-two-assigns-leaves-a-row', (policy) => {
    const rows = new Map<string, number>();
    return {
      assignments: {
        assign(all, project, user, now) {
          const place = placeOf(project, user);
          rows.set(place, all.has(project.id, user.id) ? (rows.get(place) ?? 1) + 1 : 1);
          return policy.assignments.assign(all, project, user, now);
        },
        unassign(all, project, user, now) {
          const place = placeOf(project, user);
          const left = (rows.get(place) ?? 1) - 1;
          rows.set(place, left);
          return left > 0 && all.has(project.id, user.id)
            ? 'unassigned'
            : policy.assignments.unassign(all, project, user, now);
        },
      },
    };
  }),

  defect('unassign-of-three-takes-last-along', (policy) => ({
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
  })),

  noted('assign-lost-after-refused-unassign', (policy, request) => {
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

  noted('assign-with-expired-token-refused-and-done', (policy, request) => ({
    token: {
      check(pair, now) {
        const dead = policy.token.check(pair, now);
        const { route, store } = request;
        if (!isExpired(dead) || route?.operation !== 'assign' || store === undefined) return dead;
        if (store.projects.get(route.projectId) && store.users.get(route.userId)) {
          store.assignments.add(route.projectId, route.userId);
        }
        return dead;
      },
    },
  })),

  noted('list-empty-after-refused-assign', (policy, request) => {
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
        assign(all, project, user, now) {
          emptied.delete(project.id);
          return policy.assignments.assign(all, project, user, now);
        },
        unassign(all, project, user, now) {
          emptied.delete(project.id);
          return policy.assignments.unassign(all, project, user, now);
        },
        list: (all, project, now) =>
          emptied.has(project.id) ? [] : policy.assignments.list(all, project, now),
      },
    };
  }),

  noted('unassign-by-token-refreshed-late-not-stored', (policy, request) => {
    const late = new Set<string>();
    return {
      token: {
        value(kind, randomness, previous) {
          const value = policy.token.value(kind, randomness, previous);
          if (kind === 'access' && previous !== undefined && request.now >= previous.expiresAt) {
            late.add(value);
          }
          return value;
        },
      },
      assignments: {
        unassign: (all, project, user, now) =>
          late.has(request.caller.accessToken)
            ? 'unassigned'
            : policy.assignments.unassign(all, project, user, now),
      },
    };
  }),

  defect('assign-lost-after-unassign-elsewhere', (policy) => {
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
  }),
];
