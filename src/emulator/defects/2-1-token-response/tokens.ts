import type { Grant } from '../../records.ts';
import { notKnowing } from '../at-resource-api.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';

export function kept(which: 'access' | 'refresh', everyNth: number): Changes {
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
    breaks: ['exchange.token-acts'],
    changes: notKnowing((pair) => !pair.refreshed),
  },

  'refresh-token-not-rotated': {
    summary: 'A refresh gives the refresh token back that was sent.',
    reference: 'navikt/mock-oauth2-server#638',
    breaks: ['refresh.new-refresh-token'],
    changes: kept('refresh', 1),
  },

  'refresh-access-token-kept': {
    summary: 'A refresh prolongs the access token and hands it out again.',
    breaks: ['refresh.new-access-token'],
    changes: kept('access', 1),
  },

  'refresh-new-token-dead': {
    summary: 'The resource API does not know the access tokens of refreshes.',
    breaks: ['refresh.new-token-acts'],
    changes: notKnowing((pair) => pair.refreshed),
  },
};
