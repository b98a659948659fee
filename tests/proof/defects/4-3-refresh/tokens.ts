import { forbidding, issuedValues } from '../../../../src/emulator/defects/at-resource-api.ts';
import { type Changes, changing, type Defects } from '../../../../src/emulator/defects/define-defect.ts';
import type { ReceivedParameters } from '../../../../src/emulator/parameters.ts';
import { isRefusal, refuse } from '../../../../src/emulator/refusal.ts';
import type { Grant, IssuedPair } from '../../../../src/emulator/store/records.ts';
import { parseScopes } from '../../../../src/emulator/store/scopes.ts';
import type { Store } from '../../../../src/emulator/store/store.ts';
import { acceptingGrantType, sharedAtOnce } from '../at-token-endpoint.ts';

/** Finds a pair for something that is not a refresh token; undefined leaves the request to the policy. */
function finding(
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

function doingWithout(without: (parameters: ReceivedParameters) => boolean): Changes {
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

function issuedLike(
  store: Store,
  newestFirst: readonly string[],
  like: (issued: string) => boolean,
): IssuedPair | undefined {
  const value = newestFirst.find(like);
  return value === undefined ? undefined : store.tokens.byRefreshToken(value);
}

const COMPARED = 20;

export const tokens: Defects = {
  'refresh-at-once-shared': {
    summary: 'Refreshes that are under way at once get the answer to the first.',
    breaks: ['refresh.new-access-token', 'refresh.new-refresh-token'],
    changes: sharedAtOnce('refresh'),
  },

  'refresh-token-empty-accepted': {
    summary: 'An empty refresh token refreshes the newest grant.',
    breaks: ['refresh.requires-refresh-token'],
    changes: doingWithout((parameters) => parameters.get('refresh_token') === ''),
  },
  'refresh-grant-type-empty-accepted': {
    summary: 'An empty grant_type beside a refresh token is taken for a refresh.',
    breaks: ['refresh.requires-grant-type'],
    changes: acceptingGrantType('refresh_token', (value) => value === ''),
  },
  'refresh-token-in-any-case': {
    summary: 'Refresh tokens are looked up without regard to letter case.',
    breaks: ['refresh.token-unknown-refused'],
    changes: finding((value, store, newestFirst) =>
      issuedLike(store, newestFirst, (issued) => issued.toLowerCase() === value.toLowerCase()),
    ),
  },
  'refresh-token-first-twenty-characters': {
    summary: 'Refresh tokens are looked up by their first twenty characters, which is what the column holds.',
    breaks: ['refresh.token-unknown-refused'],
    changes: finding((value, store, newestFirst) =>
      issuedLike(
        store,
        newestFirst,
        (issued) => value.length >= COMPARED && issued.slice(0, COMPARED) === value.slice(0, COMPARED),
      ),
    ),
  },
  'refresh-access-token-accepted': {
    summary: 'An access token can be used for its refresh token.',
    breaks: ['refresh.token-unknown-refused'],
    changes: finding((value, store) => store.tokens.byAccessToken(value)),
  },
  'refresh-used-code-accepted': {
    summary: 'A code that was exchanged can be used for the refresh token that it gave.',
    breaks: ['refresh.token-unknown-refused'],
    changes: finding((value, store) => store.codes.get(value)?.grant.latest),
  },

  'refresh-refused-with-tokens': {
    summary: 'An unknown refresh token is refused with status 400 and an access token in the body.',
    breaks: ['refresh.token-unknown-refused'],
    changes: ({ token, answer }) => {
      const access = issuedValues(token, 'access');
      return {
        token: { value: access.value },
        answer: {
          tokenFailure(refusal) {
            const failure = answer.tokenFailure(refusal);
            const [access_token] = access.newestFirst();
            if (refusal.refused !== 'refresh-token-unknown' || access_token === undefined) return failure;
            return { ...failure, body: JSON.stringify({ error: 'invalid_grant', access_token }) };
          },
        },
      };
    },
  },

  'refresh-dead-token-invalid-request': {
    summary: 'A refresh token that is not good is answered with `invalid_request`.',
    breaks: ['token.error-invalid-grant'],
    changes: changing('answer.tokenFailure', (base) => (refusal) => {
      const failure = base(refusal);
      if (!refusal.refused.startsWith('refresh-token-') || refusal.refused === 'refresh-token-missing')
        return failure;
      return { ...failure, body: JSON.stringify({ error: 'invalid_request' }) };
    }),
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

  'refresh-scope-lost-silently': {
    summary: 'A refreshed token may no longer assign, whatever its response says.',
    breaks: ['refresh.scope-kept', 'scope.granted-scopes-act', 'refresh.new-token-acts'],
    changes: forbidding(
      refuse('scope-insufficient', 'the token has lost its scopes'),
      (operation, pair) => operation === 'assign' && pair.refreshed,
    ),
  },

  'refresh-token-optional': {
    summary: 'Without a refresh token the newest grant is refreshed.',
    severity: 'blunt',
    breaks: ['refresh.requires-refresh-token'],
    changes: doingWithout((parameters) => !parameters.get('code')),
  },

  'refresh-grant-type-optional': {
    summary: 'A request with a refresh token and no grant_type is taken for a refresh.',
    severity: 'blunt',
    breaks: ['refresh.requires-grant-type'],
    changes: acceptingGrantType('refresh_token', (value) => !value),
  },

  'refresh-any-token-accepted': {
    summary: 'Whatever is sent as refresh token yields tokens.',
    reference: 'navikt/mock-oauth2-server#826',
    severity: 'blunt',
    breaks: ['refresh.token-unknown-refused'],
    changes: finding((_value, store, newestFirst) => newestAlive(store, newestFirst)),
  },

  'refresh-scope-widened': {
    summary: 'A refresh grants whatever scope is asked for.',
    reference: 'openshift/osin#61',
    severity: 'blunt',
    breaks: ['refresh.scope-not-widened'],
    changes: changing(
      'refresh.scopes',
      (base) => (pair, exchange) =>
        parseScopes([...pair.scopes, exchange.scope ?? ''].join(' ')) ?? base(pair, exchange),
    ),
  },
};
