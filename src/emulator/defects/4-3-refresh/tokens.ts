import type { ReceivedParameters } from '../../parameters.ts';
import type { IssuedPair } from '../../records.ts';
import { isRefusal } from '../../refusal.ts';
import { parseScopes } from '../../scopes.ts';
import type { Store } from '../../store.ts';
import { issuedValues } from '../at-resource-api.ts';
import { acceptingGrantType, refreshingForAnybody } from '../at-token-endpoint.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';

/** Finds a pair for something that is not a refresh token; undefined leaves the request to the policy. */
export function finding(
  find: (value: string, store: Store, newestFirst: readonly string[]) => IssuedPair | undefined,
): Changes {
  return ({ token, refresh }) => {
    const issued = issuedValues(token, 'refresh');
    return {
      token: { value: issued.value },
      refresh: {
        find(value, store) {
          const found = refresh.find(value, store);
          return isRefusal(found) ? (find(value, store, issued.newestFirst()) ?? found) : found;
        },
      },
    };
  };
}

export function doingWithout(without: (parameters: ReceivedParameters) => boolean): Changes {
  return ({ token, client, refresh }) => {
    const issued = issuedValues(token, 'refresh');
    return {
      token: { value: issued.value },
      client: {
        required(parameters, name) {
          const value = client.required(parameters, name);
          return name === 'refresh_token' && isRefusal(value) && without(parameters) ? '' : value;
        },
      },
      refresh: {
        find: (value, store) =>
          (value === '' ? newestAlive(store, issued.newestFirst()) : undefined) ?? refresh.find(value, store),
      },
    };
  };
}

function newestAlive(store: Store, newestFirst: readonly string[]): IssuedPair | undefined {
  for (const value of newestFirst) {
    const pair = store.tokens.byRefreshToken(value);
    if (pair !== undefined && !pair.refreshRevoked && !pair.grant.revoked) return pair;
  }
  return undefined;
}

export const tokens: Defects = {
  'refresh-token-optional': {
    summary: 'Without a refresh token the newest grant is refreshed.',
    breaks: ['refresh.requires-refresh-token'],
    changes: doingWithout((parameters) => !parameters.get('code')),
  },

  'refresh-grant-type-optional': {
    summary: 'A request with a refresh token and no grant_type is taken for a refresh.',
    breaks: ['refresh.requires-grant-type'],
    changes: acceptingGrantType('refresh_token', (value) => !value),
  },

  'refresh-any-token-accepted': {
    summary: 'Whatever is sent as refresh token yields tokens.',
    reference: 'navikt/mock-oauth2-server#826',
    breaks: ['refresh.token-unknown-refused'],
    changes: finding((_value, store, newestFirst) => newestAlive(store, newestFirst)),
  },

  'refresh-any-client': {
    summary: 'A refresh token can be used by every client.',
    reference: 'authlib/authlib#139',
    breaks: ['refresh.bound-to-client'],
    changes: refreshingForAnybody,
  },

  'refresh-scope-widened': {
    summary: 'A refresh grants whatever scope is asked for.',
    reference: 'openshift/osin#61',
    breaks: ['refresh.scope-not-widened'],
    changes: changing(
      'refresh.scopes',
      (base) => (pair, exchange) =>
        parseScopes([...pair.scopes, exchange.scope ?? ''].join(' ')) ?? base(pair, exchange),
    ),
  },

  'refresh-scope-lost': {
    summary: 'A refresh without scope yields a token with the default scope.',
    reference: 'mozilla/fxa#2408',
    breaks: ['refresh.scope-kept', 'scope.granted-scopes-act', 'refresh.new-token-acts'],
    changes: changing(
      'refresh.scopes',
      (base) => (pair, exchange) =>
        (exchange.scope === undefined && pair.scopes.includes('read') ? parseScopes('read') : undefined) ??
        base(pair, exchange),
    ),
  },
};
