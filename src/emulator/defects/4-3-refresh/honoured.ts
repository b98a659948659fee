import type { Grant } from '../../records.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import { afterFirstRefresh } from '../at-resource-api.ts';
import { changingFields } from '../at-token-endpoint.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';

function refreshesAtMost(most: number): Changes {
  return ({ refresh }) => {
    const times = new WeakMap<Grant, number>();
    return {
      refresh: {
        check(pair, exchange, now) {
          if ((times.get(pair.grant) ?? 0) >= most)
            return refuse('refresh-token-expired', `the grant was refreshed ${most} times`);
          return refresh.check(pair, exchange, now);
        },
        async rotate(pair, fate, tokens) {
          const overtaken = await refresh.rotate(pair, fate, tokens);
          if (overtaken === undefined) times.set(pair.grant, (times.get(pair.grant) ?? 0) + 1);
          return overtaken;
        },
      },
    };
  };
}

export const honoured: Defects = {
  'refresh-demands-basic': {
    summary: 'A refreshing client must authenticate by HTTP Basic; credentials in the form are overlooked.',
    severity: 'blunt',
    breaks: ['refresh.token-response'],
    changes: changing(
      'client.credentials',
      (base) => (request, parameters) =>
        parameters.get('grant_type') === 'refresh_token' && !/^basic /i.test(request.authorization)
          ? {}
          : base(request, parameters),
    ),
  },

  'refresh-response-without-refresh-token': {
    summary: 'A refresh yields an access token alone.',
    severity: 'blunt',
    breaks: ['refresh.token-response'],
    changes: changingFields(() => ({ refresh_token: undefined }), 'refresh'),
  },

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

  'refresh-once-a-grant': {
    summary: 'A grant can be refreshed once.',
    severity: 'blunt',
    breaks: ['refresh.chain'],
    changes: refreshesAtMost(1),
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

  'refresh-revokes-the-new-pair': {
    summary: 'A refresh revokes the pair that it issues and keeps the one that it replaces.',
    severity: 'blunt',
    reference: 'obot-platform/mcp-oauth-proxy#45',
    breaks: ['refresh.new-token-acts', 'refresh.chain'],
    changes: ({ token, refresh }) => ({
      token: {
        check: (pair, now) =>
          pair.refreshed ? refuse('token-revoked', 'the access token was revoked') : token.check(pair, now),
      },
      refresh: {
        check: (pair, exchange, now) =>
          pair.refreshed
            ? refuse('refresh-token-unknown', 'the refresh token is gone')
            : refresh.check(pair, exchange, now),
        rotate: (pair, fate, tokens) => refresh.rotate(pair, { ...fate, refreshToken: 'never' }, tokens),
      },
    }),
  },
};
