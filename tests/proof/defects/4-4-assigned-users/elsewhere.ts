import { setTimeout as pause } from 'node:timers/promises';
import { cachedList, forbidding } from '../../../../src/emulator/defects/at-resource-api.ts';
import {
  type Changes,
  changing,
  type Defects,
  whenever,
} from '../../../../src/emulator/defects/define-defect.ts';
import type { AssignmentsPolicy } from '../../../../src/emulator/policy/policy.ts';
import { isRefusal, refuse } from '../../../../src/emulator/refusal.ts';
import type { Project } from '../../../../src/emulator/store/records.ts';
import { RACE_MS } from '../at-resource-api.ts';

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

/** Changes the answers to requests with this `Accept`; empty text means no header. */
function accepting(accept: string, changes: Changes): Changes {
  return whenever('token.presented', (request) => request.accept === accept, changes);
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

  'assign-at-once-lands-in-the-other-project': {
    summary: 'Of two assigns at once in two projects, one lands in the other.',
    breaks: ['assign.project-scoped'],
    changes: changing('assignments.assign', (base) => {
      const underWay: Project[] = [];
      return async (all, project, ...rest) => {
        const there = underWay.find((one) => one.id !== project.id) ?? project;
        underWay.push(project);
        await pause(RACE_MS);
        underWay.shift();
        return base(all, there, ...rest);
      };
    }),
  },

  'assign-at-once-stored-in-one-project': {
    summary: 'Of two assigns of one user at the same time, both are stored in the project of the first.',
    breaks: ['assign.project-scoped'],
    changes: changing('assignments.assign', (base) => {
      const underWay = new Map<string, Project>();
      return async (all, project, user, now) => {
        const first = underWay.get(user.id) ?? project;
        underWay.set(user.id, first);
        await pause(RACE_MS);
        underWay.delete(user.id);
        return base(all, first, user, now);
      };
    }),
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

  'list-accepting-any-type-is-empty': {
    summary: 'The list is empty for a client that accepts any type.',
    breaks: ['list.returns-assigned'],
    changes: accepting(
      '*/*',
      changing('answer.list', (base) => (project, _, query) => base(project, [], query)),
    ),
  },

  'list-without-accept-refused': {
    summary: 'The list is refused to a client that sends no header Accept.',
    breaks: ['list.returns-assigned'],
    changes: accepting(
      '',
      forbidding(refuse('path-unknown', 'no Accept came'), (operation) => operation === 'list'),
    ),
  },

  'assign-accepting-any-type-refused': {
    summary: 'Assign is refused to a client that accepts any type.',
    breaks: ['assign.adds-user'],
    changes: accepting(
      '*/*',
      forbidding(refuse('path-unknown', 'any type'), (operation) => operation === 'assign'),
    ),
  },

  'assign-lost-when-token-is-refreshed': {
    summary: 'What a token has assigned is gone when the token is refreshed.',
    breaks: ['list.returns-assigned'],
    changes: ({ token, refresh, assignments }) => {
      const by = new Map<string, (() => void)[]>();
      let present = '';
      return {
        token: {
          check(pair, now) {
            present = pair.accessToken;
            return token.check(pair, now);
          },
        },
        refresh: {
          rotate(pair, fate, tokens) {
            for (const undo of by.get(pair.accessToken) ?? []) undo();
            return refresh.rotate(pair, fate, tokens);
          },
        },
        assignments: {
          assign(all, project, user, now) {
            by.set(present, [...(by.get(present) ?? []), () => all.remove(project.id, user.id)]);
            return assignments.assign(all, project, user, now);
          },
        },
      };
    },
  },

  'unassign-by-another-application-not-stored': {
    summary:
      'A user whom one application has assigned stays assigned when another unassigns them, although the answer is a success.',
    breaks: ['unassign.removes-user'],
    changes: ({ token, assignments }) => {
      const assignedBy = new Map<string, string>();
      let client = '';
      return {
        token: {
          check(pair, now) {
            client = pair.grant.clientId;
            return token.check(pair, now);
          },
        },
        assignments: {
          assign(all, project, user, now) {
            assignedBy.set(`${project.id} ${user.id}`, client);
            return assignments.assign(all, project, user, now);
          },
          unassign(all, project, user, now) {
            const owner = assignedBy.get(`${project.id} ${user.id}`) ?? client;
            return owner === client ? assignments.unassign(all, project, user, now) : 'unassigned';
          },
        },
      };
    },
  },
};
