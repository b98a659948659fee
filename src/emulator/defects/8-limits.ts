import type { Defect } from '../defect.ts';
import type { TokenPolicy } from '../policy.ts';
import type { IssuedPair } from '../records.ts';
import { type Refusal, type ResourceReason, refuse } from '../refusal.ts';
import { METHOD } from './5-authentication/anybody.ts';
import { defect } from './define-defect.ts';
import { generations } from './token-responses.ts';

const HOUR = 3_600;

/** Seconds by which a token dies too early, and by which it outlives its lifetime. */
const EARLY = 15;
const GRACE = 60;

/** Seconds by which clocks of two machines differ where nobody sets them. */
const SECONDS_EARLY = 5;

const EXPIRED = refuse('token-expired', 'the access token expired');

type Verdict = Refusal<ResourceReason> | undefined;

/** A defect that decides in its own way whether an access token has expired; `dead` is what the policy says. */
function expiring(
  id: string,
  decide: (token: TokenPolicy) => (pair: IssuedPair, now: number, dead: Verdict) => Verdict,
): Defect {
  return defect(id, ({ token }) => {
    const decided = decide(token);
    return { token: { check: (pair, now) => decided(pair, now, token.check(pair, now)) } };
  });
}

/** What the policy says, save that nothing has expired. */
function unlessExpired(dead: Verdict): Verdict {
  return dead?.refused === 'token-expired' ? undefined : dead;
}

/** Faults of clause 8: lifetimes. */
export const defects: readonly Defect[] = [
  expiring('lifetime-half', () => (pair, now, dead) => (now >= pair.issuedAt + HOUR ? EXPIRED : dead)),

  defect('lifetime-a-little-short-after-exchange', ({ token }) => {
    const { value, of } = generations(token);
    return {
      token: {
        value,
        check: (pair, now) =>
          of(pair.accessToken) === 'exchange' && now >= pair.expiresAt - EARLY
            ? EXPIRED
            : token.check(pair, now),
      },
    };
  }),

  expiring('lifetime-ends-when-idle', () => {
    const used = new WeakMap<IssuedPair, number>();
    return (pair, now, dead) => {
      const idle = now - (used.get(pair) ?? pair.issuedAt);
      used.set(pair, now);
      return idle > HOUR ? EXPIRED : dead;
    };
  }),

  defect('lifetime-second-application-never-ends', ({ token }) => {
    let first: string | undefined;
    return {
      token: {
        check(pair, now) {
          first ??= pair.grant.clientId;
          const dead = token.check(pair, now);
          return pair.grant.clientId === first ? dead : unlessExpired(dead);
        },
      },
    };
  }),

  defect('lifetime-writing-ends-early', ({ token }) => {
    let late = false;
    return {
      token: {
        check(pair, now) {
          late = now >= pair.issuedAt + HOUR;
          return token.check(pair, now);
        },
        permits: (operation, pair) =>
          late && operation !== 'list' ? EXPIRED : token.permits(operation, pair),
      },
    };
  }),

  expiring(
    'lifetime-ends-seconds-early',
    () => (pair, now, dead) => (now >= pair.expiresAt - SECONDS_EARLY ? EXPIRED : dead),
  ),

  expiring(
    'lifetime-ends-seconds-late',
    () => (pair, now, dead) => (now < pair.expiresAt + SECONDS_EARLY ? unlessExpired(dead) : dead),
  ),

  defect('lifetime-revived-by-refresh', ({ token, refresh }) => {
    const revived = new WeakSet<IssuedPair>();
    return {
      token: {
        check(pair, now) {
          const dead = token.check(pair, now);
          return revived.has(pair) ? unlessExpired(dead) : dead;
        },
      },
      refresh: {
        rotate(pair, fate, tokens) {
          revived.add(pair);
          return refresh.rotate(pair, fate, tokens);
        },
      },
    };
  }),

  expiring('lifetime-endless', () => (_pair, _now, dead) => unlessExpired(dead)),

  expiring(
    'lifetime-with-a-minute-of-grace',
    () => (pair, now, dead) => (now < pair.expiresAt + GRACE ? unlessExpired(dead) : dead),
  ),

  expiring('lifetime-prolonged-by-use', () => {
    const used = new WeakMap<IssuedPair, number>();
    return (pair, now, dead) => {
      const from = used.get(pair) ?? pair.issuedAt;
      if (now >= from + (pair.expiresAt - pair.issuedAt)) return dead;
      used.set(pair, now);
      return unlessExpired(dead);
    };
  }),

  defect('lifetime-over-for-all-but-unassign', ({ token }) => {
    let unassigning = false;
    return {
      token: {
        presented(request) {
          unassigning = request.method === METHOD.unassign;
          return token.presented(request);
        },
        check(pair, now) {
          const dead = token.check(pair, now);
          return unassigning ? unlessExpired(dead) : dead;
        },
      },
    };
  }),

  defect('lifetime-inherited-by-refresh', ({ lifetime }) => ({
    lifetime: {
      accessToken: (previous, now) =>
        previous !== undefined && now < previous.expiresAt
          ? previous.expiresAt - now
          : lifetime.accessToken(previous, now),
    },
  })),

  defect('lifetime-endless-after-refresh', ({ token }) => {
    const { value, of } = generations(token);
    return {
      token: {
        value,
        check(pair, now) {
          const dead = token.check(pair, now);
          return of(pair.accessToken) === 'refresh' ? unlessExpired(dead) : dead;
        },
      },
    };
  }),

  defect('lifetime-shorter-after-refresh', ({ lifetime }) => ({
    lifetime: {
      accessToken: (previous, now) => (previous === undefined ? lifetime.accessToken(previous, now) : HOUR),
    },
  })),

  defect('exchange-code-never-expires', () => ({ lifetime: { code: () => Number.POSITIVE_INFINITY } })),
  defect('exchange-code-lives-an-hour', () => ({ lifetime: { code: () => HOUR } })),
];
