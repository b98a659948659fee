import type { Grant } from '../../records.ts';
import { refuse } from '../../refusal.ts';
import { parseScopes } from '../../scopes.ts';
import { forbidding } from '../access-tokens.ts';
import { changing, type Defects } from '../define-defect.ts';

export const scope: Defects = {
  'refresh-scope-widened': {
    summary: 'A refresh grants whatever scope is asked for.',
    severity: 'blunt',
    reference: 'openshift/osin#61',
    breaks: ['refresh.scope-not-widened'],
    changes: changing(
      'refresh.scopes',
      (base) => (pair, exchange) =>
        parseScopes([...pair.scopes, exchange.scope ?? ''].join(' ')) ?? base(pair, exchange),
    ),
  },

  'refresh-scope-widened-silently': {
    summary: 'A refresh that asks for more says that it gave no more, and the token may do everything.',
    breaks: ['refresh.scope-not-widened'],
    changes: ({ refresh, token }) => {
      const widened = new WeakSet<Grant>();
      return {
        refresh: {
          scopes(pair, exchange) {
            if (exchange.scope === undefined) return refresh.scopes(pair, exchange);
            widened.add(pair.grant);
            return pair.scopes;
          },
        },
        token: {
          permits: (operation, pair) =>
            widened.has(pair.grant) ? undefined : token.permits(operation, pair),
        },
      };
    },
  },

  'refresh-scope-lost': {
    summary: 'A refresh without scope yields a token with the default scope.',
    severity: 'blunt',
    reference: 'mozilla/fxa#2408',
    breaks: ['refresh.scope-kept', 'scope.granted-scopes-act'],
    changes: changing(
      'refresh.scopes',
      (base) => (pair, exchange) =>
        (exchange.scope === undefined && pair.scopes.includes('read') ? parseScopes('read') : undefined) ??
        base(pair, exchange),
    ),
  },

  'refresh-scope-lost-silently': {
    summary: 'A refreshed token may no longer assign, whatever its response says.',
    breaks: ['refresh.scope-kept', 'scope.granted-scopes-act', 'refresh.new-token-acts'],
    changes: forbidding(
      refuse('scope-insufficient', 'the token has lost its scopes'),
      (operation, pair) => operation === 'assign' && pair.refreshed,
    ),
  },
};
