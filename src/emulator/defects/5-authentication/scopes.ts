import { IssuedPair } from '../../records.ts';
import { refuse } from '../../refusal.ts';
import { parseScopes } from '../../scopes.ts';
import { forbidding } from '../access-tokens.ts';
import { changing, type Defects } from '../define-defect.ts';

export const scopes: Defects = {
  'scope-unassign-never-allowed': {
    summary: 'Unassign needs a scope that cannot be had.',
    severity: 'blunt',
    breaks: ['scope.granted-scopes-act'],
    changes: forbidding(
      refuse('scope-insufficient', 'unassign needs a scope that nobody can be granted'),
      (operation) => operation === 'unassign',
    ),
  },

  'scope-first-of-several-counts': {
    summary: 'Of several scopes that a token has the first alone counts when it is used.',
    breaks: ['scope.granted-scopes-act'],
    changes: changing('token.permits', (base) => (operation, pair) => {
      const scopes = parseScopes(pair.scopes[0] ?? '') ?? pair.scopes;
      const { accessToken, refreshToken, terms, issuedAt } = pair;
      return base(operation, new IssuedPair(accessToken, refreshToken, { ...terms, scopes }, issuedAt));
    }),
  },
};
