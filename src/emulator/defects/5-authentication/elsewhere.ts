import type { ResourceOperation } from '../../policy.ts';
import { refuse } from '../../refusal.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';
import { generations } from '../token-responses.ts';
import { anybodysPair, METHOD } from './anybody.ts';

function optionalElsewhere(operation: ResourceOperation): Changes {
  return ({ token }) => {
    let first: string | undefined;
    let letIn = false;
    return {
      token: {
        presented(request) {
          const presented = token.presented(request);
          const project = /projects\/([^/]+)/.exec(request.path)?.[1];
          first ??= project;
          letIn = presented === undefined && request.method === METHOD[operation] && project !== first;
          return presented;
        },
        find: (presented, store) => (letIn ? anybodysPair() : token.find(presented, store)),
      },
    };
  };
}

const UNKNOWN = refuse('token-unknown', 'no such token');

export const elsewhere: Defects = {
  'assign-token-optional-elsewhere': {
    summary: 'Assign needs no token in any project but the first that was asked for.',
    breaks: ['assign.token-required'],
    changes: optionalElsewhere('assign'),
  },
  'list-token-optional-elsewhere': {
    summary: 'List needs no token in any project but the first that was asked for.',
    breaks: ['list.token-required'],
    changes: optionalElsewhere('list'),
  },

  'assign-refresh-token-accepted': {
    summary: 'Assign takes a refresh token for an access token.',
    breaks: ['list.refresh-token-is-no-access-token'],
    changes: ({ token }) => {
      let assigning = false;
      return {
        token: {
          presented(request) {
            assigning = request.method === METHOD.assign;
            return token.presented(request);
          },
          find: (presented, store) =>
            (assigning && presented !== undefined ? store.tokens.byRefreshToken(presented) : undefined) ??
            token.find(presented, store),
        },
      };
    },
  },

  'scope-second-application-reads-only': {
    summary:
      'Every application but the first is refused to assign and to unassign, as with a token that is not known.',
    breaks: ['exchange.token-acts', 'application.account-area'],
    changes: changing('token.permits', (base) => {
      let first: string | undefined;
      return (operation, pair) => {
        first ??= pair.grant.clientId;
        if (operation !== 'list' && pair.grant.clientId !== first) return UNKNOWN;
        return base(operation, pair);
      };
    }),
  },

  'refresh-token-lists-alone': {
    summary: 'The access token of a refresh lists, and is not known to the other operations.',
    breaks: ['refresh.new-token-acts', 'refresh.scope-kept'],
    changes: ({ token }) => {
      const { value, of } = generations(token);
      return {
        token: {
          value,
          permits: (operation, pair) =>
            operation !== 'list' && of(pair.accessToken) === 'refresh'
              ? UNKNOWN
              : token.permits(operation, pair),
        },
      };
    },
  },
};
