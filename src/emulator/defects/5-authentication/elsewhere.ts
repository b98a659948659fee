import type { Defect } from '../../defect.ts';
import type { ResourceOperation } from '../../policy.ts';
import { refuse } from '../../refusal.ts';
import { defect } from '../define-defect.ts';
import { generations } from '../token-responses.ts';
import { anybodysPair, METHOD } from './anybody.ts';

/** An operation does without a token in every project but the one that was asked for first. */
function optionalElsewhere(operation: ResourceOperation): Defect {
  return defect(`${operation}-token-optional-elsewhere`, ({ token }) => {
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
  });
}

const UNKNOWN = refuse('token-unknown', 'no such token');

/** Faults that the first project, application or token does not show (clause 5). */
export const elsewhere: readonly Defect[] = [
  optionalElsewhere('assign'),
  optionalElsewhere('list'),

  defect('assign-refresh-token-accepted', ({ token }) => {
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
  }),

  defect('scope-second-application-reads-only', ({ token }) => {
    let first: string | undefined;
    return {
      token: {
        permits(operation, pair) {
          first ??= pair.grant.clientId;
          if (operation !== 'list' && pair.grant.clientId !== first) return UNKNOWN;
          return token.permits(operation, pair);
        },
      },
    };
  }),

  defect('refresh-token-lists-alone', ({ token }) => {
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
  }),
];
