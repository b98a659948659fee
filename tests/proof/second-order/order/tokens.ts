import { changing } from '../../../../src/emulator/defects/define-defect.ts';
import type { AuthorizationCode, Grant, IssuedPair } from '../../../../src/emulator/store/records.ts';
import type { SecondOrderDefects } from '../define-second-order.ts';
import { goodAgainAfter } from '../tools/codes.ts';
import { noted } from '../tools/noted.ts';
import { dying, EXPIRED, isExpired, marking, withFields } from '../tools/tokens.ts';

const MINUTE = 60;
const TEN_MINUTES = 600;
const LIFETIME = 7_200;
const SIX_HOURS = 21_600;
const DAY = 86_400;

/** Seconds after a day during which an expired token is taken for a live one. */
const TWO_HOURS_ON = 7_200;

/** Seconds within which a repeated refresh is taken for a client's retry. */
const RETRY_SECONDS = 10;

/** Number of remembered used codes. */
const CODES_REMEMBERED = 3;

/** Faults of codes and tokens that depend on the order of requests and on time. */
export const tokens: SecondOrderDefects = {
  'exchange-code-good-again-after-ten-minutes': {
    summary: 'A used code is accepted again from 600 s after its exchange on.',
    breaks: ['exchange.code-single-use'],
    changes: goodAgainAfter(TEN_MINUTES),
  },

  'exchange-code-good-again-after-a-day': {
    summary: 'A used code is accepted again from 86,400 s after its exchange on.',
    breaks: ['exchange.code-single-use'],
    changes: goodAgainAfter(DAY),
  },

  'exchange-code-good-again-after-three-others': {
    summary: 'A used code is accepted again after three other codes were exchanged.',
    breaks: ['exchange.code-single-use'],
    changes: changing('code.redeem', (base) => {
      const used: AuthorizationCode[] = [];
      return async (record, exchange, now) => {
        const refused = await base(record, exchange, now);
        if (refused === undefined) used.push(record);
        if (used.length > CODES_REMEMBERED) {
          const forgotten = used.shift();
          if (forgotten !== undefined) forgotten.usedAt = undefined;
        }
        return refused;
      };
    }),
  },

  'exchange-address-of-newest-code-compared': {
    summary:
      'When a client has two codes, the redirect_uri of the older is compared with the address of the newer.',
    // Both ways round: the older code goes with the newer's address, and its own rightful exchange is refused.
    breaks: ['exchange.redirect-uri-same-among-authorized', 'exchange.form-encoded'],
    changes: noted(({ code, answer }, request) => {
      const newest = new Map<string, string>();
      return {
        answer: {
          authorization(outcome) {
            const { clientId = '' } = request.application ?? {};
            if (outcome.parameters.some(([name]) => name === 'code'))
              newest.set(clientId, outcome.redirectUri);
            return answer.authorization(outcome);
          },
        },
        code: {
          check(record, exchange, now) {
            const redirectUri = newest.get(record.grant.clientId) ?? record.redirectUri;
            return code.check({ ...record, redirectUri }, exchange, now);
          },
        },
      };
    }),
  },

  'lifetime-ends-at-midnight': {
    summary: 'An access token dies at the end of the day (UTC) on which it was issued.',
    breaks: ['lifetime.alive-until-7200', 'lifetime.refreshed-full'],
    changes: dying(
      () => (pair, now, dead) =>
        Math.floor(now / DAY) > Math.floor(pair.issuedAt / DAY) ? (dead ?? EXPIRED) : dead,
    ),
  },

  'lifetime-begins-again-after-a-day': {
    summary: 'An expired access token works again between 86,400 s and 93,600 s after it was issued.',
    breaks: ['lifetime.dead-after-7200', 'lifetime.refreshed-full'],
    changes: dying(() => (pair, now, dead) => {
      const age = now - pair.issuedAt;
      return isExpired(dead) && age >= DAY && age < DAY + TWO_HOURS_ON ? undefined : dead;
    }),
  },

  'refresh-after-a-day-born-dead': {
    summary:
      'A refresh 86,400 s or more after the latest token response answers with an access token that is refused at once.',
    breaks: ['refresh.new-token-acts', 'refresh.after-expiry'],
    changes: noted(({ token }, request) => {
      const dead = new Set<string>();
      return {
        token: {
          value: marking(token.value, dead, ({ issuedAt }) => request.now >= issuedAt + DAY),
          check: (pair, now) => (dead.has(pair.accessToken) ? EXPIRED : token.check(pair, now)),
        },
      };
    }),
  },

  'refresh-retry-answered-with-same-pair': {
    summary:
      'A refresh token that is sent again within 10 s is answered with the same pair as the first time.',
    breaks: ['refresh.new-refresh-token', 'refresh.new-access-token'],
    changes: noted(({ token, refresh }, request) => {
      const given = new WeakMap<IssuedPair, { readonly at: number; access?: string; refresh?: string }>();
      const again = new WeakSet<IssuedPair>();
      return {
        refresh: {
          check(pair, exchange, now) {
            const first = given.get(pair);
            if (first === undefined || now > first.at + RETRY_SECONDS) {
              again.delete(pair);
              return refresh.check(pair, exchange, now);
            }
            again.add(pair);
            return undefined;
          },
          rotate: (pair, fate, all) => (again.has(pair) ? undefined : refresh.rotate(pair, fate, all)),
        },
        token: {
          value(kind, randomness, previous) {
            const first = previous && given.get(previous);
            const repeated = previous !== undefined && again.has(previous) ? first?.[kind] : undefined;
            if (repeated !== undefined) return repeated;
            const value = token.value(kind, randomness, previous);
            if (previous !== undefined) {
              given.set(previous, { ...(first ?? { at: request.now }), [kind]: value });
            }
            return value;
          },
        },
      };
    }),
  },

  'refresh-of-chains-in-turn-crossed': {
    summary:
      'When two chains are refreshed in turn, the third of these refreshes answers with the refresh token of the other chain.',
    breaks: ['refresh.new-refresh-token'],
    changes: noted(
      changing('token.value', (base) => {
        let latest: readonly Grant[] = [];
        return (kind, randomness, previous) => {
          if (kind !== 'refresh' || previous === undefined) return base(kind, randomness, previous);
          const [before, last] = latest;
          latest = [...latest.slice(-1), previous.grant];
          const inTurn = before === previous.grant && last !== undefined && last !== previous.grant;
          return (inTurn ? last.latest?.refreshToken : undefined) ?? base(kind, randomness, previous);
        };
      }),
    ),
  },

  'lifetime-of-late-refresh-from-old-token': {
    summary: 'A refresh in the last 60 s of an access token gives one that dies together with it.',
    breaks: ['lifetime.refreshed-full'],
    changes: noted(({ token }, request) => {
      const ends = new Map<string, number>();
      return {
        token: {
          value(kind, randomness, previous) {
            const value = token.value(kind, randomness, previous);
            const left = previous === undefined ? 0 : previous.expiresAt - request.now;
            if (kind === 'access' && previous !== undefined && left > 0 && left <= MINUTE) {
              ends.set(value, previous.expiresAt);
            }
            return value;
          },
          check: (pair, now) =>
            now >= (ends.get(pair.accessToken) ?? Number.POSITIVE_INFINITY)
              ? EXPIRED
              : token.check(pair, now),
        },
      };
    }),
  },

  'token-first-response-after-six-hours-without-refresh-token': {
    summary: 'The first token response after 6 hours without token requests has no refresh_token.',
    breaks: ['exchange.token-response', 'refresh.token-response'],
    changes: ({ code, refresh, answer }) => {
      let latest: number | undefined;
      let idle = false;
      const asked = (now: number) => {
        idle = latest !== undefined && now - latest >= SIX_HOURS;
        latest = now;
      };
      return {
        code: {
          check(record, exchange, now) {
            asked(now);
            return code.check(record, exchange, now);
          },
        },
        refresh: {
          check(pair, exchange, now) {
            asked(now);
            return refresh.check(pair, exchange, now);
          },
        },
        answer: {
          tokens: withFields(answer, () => {
            const first = idle;
            idle = false;
            return first ? { refresh_token: undefined } : {};
          }),
        },
      };
    },
  },

  'refresh-two-hours-after-expiry-capitalised': {
    summary:
      'A refresh more than 7200 s after the expiry of the access token answers with token_type `Bearer`.',
    breaks: ['refresh.token-type-bearer'],
    changes: noted(({ token, answer }, request) => {
      const late = new Set<string>();
      return {
        token: { value: marking(token.value, late, ({ expiresAt }) => request.now > expiresAt + LIFETIME) },
        answer: {
          tokens: withFields(answer, ({ access_token }) =>
            late.has(access_token) ? { token_type: 'Bearer' } : {},
          ),
        },
      };
    }),
  },
};
