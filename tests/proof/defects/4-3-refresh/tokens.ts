import { doingWithout, finding } from '../../../../src/emulator/defects/4-3-refresh.ts';
import { forbidding, issuedValues } from '../../../../src/emulator/defects/at-resource-api.ts';
import { acceptingGrantType } from '../../../../src/emulator/defects/at-token-endpoint.ts';
import { changing, type Defects } from '../../../../src/emulator/defects/define-defect.ts';
import type { Grant, IssuedPair } from '../../../../src/emulator/records.ts';
import { refuse } from '../../../../src/emulator/refusal.ts';
import type { Store } from '../../../../src/emulator/store.ts';

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
  'refresh-token-read-up-to-nul': {
    summary: 'A refresh token is read up to the first NUL.',
    breaks: ['refresh.token-unknown-refused'],
    changes: finding((value, store) => store.tokens.byRefreshToken(value.split('\0')[0] ?? '')),
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
};
