import { refreshesAtMost } from '../../../../src/emulator/defects/4-3-refresh.ts';
import { changingFields } from '../../../../src/emulator/defects/at-token-endpoint.ts';
import type { Defects } from '../../../../src/emulator/defects/define-defect.ts';
import { isRefusal, refuse } from '../../../../src/emulator/refusal.ts';
import { afterFirstRefresh } from '../at-resource-api.ts';

export const honoured: Defects = {
  'refresh-response-refresh-token-empty': {
    summary: 'The refresh_token of a refresh is an empty string.',
    breaks: ['refresh.token-response'],
    changes: changingFields(() => ({ refresh_token: '' }), 'refresh'),
  },

  'refresh-second-without-refresh-token': {
    summary: 'The second refresh of a grant yields an access token and no refresh token.',
    breaks: ['refresh.chain'],
    changes: afterFirstRefresh((policy, isLater) =>
      changingFields((_, { accessToken }) => (isLater(accessToken) ? { refresh_token: undefined } : {}))(
        policy,
      ),
    ),
  },
  'refresh-four-times-a-grant': {
    summary: 'A grant can be refreshed four times, then the user is asked again.',
    breaks: ['refresh.chain'],
    changes: refreshesAtMost(4),
  },
  'refresh-five-times-a-grant': {
    summary: 'A grant can be refreshed five times, and the refresh token of the fifth response is void.',
    breaks: ['refresh.chain'],
    changes: refreshesAtMost(5),
  },

  'refresh-ten-times-a-grant': {
    summary: 'A grant can be refreshed ten times, then the user is asked again.',
    breaks: ['refresh.chain'],
    changes: refreshesAtMost(10),
  },
  'refresh-token-spent-by-refused-request': {
    summary: 'A request without grant_type is refused, but its refresh token is removed from the store.',
    breaks: ['refresh.token-response'],
    changes: ({ client, refresh }) => {
      const spent = new Set<string>();
      return {
        client: {
          grantType(parameters) {
            const type = client.grantType(parameters);
            const sent = parameters.get('refresh_token');
            if (isRefusal(type) && type.refused === 'grant-type-missing' && sent) spent.add(sent);
            return type;
          },
        },
        refresh: {
          find: (value, store) =>
            spent.has(value)
              ? refuse('refresh-token-unknown', 'a refused request has taken it out of the store')
              : refresh.find(value, store),
        },
      };
    },
  },

  'refresh-old-token-stays-the-good-one': {
    summary: 'A refresh hands out a new refresh token and goes on to accept the first one alone.',
    breaks: ['refresh.chain'],
    changes: ({ token, refresh, answer }) => {
      const shown = new Map<string, string>();
      return {
        token: {
          value(kind, randomness, previous) {
            const fresh = token.value(kind, randomness, previous);
            if (kind === 'access' || previous === undefined) return fresh;
            shown.set(previous.refreshToken, fresh);
            return previous.refreshToken;
          },
        },
        refresh: {
          rotate: (pair, fate, tokens) => refresh.rotate(pair, { ...fate, refreshToken: 'never' }, tokens),
        },
        answer: {
          tokens: (issued) =>
            answer.tokens({ ...issued, refreshToken: shown.get(issued.refreshToken) ?? issued.refreshToken }),
        },
      };
    },
  },
};
