import { refuse } from '../refusal.ts';
import type { Grant } from '../store/records.ts';
import { parseScopes } from '../store/scopes.ts';
import { byId, changingFields, identifying, refreshingForAnybody } from './at-token-endpoint.ts';
import { type Changes, changing, type Defects } from './define-defect.ts';

export function refreshesAtMost(most: number): Changes {
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

export const defects: Defects = {
  'refresh-demands-basic': {
    summary: 'A refreshing client must authenticate by HTTP Basic; credentials in the form are overlooked.',
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
    breaks: ['refresh.token-response'],
    changes: changingFields(() => ({ refresh_token: undefined }), 'refresh'),
  },

  'refresh-once-a-grant': {
    summary: 'A grant can be refreshed once.',
    breaks: ['refresh.chain'],
    changes: refreshesAtMost(1),
  },

  'refresh-revokes-the-new-pair': {
    summary: 'A refresh revokes the pair that it issues and keeps the one that it replaces.',
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

  'refresh-secret-unchecked': {
    summary: 'A refreshing client needs no secret, and a wrong one does no harm.',
    reference: 'rancher/rancher#54401',
    breaks: ['refresh.requires-client-secret', 'refresh.client-secret-checked'],
    changes: identifying('refresh_token', byId),
  },
  'refresh-any-client': {
    summary: 'A refresh token can be used by every client.',
    reference: 'authlib/authlib#139',
    breaks: ['refresh.bound-to-client'],
    changes: refreshingForAnybody,
  },

  'refresh-scope-lost': {
    summary: 'A refresh without scope yields a token with the default scope.',
    reference: 'mozilla/fxa#2408',
    breaks: ['refresh.scope-kept', 'scope.granted-scopes-act', 'refresh.new-token-acts'],
    changes: changing(
      'refresh.scopes',
      (base) => (pair, exchange) =>
        (exchange.scope === undefined && pair.scopes.includes('read') ? parseScopes('read') : undefined) ??
        base(pair, exchange),
    ),
  },
};
