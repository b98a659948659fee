import type { Grant, IssuedPair } from '../../records.ts';
import { refuse } from '../../refusal.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';
import { generations } from '../token-responses.ts';

const LAG = 1;

const UNKNOWN = refuse('token-unknown', 'no such access token was issued');

function everySecondTime(): (grant: Grant) => boolean {
  const times = new WeakMap<Grant, number>();
  return (grant) => {
    const time = (times.get(grant) ?? 0) + 1;
    times.set(grant, time);
    return time % 2 === 0;
  };
}

function kept(which: 'access' | 'refresh', often: 'always' | 'every-second-time'): Changes {
  return changing('token.value', (base) => {
    const second = everySecondTime();
    return (kind, randomness, previous) => {
      const fresh = base(kind, randomness, previous);
      if (previous === undefined || kind !== which) return fresh;
      if (often === 'every-second-time' && !second(previous.grant)) return fresh;
      return kind === 'access' ? previous.accessToken : previous.refreshToken;
    };
  });
}

export const tokens: Defects = {
  'exchange-token-never-acts': {
    summary: 'The resource API does not know the access tokens of exchanges, only those of refreshes.',
    severity: 'blunt',
    breaks: ['exchange.token-acts'],
    changes: ({ token }) => {
      const { value, of } = generations(token);
      return {
        token: {
          value,
          check: (pair, now) => (of(pair.accessToken) === 'exchange' ? UNKNOWN : token.check(pair, now)),
        },
      };
    },
  },

  'exchange-token-acts-a-second-late': {
    summary: 'An access token is not known to the resource API in the second in which it is issued.',
    breaks: ['exchange.token-acts'],
    changes: changing(
      'token.check',
      (base) => (pair, now) => (now - pair.issuedAt < LAG ? UNKNOWN : base(pair, now)),
    ),
  },

  'exchange-token-unknown-where-written': {
    summary:
      'The access token of an exchange is known where lists are read and unknown where users are assigned.',
    breaks: ['exchange.token-acts'],
    changes: ({ token }) => {
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
    },
  },

  'refresh-token-not-rotated': {
    summary: 'A refresh gives the refresh token back that was sent.',
    severity: 'blunt',
    reference: 'navikt/mock-oauth2-server#638',
    breaks: ['refresh.new-refresh-token'],
    changes: kept('refresh', 'always'),
  },
  'refresh-token-rotated-every-second-time': {
    summary: 'Every second refresh gives the refresh token back that was sent.',
    breaks: ['refresh.new-refresh-token'],
    changes: kept('refresh', 'every-second-time'),
  },

  'refresh-token-of-two-values': {
    summary: 'A grant has two refresh tokens, which take turns.',
    breaks: ['refresh.new-refresh-token'],
    changes: changing('token.value', (base) => {
      const before = new WeakMap<Grant, string>();
      return (kind, randomness, previous) => {
        const fresh = base(kind, randomness, previous);
        if (previous === undefined || kind !== 'refresh') return fresh;
        const value = before.get(previous.grant) ?? fresh;
        before.set(previous.grant, previous.refreshToken);
        return value;
      };
    }),
  },

  'refresh-access-token-kept': {
    summary: 'A refresh prolongs the access token and hands it out again.',
    severity: 'blunt',
    breaks: ['refresh.new-access-token'],
    changes: kept('access', 'always'),
  },
  'refresh-access-token-kept-every-second-time': {
    summary: 'Every second refresh hands the access token out again.',
    breaks: ['refresh.new-access-token'],
    changes: kept('access', 'every-second-time'),
  },

  'refresh-new-token-dead': {
    summary: 'The resource API does not know the access tokens of refreshes.',
    severity: 'blunt',
    breaks: ['refresh.new-token-acts'],
    changes: ({ token }) => {
      const { value, of } = generations(token);
      return {
        token: {
          value,
          check: (pair, now) => (of(pair.accessToken) === 'refresh' ? UNKNOWN : token.check(pair, now)),
        },
      };
    },
  },

  'refresh-new-token-acts-once': {
    summary: 'The access token of a refresh is accepted once.',
    breaks: ['refresh.new-token-acts'],
    changes: ({ token }) => {
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
    },
  },

  'refresh-second-new-token-dead': {
    summary: 'Only the first refresh of a grant yields an access token that works.',
    breaks: ['refresh.new-token-acts'],
    changes: ({ token }) => {
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
    },
  },
};
