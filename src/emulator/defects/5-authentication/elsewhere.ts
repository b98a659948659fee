import type { ResourceOperation } from '../../policy.ts';
import { findingToo, forbidding, METHOD, needingNoToken, operating, UNKNOWN } from '../access-tokens.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';

function optionalElsewhere(operation: ResourceOperation): Changes {
  return needingNoToken(() => {
    let first: string | undefined;
    return ({ path, method }) => {
      const project = /projects\/([^/]+)/.exec(path)?.[1];
      first ??= project;
      return method === METHOD[operation] && project !== first;
    };
  });
}

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
    changes: findingToo(
      (presented = '', store) => store.tokens.byRefreshToken(presented),
      operating('assign'),
    ),
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
    changes: forbidding(UNKNOWN, (operation, pair) => operation !== 'list' && pair.refreshed),
  },
};
