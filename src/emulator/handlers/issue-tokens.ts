import type { IssuedTokens } from '../policy.ts';
import type { Grant, IssuedPair } from '../records.ts';
import type { Scopes } from '../scopes.ts';
import type { Service } from '../service.ts';

/** Makes and stores a token pair; `previous` is the pair that a refresh replaces. */
export function issuePair(
  { policy, store, clock, randomness }: Service,
  grant: Grant,
  scopes: Scopes,
  previous?: IssuedPair,
): IssuedPair {
  const now = clock.now();
  const refreshLifetime = policy.lifetime.refreshToken(previous, now);
  const pair: IssuedPair = {
    accessToken: policy.token.value('access', randomness, previous),
    refreshToken: policy.token.value('refresh', randomness, previous),
    accessOrdinal: 0,
    refreshOrdinal: 0,
    grant,
    scopes,
    issuedAt: now,
    expiresAt: now + policy.lifetime.accessToken(previous, now),
    refreshExpiresAt: Number.isFinite(refreshLifetime) ? now + refreshLifetime : undefined,
    accessRevoked: false,
    refreshRevoked: false,
    supersedes: undefined,
  };
  store.tokens.add(pair);
  return pair;
}

/** What a token response tells of a pair. */
export function issuedTokens(pair: IssuedPair, now: number): IssuedTokens {
  return {
    accessToken: pair.accessToken,
    refreshToken: pair.refreshToken,
    expiresIn: Math.round(pair.expiresAt - now),
    scopes: pair.scopes,
    issuedAt: pair.issuedAt,
  };
}
