import type { IssuedTokens, Revocation } from '../policy.ts';
import { type Grant, IssuedPair, type PairTerms } from '../records.ts';
import type { Scopes } from '../scopes.ts';
import type { Service } from '../service.ts';
import type { Store } from '../store.ts';

export function issuePair(
  { policy, store, clock, randomness }: Service,
  grant: Grant,
  scopes: Scopes,
  previous?: IssuedPair,
): IssuedPair {
  const now = clock.now();
  const terms = {
    grant,
    scopes,
    accessLifetime: policy.lifetime.accessToken(previous, now),
    refreshLifetime: policy.lifetime.refreshToken(previous, now),
    refreshed: previous !== undefined,
  };
  const pair = new IssuedPair(
    policy.token.value('access', randomness, previous),
    policy.token.value('refresh', randomness, previous),
    previous !== undefined && areSame(previous.terms, terms) ? previous.terms : terms,
    now,
  );
  store.tokens.add(pair);
  return pair;
}

function areSame(a: PairTerms, b: PairTerms): boolean {
  return (
    a.grant === b.grant &&
    a.scopes === b.scopes &&
    a.accessLifetime === b.accessLifetime &&
    a.refreshLifetime === b.refreshLifetime &&
    a.refreshed === b.refreshed
  );
}

export function issuedTokens(pair: IssuedPair, now: number): IssuedTokens {
  return {
    accessToken: pair.accessToken,
    refreshToken: pair.refreshToken,
    expiresIn: Math.round(pair.expiresAt - now),
    scopes: pair.grant.scopeOrder?.filter((scope) => pair.scopes.includes(scope)) ?? pair.scopes,
    issuedAt: pair.issuedAt,
    refreshed: pair.refreshed,
  };
}

export function revokeGrants(grant: Grant, revocation: Revocation, { grants }: Store): void {
  const all = revocation === 'revoke-grant' ? [] : grants.of(grant.ownerId, grant.clientId);
  for (const one of [grant, ...all]) one.revoked = true;
}
