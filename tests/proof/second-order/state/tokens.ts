import type { Defect } from '../../../../src/emulator/defect.ts';
import type { Grant, IssuedPair } from '../../../../src/emulator/records.ts';
import { refuse } from '../../../../src/emulator/refusal.ts';
import { noted } from '../tools/noted.ts';
import { dying, EXPIRED, fieldsDefect, isExpired, keepingRefreshToken } from '../tools/tokens.ts';

const LIFETIME = 7_200;
const HOUR = 3_600;

/** Seconds after which this service takes a refresh for another kind of request. */
const LONG_AFTER = 14_400;

/** Faults of tokens that show only in some states. */
export const tokens: readonly Defect[] = [
  keepingRefreshToken(
    'refresh-third-keeps-refresh-token',
    (request) => (previous) => request.generation(previous.accessToken) === 2,
  ),

  keepingRefreshToken(
    'refresh-after-four-hours-keeps-refresh-token',
    (request) => (previous) => request.now - previous.issuedAt > LONG_AFTER,
  ),

  noted('refresh-after-wrong-secret-keeps-refresh-token', ({ client, token }, request) => {
    const spoiled = new Set<string>();
    return {
      client: {
        authenticate(credentials, applications, grantType) {
          const application = client.authenticate(credentials, applications, grantType);
          const sent = request.form.get('refresh_token');
          if ('refused' in application && application.refused === 'client-secret-wrong' && sent) {
            spoiled.add(sent);
          }
          return application;
        },
      },
      token: {
        value: (kind, randomness, previous) =>
          kind === 'refresh' && previous !== undefined && spoiled.delete(previous.refreshToken)
            ? previous.refreshToken
            : token.value(kind, randomness, previous),
      },
    };
  }),

  noted('refresh-refused-after-wrong-secret', ({ client, refresh }, request) => {
    const spent = new Set<string>();
    return {
      client: {
        authenticate(credentials, applications, grantType) {
          const application = client.authenticate(credentials, applications, grantType);
          const sent = request.form.get('refresh_token');
          if ('refused' in application && application.refused === 'client-secret-wrong' && sent)
            spent.add(sent);
          return application;
        },
      },
      refresh: {
        check: (pair, exchange, now) =>
          spent.has(exchange.refreshToken)
            ? refuse('refresh-token-revoked', 'it was sent with a wrong secret')
            : refresh.check(pair, exchange, now),
      },
    };
  }),

  noted('refresh-of-first-exchange-gives-token-of-second', ({ token }, request) => {
    const newest = new Map<string, { readonly grant: Grant; readonly refreshToken: string }>();
    return {
      token: {
        value(kind, randomness, previous) {
          const other = previous && newest.get(previous.grant.clientId);
          if (kind === 'refresh' && other !== undefined && other.grant !== previous?.grant) {
            return other.refreshToken;
          }
          const value = token.value(kind, randomness, previous);
          const grant = request.code?.grant;
          if (kind === 'refresh' && previous === undefined && grant !== undefined) {
            newest.set(grant.clientId, { grant, refreshToken: value });
          }
          return value;
        },
      },
    };
  }),

  dying('lifetime-of-chain-from-first-token', (request) => (pair, now, dead) => {
    const begun = request.chainBegun(pair.accessToken) ?? now;
    const over = request.generation(pair.accessToken) >= 2 && now >= begun + LIFETIME;
    return over ? EXPIRED : dead;
  }),

  noted('refresh-refused-after-expired-token-was-used', ({ token, refresh }) => {
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

  noted('lifetime-renewed-for-old-token-by-refresh', ({ token, refresh }) => {
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

  fieldsDefect(
    'refresh-token-type-capitalised-from-second-refresh',
    (request) =>
      ({ access_token }) =>
        request.generation(access_token) >= 2 ? { token_type: 'Bearer' } : {},
  ),

  fieldsDefect(
    'refresh-expires-in-string-from-second-refresh',
    (request) =>
      ({ access_token, expires_in }) =>
        request.generation(access_token) >= 2 ? { expires_in: String(expires_in) } : {},
  ),

  noted('refresh-fifth-for-an-hour', ({ lifetime }, request) => ({
    lifetime: {
      accessToken: (previous, now) =>
        previous !== undefined && request.generation(previous.accessToken) === 4
          ? HOUR
          : lifetime.accessToken(previous, now),
    },
  })),

  noted('refresh-after-expiry-expires-in-zero', ({ token, answer }, request) => {
    const late = new Set<string>();
    return {
      token: {
        value(kind, randomness, previous) {
          const value = token.value(kind, randomness, previous);
          if (kind === 'access' && previous !== undefined && request.now >= previous.expiresAt) {
            late.add(value);
          }
          return value;
        },
      },
      answer: {
        tokens: (issued) =>
          answer.tokens(late.has(issued.accessToken) ? { ...issued, expiresIn: 0 } : issued),
      },
    };
  }),
];
