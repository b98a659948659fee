import type { Defect } from '../../../../src/emulator/defect.ts';
import { defect } from '../../../../src/emulator/defects/define-defect.ts';
import type { AuthorizationCode, Grant, IssuedPair } from '../../../../src/emulator/records.ts';
import { goodAgainAfter } from '../tools/codes.ts';
import { noted } from '../tools/noted.ts';
import { dying, EXPIRED, isExpired, withFields } from '../tools/tokens.ts';

const MINUTE = 60;
const TEN_MINUTES = 600;
const LIFETIME = 7_200;
const SIX_HOURS = 21_600;
const DAY = 86_400;

/** Seconds after a day during which an expired token is taken for a live one. */
const TWO_HOURS_ON = 7_200;

/** Seconds within which a repeated refresh is taken for a client's retry. */
const RETRY_SECONDS = 10;

/** How many used codes are remembered. */
const CODES_REMEMBERED = 3;

/** Faults of codes and tokens that depend on the order of requests and on time. */
export const tokens: readonly Defect[] = [
  goodAgainAfter('exchange-code-good-again-after-ten-minutes', TEN_MINUTES),

  goodAgainAfter('exchange-code-good-again-after-a-day', DAY),

  defect('exchange-code-good-again-after-three-others', ({ code }) => {
    const used: AuthorizationCode[] = [];
    return {
      code: {
        async redeem(record, exchange, now) {
          const refused = await code.redeem(record, exchange, now);
          if (refused === undefined) used.push(record);
          if (used.length > CODES_REMEMBERED) {
            const forgotten = used.shift();
            if (forgotten !== undefined) forgotten.usedAt = undefined;
          }
          return refused;
        },
      },
    };
  }),

  noted('exchange-address-of-newest-code-compared', ({ code, answer }, request) => {
    const newest = new Map<string, string>();
    return {
      answer: {
        authorization(outcome) {
          const { clientId = '' } = request.application ?? {};
          if (outcome.parameters.some(([name]) => name === 'code')) newest.set(clientId, outcome.redirectUri);
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

  dying(
    'lifetime-ends-at-midnight',
    () => (pair, now, dead) =>
      Math.floor(now / DAY) > Math.floor(pair.issuedAt / DAY) ? (dead ?? EXPIRED) : dead,
  ),

  dying('lifetime-begins-again-after-a-day', () => (pair, now, dead) => {
    const age = now - pair.issuedAt;
    return isExpired(dead) && age >= DAY && age < DAY + TWO_HOURS_ON ? undefined : dead;
  }),

  noted('refresh-after-a-day-born-dead', ({ token }, request) => {
    const dead = new Set<string>();
    return {
      token: {
        value(kind, randomness, previous) {
          const value = token.value(kind, randomness, previous);
          if (kind === 'access' && previous !== undefined && request.now >= previous.issuedAt + DAY) {
            dead.add(value);
          }
          return value;
        },
        check: (pair, now) => (dead.has(pair.accessToken) ? EXPIRED : token.check(pair, now)),
      },
    };
  }),

  noted('refresh-retry-answered-with-same-pair', ({ token, refresh }, request) => {
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

  noted('refresh-of-chains-in-turn-crossed', ({ token }) => {
    let latest: readonly Grant[] = [];
    return {
      token: {
        value(kind, randomness, previous) {
          if (kind !== 'refresh' || previous === undefined) return token.value(kind, randomness, previous);
          const [before, last] = latest;
          latest = [...latest.slice(-1), previous.grant];
          const inTurn = before === previous.grant && last !== undefined && last !== previous.grant;
          return (inTurn ? last.latest?.refreshToken : undefined) ?? token.value(kind, randomness, previous);
        },
      },
    };
  }),

  noted('lifetime-of-late-refresh-from-old-token', ({ token }, request) => {
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
          now >= (ends.get(pair.accessToken) ?? Number.POSITIVE_INFINITY) ? EXPIRED : token.check(pair, now),
      },
    };
  }),

  defect('token-first-response-after-six-hours-without-refresh-token', ({ code, refresh, answer }) => {
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
  }),

  noted('refresh-two-hours-after-expiry-capitalised', ({ token, answer }, request) => {
    const late = new Set<string>();
    return {
      token: {
        value(kind, randomness, previous) {
          const value = token.value(kind, randomness, previous);
          if (kind === 'access' && previous && request.now > previous.expiresAt + LIFETIME) late.add(value);
          return value;
        },
      },
      answer: {
        tokens: withFields(answer, ({ access_token }) =>
          late.has(access_token) ? { token_type: 'Bearer' } : {},
        ),
      },
    };
  }),
];
