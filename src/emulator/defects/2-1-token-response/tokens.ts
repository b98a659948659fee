import type { Defect } from '../../defect.ts';
import type { Grant, IssuedPair } from '../../records.ts';
import { refuse } from '../../refusal.ts';
import { defect } from '../define-defect.ts';
import { generations } from '../token-responses.ts';

/** Seconds for which a new token is not known everywhere. */
const LAG = 1;

const UNKNOWN = refuse('token-unknown', 'no such access token was issued');

/** How often each grant was refreshed: true for every second time. */
function everySecondTime(): (grant: Grant) => boolean {
  const times = new WeakMap<Grant, number>();
  return (grant) => {
    const time = (times.get(grant) ?? 0) + 1;
    times.set(grant, time);
    return time % 2 === 0;
  };
}

/** A defect that hands out the token of the previous pair again, at every refresh or at every second. */
function kept(id: string, which: 'access' | 'refresh', often: 'always' | 'every-second-time'): Defect {
  return defect(id, ({ token }) => {
    const second = everySecondTime();
    return {
      token: {
        value(kind, randomness, previous) {
          const fresh = token.value(kind, randomness, previous);
          if (previous === undefined || kind !== which) return fresh;
          if (often === 'every-second-time' && !second(previous.grant)) return fresh;
          return kind === 'access' ? previous.accessToken : previous.refreshToken;
        },
      },
    };
  });
}

/** Faults of what the tokens of a response are good for, and of their renewal (clause 2.1 with rule 1). */
export const tokens: readonly Defect[] = [
  defect('exchange-token-never-acts', ({ token }) => {
    const { value, of } = generations(token);
    return {
      token: {
        value,
        check: (pair, now) => (of(pair.accessToken) === 'exchange' ? UNKNOWN : token.check(pair, now)),
      },
    };
  }),

  defect('exchange-token-acts-a-second-late', ({ token }) => ({
    token: { check: (pair, now) => (now - pair.issuedAt < LAG ? UNKNOWN : token.check(pair, now)) },
  })),

  defect('exchange-token-unknown-where-written', ({ token }) => {
    const { value, of } = generations(token);
    return {
      token: {
        value,
        permits: (operation, pair) =>
          operation !== 'list' && of(pair.accessToken) === 'exchange'
            ? UNKNOWN
            : token.permits(operation, pair),
      },
    };
  }),

  kept('refresh-token-not-rotated', 'refresh', 'always'),
  kept('refresh-token-rotated-every-second-time', 'refresh', 'every-second-time'),

  defect('refresh-token-of-two-values', ({ token }) => {
    const before = new WeakMap<Grant, string>();
    return {
      token: {
        value(kind, randomness, previous) {
          const fresh = token.value(kind, randomness, previous);
          if (previous === undefined || kind !== 'refresh') return fresh;
          const value = before.get(previous.grant) ?? fresh;
          before.set(previous.grant, previous.refreshToken);
          return value;
        },
      },
    };
  }),

  kept('refresh-access-token-kept', 'access', 'always'),
  kept('refresh-access-token-kept-every-second-time', 'access', 'every-second-time'),

  defect('refresh-new-token-dead', ({ token }) => {
    const { value, of } = generations(token);
    return {
      token: {
        value,
        check: (pair, now) => (of(pair.accessToken) === 'refresh' ? UNKNOWN : token.check(pair, now)),
      },
    };
  }),

  defect('refresh-new-token-acts-once', ({ token }) => {
    const { value, of } = generations(token);
    const used = new WeakSet<IssuedPair>();
    return {
      token: {
        value,
        check(pair, now) {
          if (of(pair.accessToken) === 'refresh' && used.has(pair)) return UNKNOWN;
          used.add(pair);
          return token.check(pair, now);
        },
      },
    };
  }),

  defect('refresh-second-new-token-dead', ({ token }) => {
    const { value, of } = generations(token);
    const second = new Set<string>();
    return {
      token: {
        value(kind, randomness, previous) {
          const fresh = value(kind, randomness, previous);
          if (kind === 'access' && previous !== undefined && of(previous.accessToken) === 'refresh')
            second.add(fresh);
          return fresh;
        },
        check: (pair, now) => (second.has(pair.accessToken) ? UNKNOWN : token.check(pair, now)),
      },
    };
  }),
];
