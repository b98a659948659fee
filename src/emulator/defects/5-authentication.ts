import type { ResourceOperation } from '../policy/policy.ts';
import { refuse } from '../refusal.ts';
import { anyPair, findingToo, forbidding, needingNoToken, operating } from './at-resource-api.ts';
import type { Defects } from './define-defect.ts';

function withoutToken(operation: ResourceOperation, named: string): Defects {
  const meant = operating(operation);
  return {
    [`${operation}-token-optional`]: {
      summary: `${named} needs no access token.`,
      breaks: [`${operation}.token-required`],
      changes: needingNoToken(meant),
    },
    [`${operation}-any-token-accepted`]: {
      summary: `${named} takes whatever is presented as a token.`,
      breaks: [`${operation}.token-invalid-refused`, 'list.refresh-token-is-no-access-token'],
      changes: findingToo((presented) => (presented === undefined ? undefined : anyPair()), meant),
    },
  };
}

export const defects: Defects = {
  'scope-unassign-never-allowed': {
    summary: 'Unassign needs a scope that cannot be had.',
    breaks: ['scope.granted-scopes-act'],
    changes: forbidding(
      refuse('scope-insufficient', 'unassign needs a scope that no client can be granted'),
      (operation) => operation === 'unassign',
    ),
  },

  ...withoutToken('assign', 'Assign'),
  ...withoutToken('unassign', 'Unassign'),
  ...withoutToken('list', 'The list'),

  'list-refresh-token-accepted': {
    summary: 'A refresh token does as access token.',
    breaks: ['list.refresh-token-is-no-access-token'],
    changes: findingToo((presented = '', store) => store.tokens.byRefreshToken(presented)),
  },
};
