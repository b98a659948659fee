import type { Defect } from '../../defect.ts';
import type { ResourceOperation } from '../../policy.ts';
import { type Refusal, type ResourceReason, refuse } from '../../refusal.ts';
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

  refusedWhenAccepting('list-without-accept-refused', '', 'list', () =>
    refuse('path-unknown', 'no Accept came'),
  ),

  refusedWhenAccepting('assign-accepting-any-type-refused', '*/*', 'assign', () =>
    refuse('body-too-large', 'any type'),
  ),

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

/** One operation is refused to requests with this `Accept`; the empty text stands for none. */
function refusedWhenAccepting(
  id: string,
  accept: string,
  refused: ResourceOperation,
  refusal: () => Refusal<ResourceReason>,
): Defect {
  return defect(id, ({ token }) => {
    let accepts = false;
    return {
      token: {
        presented(request) {
          accepts = request.accept === accept;
          return token.presented(request);
        },
        permits: (operation, pair) =>
          accepts && operation === refused ? refusal() : token.permits(operation, pair),
      },
    };
  });
}
