import { kept } from '../../../../src/emulator/defects/2-1-token-response.ts';
import { forbidding, notKnowing, UNKNOWN } from '../../../../src/emulator/defects/at-resource-api.ts';
import { changing, type Defects } from '../../../../src/emulator/defects/define-defect.ts';
import type { Grant, IssuedPair } from '../../../../src/emulator/store/records.ts';
import { afterFirstRefresh } from '../at-resource-api.ts';

const LAG = 1;

export const tokens: Defects = {
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
  'refresh-access-token-kept-every-second-time': {
    summary: 'Every second refresh hands the access token out again.',
    breaks: ['refresh.new-access-token'],
    changes: kept('access', 2),
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
