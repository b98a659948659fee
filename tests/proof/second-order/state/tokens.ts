import { refuse } from '../../../../src/emulator/refusal.ts';
import type { Grant, IssuedPair } from '../../../../src/emulator/store/records.ts';
import type { SecondOrderDefects } from '../define-second-order.ts';
import { noted, notedChanging, notingWrongSecrets } from '../tools/noted.ts';
import {
  dying,
  EXPIRED,
  fieldsDefect,
  isExpired,
  keepingRefreshToken,
  kept,
  marking,
} from '../tools/tokens.ts';

const LIFETIME = 7_200;
const HOUR = 3_600;

/** Seconds after which this service takes a refresh for another kind of request. */
const LONG_AFTER = 14_400;

/** Faults of tokens that show only in some states. */
export const tokens: SecondOrderDefects = {
  'refresh-third-keeps-refresh-token': {
    summary: 'The third refresh of a chain answers with the refresh token that was sent.',
    breaks: ['refresh.new-refresh-token'],
    changes: keepingRefreshToken((request) => (previous) => request.generation(previous.accessToken) === 2),
  },

  'refresh-after-four-hours-keeps-refresh-token': {
    summary:
      'A refresh more than 14,400 s after the latest token response answers with a new access token and the refresh token that was sent.',
    breaks: ['refresh.new-refresh-token'],
    changes: keepingRefreshToken((request) => (previous) => request.now - previous.issuedAt > LONG_AFTER),
  },

  'refresh-after-wrong-secret-keeps-refresh-token': {
    summary:
      'After a refresh that was refused for a wrong secret, the next refresh with that token answers with the refresh token that was sent.',
    breaks: ['refresh.new-refresh-token'],
    changes: noted(({ client, token }, request) => {
      const spoiled = new Set<string>();
      return {
        client: notingWrongSecrets(client, request, 'refresh_token', spoiled),
        token: { value: kept(token.value, ({ refreshToken }) => spoiled.delete(refreshToken)) },
      };
    }),
  },

  'refresh-of-first-exchange-gives-token-of-second': {
    summary:
      'After a second exchange by the same application, a refresh of the first chain answers with the refresh token of the second.',
    breaks: ['refresh.new-refresh-token'],
    changes: notedChanging('token.value', (base, request) => {
      const newest = new Map<string, { readonly grant: Grant; readonly refreshToken: string }>();
      return (kind, randomness, previous) => {
        const other = previous && newest.get(previous.grant.clientId);
        if (kind === 'refresh' && other !== undefined && other.grant !== previous?.grant) {
          return other.refreshToken;
        }
        const value = base(kind, randomness, previous);
        const grant = request.code?.grant;
        if (kind === 'refresh' && previous === undefined && grant !== undefined) {
          newest.set(grant.clientId, { grant, refreshToken: value });
        }
        return value;
      };
    }),
  },

  'lifetime-of-chain-from-first-token': {
    summary:
      'From the second refresh on, an access token dies 7200 s after the exchange that began its chain.',
    // After those 7200 s a refresh answers with a token that never works.
    breaks: ['lifetime.refreshed-full', 'refresh.new-token-acts'],
    changes: dying((request) => (pair, now, dead) => {
      const begun = request.chainBegun(pair.accessToken) ?? now;
      const over = request.generation(pair.accessToken) >= 2 && now >= begun + LIFETIME;
      return over ? EXPIRED : dead;
    }),
  },

  'refresh-refused-after-expired-token-was-used': {
    summary: 'Once an access token was presented after its expiry, its refresh token is refused.',
    breaks: ['refresh.after-expiry'],
    changes: noted(({ token, refresh }) => {
      const purged = new WeakSet<IssuedPair>();
      return {
        token: {
          check(pair, now) {
            const dead = token.check(pair, now);
            if (isExpired(dead)) purged.add(pair);
            return dead;
          },
        },
        refresh: {
          check: (pair, exchange, now) =>
            purged.has(pair)
              ? refuse('refresh-token-unknown', 'it was purged with its access token')
              : refresh.check(pair, exchange, now),
        },
      };
    }),
  },

  'lifetime-renewed-for-old-token-by-refresh': {
    summary: 'An expired access token works again once its refresh token has been used.',
    breaks: ['lifetime.dead-after-7200'],
    changes: noted(({ token, refresh }) => {
      const refreshed = new WeakSet<IssuedPair>();
      return {
        refresh: {
          async rotate(pair, fate, all) {
            const refused = await refresh.rotate(pair, fate, all);
            if (refused === undefined) refreshed.add(pair);
            return refused;
          },
        },
        token: {
          check(pair, now) {
            const dead = token.check(pair, now);
            return isExpired(dead) && refreshed.has(pair) ? undefined : dead;
          },
        },
      };
    }),
  },

  'refresh-token-type-capitalised-from-second-refresh': {
    summary: 'From the second refresh of a chain on, token_type is `Bearer`.',
    breaks: ['refresh.token-type-bearer'],
    changes: fieldsDefect(
      (request) =>
        ({ access_token }) =>
          request.generation(access_token) >= 2 ? { token_type: 'Bearer' } : {},
    ),
  },

  'refresh-expires-in-string-from-second-refresh': {
    summary: 'From the second refresh of a chain on, expires_in is a string.',
    breaks: ['refresh.expires-in-7200'],
    changes: fieldsDefect(
      (request) =>
        ({ access_token, expires_in }) =>
          request.generation(access_token) >= 2 ? { expires_in: String(expires_in) } : {},
    ),
  },

  'refresh-fifth-for-an-hour': {
    summary:
      'The fifth refresh of a chain answers with expires_in 3600, and its access token lives for as long.',
    breaks: ['refresh.expires-in-7200', 'lifetime.refreshed-full'],
    changes: notedChanging(
      'lifetime.accessToken',
      (base, request) => (previous, now) =>
        previous !== undefined && request.generation(previous.accessToken) === 4 ? HOUR : base(previous, now),
    ),
  },

  'refresh-after-expiry-expires-in-zero': {
    summary: 'A refresh after the expiry of the access token answers with expires_in 0.',
    breaks: ['refresh.expires-in-7200'],
    changes: noted(({ token, answer }, request) => {
      const late = new Set<string>();
      return {
        token: { value: marking(token.value, late, ({ expiresAt }) => request.now >= expiresAt) },
        answer: {
          tokens: (issued) =>
            answer.tokens(late.has(issued.accessToken) ? { ...issued, expiresIn: 0 } : issued),
        },
      };
    }),
  },
};
