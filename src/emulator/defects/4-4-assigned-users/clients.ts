import type { Defect } from '../../defect.ts';
import { refuse } from '../../refusal.ts';
import { defect } from '../define-defect.ts';

/** Faults that show to one client, one of its tokens, or one of its headers alone. */
export const clients: readonly Defect[] = [
  defect('list-accepting-any-type-is-empty', ({ token, answer }) => {
    let any = false;
    return {
      token: {
        presented(request) {
          any = request.accept === '*/*';
          return token.presented(request);
        },
      },
      answer: { list: (project, users, query) => answer.list(project, any ? [] : users, query) },
    };
  }),

  defect('list-without-accept-refused', ({ token }) => {
    let without = false;
    return {
      token: {
        presented(request) {
          without = request.accept === '';
          return token.presented(request);
        },
        permits: (operation, pair) =>
          without && operation === 'list'
            ? refuse('path-unknown', 'no Accept came')
            : token.permits(operation, pair),
      },
    };
  }),

  defect('assign-accepting-any-type-refused', ({ token }) => {
    let any = false;
    return {
      token: {
        presented(request) {
          any = request.accept === '*/*';
          return token.presented(request);
        },
        permits: (operation, pair) =>
          any && operation === 'assign'
            ? refuse('body-too-large', 'any type')
            : token.permits(operation, pair),
      },
    };
  }),

  defect('assign-lost-when-token-is-refreshed', ({ token, refresh, assignments }) => {
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
  }),

  defect('unassign-by-another-application-not-stored', ({ token, assignments }) => {
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
  }),
];
