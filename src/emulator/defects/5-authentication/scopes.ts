import type { Defect } from '../../defect.ts';
import { IssuedPair } from '../../records.ts';
import { refuse } from '../../refusal.ts';
import { parseScopes } from '../../scopes.ts';
import { defect } from '../define-defect.ts';

/** Faults in what granted scopes are good for (clause 5.3). */
export const scopes: readonly Defect[] = [
  defect('scope-unassign-never-allowed', ({ token }) => ({
    token: {
      permits: (operation, pair) =>
        operation === 'unassign'
          ? refuse('scope-insufficient', 'unassign needs a scope that nobody can be granted')
          : token.permits(operation, pair),
    },
  })),

  defect('scope-first-of-several-counts', ({ token }) => ({
    token: {
      permits: (operation, pair) => {
        const scopes = parseScopes(pair.scopes[0] ?? '') ?? pair.scopes;
        const { accessToken, refreshToken, terms, issuedAt } = pair;
        return token.permits(
          operation,
          new IssuedPair(accessToken, refreshToken, { ...terms, scopes }, issuedAt),
        );
      },
    },
  })),
];
