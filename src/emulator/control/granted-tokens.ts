import { issuedTokens, issuePair } from '../handlers/token.ts';
import type { Service } from '../service.ts';
import type { Grant } from '../store/records.ts';
import { parseScopes } from '../store/scopes.ts';
import { ownerByEmail } from '../store/seed.ts';

export interface GrantedTokensOptions {
  /** Email of an owner in the seed; default: the first. */
  readonly user?: string;
  /** Scopes separated by spaces; default: all three. */
  readonly scope?: string;
}

export interface GrantedTokens {
  readonly access_token: string;
  readonly token_type: 'bearer';
  /** Seconds. */
  readonly expires_in: number;
  readonly refresh_token: string;
}

export function grantTokens(service: Service, options: GrantedTokensOptions): GrantedTokens {
  const { seed, store, clock } = service;
  const { user = seed.owners[0].email, scope = 'read write destroy' } = options;
  const scopes = parseScopes(scope);
  if (scopes === undefined) {
    throw new RangeError(`tokens, scope: expected some of read, write and destroy, got ${scope}.`);
  }
  const grant: Grant = {
    ordinal: 0,
    clientId: seed.applications[0].clientId,
    ownerId: ownerByEmail(user, seed, 'tokens, user').id,
    scopes,
    revoked: false,
  };
  store.grants.add(grant);
  const issued = issuedTokens(issuePair(service, grant, scopes), clock.now());
  return {
    access_token: issued.accessToken,
    token_type: 'bearer',
    expires_in: issued.expiresIn,
    refresh_token: issued.refreshToken,
  };
}
