import type { Grant, IssuedPair } from '../../records.ts';
import { afterFirstRefresh, forbidding, notKnowing, UNKNOWN } from '../at-resource-api.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';

const LAG = 1;

function kept(which: 'access' | 'refresh', everyNth: number): Changes {
  return changing('token.value', (base) => {
    const refreshes = new WeakMap<Grant, number>();
    return (kind, randomness, previous) => {
      const fresh = base(kind, randomness, previous);
      if (previous === undefined || kind !== which) return fresh;
      const nth = (refreshes.get(previous.grant) ?? 0) + 1;
      refreshes.set(previous.grant, nth);
      if (nth % everyNth !== 0) return fresh;
      return kind === 'access' ? previous.accessToken : previous.refreshToken;
    };
  });
}

export const tokens: Defects = {
  'exchange-token-never-acts': {
    summary: 'The resource API does not know the access tokens of exchanges, only those of refreshes.',
    severity: 'blunt',
    breaks: ['exchange.token-acts'],
    changes: notKnowing((pair) => !pair.refreshed),
  },

  'exchange-token-acts-a-second-late': {
    summary: 'An access token is not known to the resource API in the second in which it is issued.',
    breaks: ['exchange.token-acts'],
    changes: notKnowing((pair, now) => now - pair.issuedAt < LAG),
  },

  'exchange-token-unknown-where-written': {
    summary:
      'The access token of an exchange is known where lists are read and unknown where users are assigned.',
    breaks: ['exchange.token-acts'],
    changes: forbidding(UNKNOWN, (operation, pair) => operation !== 'list' && !pair.refreshed),
  },

  'refresh-token-not-rotated': {
    summary: 'A refresh gives the refresh token back that was sent.',
    severity: 'blunt',
    reference: 'navikt/mock-oauth2-server#638',
    breaks: ['refresh.new-refresh-token'],
    changes: kept('refresh', 1),
  },
  'refresh-token-rotated-every-second-time': {
    summary: 'Every second refresh gives the refresh token back that was sent.',
    breaks: ['refresh.new-refresh-token'],
    changes: kept('refresh', 2),
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
    changes: kept('access', 1),
  },
  'refresh-access-token-kept-every-second-time': {
    summary: 'Every second refresh hands the access token out again.',
    breaks: ['refresh.new-access-token'],
    changes: kept('access', 2),
  },

  'refresh-new-token-dead': {
    summary: 'The resource API does not know the access tokens of refreshes.',
    severity: 'blunt',
    breaks: ['refresh.new-token-acts'],
    changes: notKnowing((pair) => pair.refreshed),
  },

  'refresh-new-token-acts-once': {
    summary: 'The access token of a refresh is accepted once.',
    breaks: ['refresh.new-token-acts'],
    changes: changing('token.check', (base) => {
      const used = new WeakSet<IssuedPair>();
      return (pair, now) => {
        if (pair.refreshed && used.has(pair)) return UNKNOWN;
        used.add(pair);
        return base(pair, now);
      };
    }),
  },

  'refresh-second-new-token-dead': {
    summary: 'Only the first refresh of a grant yields an access token that works.',
    breaks: ['refresh.new-token-acts'],
    changes: afterFirstRefresh(({ token }, isLater) => ({
      token: { check: (pair, now) => (isLater(pair.accessToken) ? UNKNOWN : token.check(pair, now)) },
    })),
  },
};
