import { refuse, withFinerReason } from '../refusal.ts';
import { includesScopes, parseScopes, scopeSet } from '../store/scopes.ts';
import { revocationOf } from './code.ts';
import type { PairFate, RefreshPolicy } from './policy.ts';
import type { Answers } from './profile.ts';

export function refreshPolicy(answers: Answers): RefreshPolicy {
  const fate: PairFate = {
    accessToken: answers['refresh-fate.old-access-token'] ?? 'never',
    refreshToken: answers['refresh-fate.old-refresh-token'],
  };
  const onReuse = answers['refresh-fate.reuse'] === 'revokes-the-grant' ? revocationOf(answers) : 'keep';
  const grace = answers['refresh-fate.grace-seconds'];
  const graceSeconds = typeof grace === 'number' ? grace : Number.POSITIVE_INFINITY;
  const givesAgain = answers['refresh-fate.successor'] === 'same-pair';
  const beforeExpiry = answers['refresh-fate.before-expiry'];
  const narrower = answers['scope-requests.narrower-on-refresh'];
  const wider = answers['scope-requests.wider-on-refresh'];

  return {
    find: (value, store) =>
      store.tokens.byRefreshToken(value) ??
      refuse('refresh-token-unknown', 'no such refresh token was issued'),

    verdict: (client, token) => client ?? token,

    check(pair, { application }, now) {
      if (pair.grant.clientId !== application.clientId) {
        return refuse(
          'refresh-token-of-other-client',
          `the refresh token was issued to ${pair.grant.clientId}`,
        );
      }
      if (pair.refreshRevoked || pair.grant.revoked) {
        return refuse('refresh-token-revoked', 'the refresh token was replaced or revoked');
      }
      const replacedAt = pair.successor?.issuedAt ?? now;
      if (now - replacedAt >= graceSeconds) {
        return refuse('refresh-token-revoked', `the refresh token was replaced ${now - replacedAt} s ago`);
      }
      if (now >= pair.refreshExpiresAt) {
        return refuse(
          'refresh-token-expired',
          `the refresh token expired ${now - pair.refreshExpiresAt} s ago`,
        );
      }
      if (!beforeExpiry && now < pair.expiresAt) {
        return refuse('refresh-too-early', `the access token lives for ${pair.expiresAt - now} s more`);
      }
      return undefined;
    },

    scopes(pair, { scope }) {
      if (scope === undefined) return pair.scopes;
      const asked = parseScopes(scope);
      if (asked === undefined || !includesScopes(pair.scopes, asked)) {
        if (wider === 'refused') {
          return refuse('scope-wider', `the grant has ${pair.scopes.join(' ')}, asked was ${scope}`, 'scope');
        }
        return pair.scopes;
      }
      if (asked.length === 0 || asked === pair.scopes) return pair.scopes;
      if (narrower === 'granted') return scopeSet(pair.scopes.filter((one) => asked.includes(one)));
      if (narrower !== 'refused') return pair.scopes;
      return withFinerReason(
        refuse('scope-wider', `asked was ${scope}, other than granted`, 'scope'),
        'scope-narrower',
      );
    },

    rotate(pair, { refreshToken }, tokens) {
      if (pair.refreshRevoked) return refuse('refresh-token-revoked', 'another refresh was faster');
      if (refreshToken === 'at-once') tokens.revokeRefresh(pair);
      return undefined;
    },

    fate: () => fate,

    again({ successor }, scopes) {
      if (!givesAgain || successor === undefined || successor.scopes !== scopes) return undefined;
      const isUsed = successor.supersedes === undefined || successor.successor !== undefined;
      return isUsed ? undefined : successor;
    },

    onReuse: () => onReuse,
  };
}
