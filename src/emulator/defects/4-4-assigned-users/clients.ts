import type { ResourceOperation } from '../../policy.ts';
import { type Refusal, type ResourceReason, refuse } from '../../refusal.ts';
import type { Changes, Defects } from '../define-defect.ts';

export const clients: Defects = {
  'list-accepting-any-type-is-empty': {
    summary: 'The list is empty for a client that accepts any type.',
    breaks: ['list.returns-assigned'],
    changes: ({ token, answer }) => {
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
    },
  },

  'list-without-accept-refused': {
    summary: 'The list is refused to a client that sends no header Accept.',
    breaks: ['list.returns-assigned'],
    changes: refusedWhenAccepting('', 'list', () => refuse('path-unknown', 'no Accept came')),
  },

  'assign-accepting-any-type-refused': {
    summary: 'Assign is refused to a client that accepts any type.',
    breaks: ['assign.adds-user'],
    changes: refusedWhenAccepting('*/*', 'assign', () => refuse('body-too-large', 'any type')),
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
    summary: 'Whom one application has assigned another does not unassign, though it is told so.',
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

/** Refuses one operation for requests with this `Accept`; empty text means no header. */
function refusedWhenAccepting(
  accept: string,
  refused: ResourceOperation,
  refusal: () => Refusal<ResourceReason>,
): Changes {
  return ({ token }) => {
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
  };
}
