import type { Scopes } from './scopes.ts';

export interface RegisteredApplication {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly ownerId: string;
}

/** A user who signs in, owns applications and grants them access. */
export interface ResourceOwner {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface SignedInSession {
  readonly id: string;
  readonly csrf: string;
  /** Absent before the sign-in. */
  readonly ownerId?: string;
  /** The client id of an application whose secret was not shown yet. */
  readonly created?: string;
}

/** One grant of an owner to an application. Every code and token from it refers to it. */
export interface Grant {
  /** Counts the grants since the last reset, from 1; 0 until the store has it. */
  ordinal: number;
  readonly clientId: string;
  readonly ownerId: string;
  readonly scopes: Scopes;
  latest?: IssuedPair;
  /** True if the owner, or a replay, has revoked it: then every token of the grant is dead. */
  revoked: boolean;
}

/** PKCE's challenge (RFC 7636 section 4.3). */
export interface CodeChallenge {
  readonly value: string;
  readonly method: 'plain' | 'S256';
}

/** An authorization code (clause 2.2). Times in seconds since the epoch. */
export interface AuthorizationCode {
  readonly value: string;
  /** Counts the codes since the last reset, from 1. */
  readonly ordinal: number;
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly challenge?: CodeChallenge;
  readonly issuedAt: number;
  readonly expiresAt: number;
  usedAt?: number;
  /** The pair that it was exchanged for; an older grant's pair if the service reissues tokens. */
  gave?: IssuedPair;
}

/** Values that the pairs of a grant usually share, stored once. Lifetimes in seconds. */
export interface PairTerms {
  readonly grant: Grant;
  readonly scopes: Scopes;
  readonly accessLifetime: number;
  /** Infinity for a refresh token that never expires. */
  readonly refreshLifetime: number;
  readonly refreshed: boolean;
}

/** An access token and its refresh token (clause 2.1). Times in epoch seconds. There may be a million: no field is computed. */
export class IssuedPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly terms: PairTerms;
  readonly issuedAt: number;
  /** Count the tokens since the last reset, from 1; 0 before the store has them. A reissued token keeps its number. */
  accessOrdinal = 0;
  refreshOrdinal = 0;
  accessRevoked = false;
  refreshRevoked = false;
  /** The pair that the first use of this one retires; undefined after that use. */
  supersedes: IssuedPair | undefined = undefined;
  /** The pair of the first refresh with this one's refresh token. */
  successor: IssuedPair | undefined = undefined;

  constructor(accessToken: string, refreshToken: string, terms: PairTerms, issuedAt: number) {
    this.accessToken = accessToken;
    this.refreshToken = refreshToken;
    this.terms = terms;
    this.issuedAt = issuedAt;
  }

  get grant(): Grant {
    return this.terms.grant;
  }

  get scopes(): Scopes {
    return this.terms.scopes;
  }

  get refreshed(): boolean {
    return this.terms.refreshed;
  }

  get expiresAt(): number {
    return this.issuedAt + this.terms.accessLifetime;
  }

  /** Infinity for no expiry. */
  get refreshExpiresAt(): number {
    return this.issuedAt + this.terms.refreshLifetime;
  }
}

/** A project (clause 2.3). The id is as it appears in paths. */
export interface Project {
  readonly id: string;
  readonly name: string;
}

/** A user who can be assigned (clause 2.3). The id is as it appears in paths. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}
