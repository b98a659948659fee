import type { Defect } from '../../defect.ts';
import { isRefusal, refuse } from '../../refusal.ts';
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

  defect('scope-first-of-several-kept', ({ token }) => ({
    token: {
      scopes(code, exchange) {
        const granted = token.scopes(code, exchange);
        return isRefusal(granted) ? granted : (parseScopes(granted[0] ?? '') ?? granted);
      },
    },
  })),
];
