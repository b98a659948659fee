import type { Defect } from '../../defect.ts';
import type { Grant } from '../../records.ts';
import { refuse } from '../../refusal.ts';
import { parseScopes } from '../../scopes.ts';
import { defect } from '../define-defect.ts';
import { generations } from '../token-responses.ts';

/** Faults in what a refreshed token may do (RFC 6749 section 6). */
export const scope: readonly Defect[] = [
  defect('refresh-scope-widened', ({ refresh }) => ({
    refresh: {
      scopes: (pair, exchange) =>
        parseScopes([...pair.scopes, exchange.scope ?? ''].join(' ')) ?? refresh.scopes(pair, exchange),
    },
  })),

  defect('refresh-scope-widened-silently', ({ refresh, token }) => {
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
        permits: (operation, pair) => (widened.has(pair.grant) ? undefined : token.permits(operation, pair)),
      },
    };
  }),

  defect('refresh-scope-lost', ({ refresh }) => ({
    refresh: {
      scopes: (pair, exchange) =>
        (exchange.scope === undefined && pair.scopes.includes('read') ? parseScopes('read') : undefined) ??
        refresh.scopes(pair, exchange),
    },
  })),

  defect('refresh-scope-lost-silently', ({ token }) => {
    const { value, of } = generations(token);
    return {
      token: {
        value,
        permits: (operation, pair) =>
          operation === 'assign' && of(pair.accessToken) === 'refresh'
            ? refuse('scope-insufficient', 'the token has lost its scopes')
            : token.permits(operation, pair),
      },
    };
  }),
];
