import type { Scopes } from './scopes.ts';

export interface RegisteredApplication {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Id of the owner who created it. */
  readonly ownerId: string;
}

/** Somebody who signs in, owns applications and grants them access. */
export interface ResourceOwner {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** A browser's session with the authorization server. */
export interface SignedInSession {
  readonly id: string;
  /** Token that every form of the session must carry. */
  readonly csrf: string;
  /** Absent while nobody has signed in. */
  readonly ownerId?: string;
}

/** What one owner granted to one application, once. Every code and token that came of it refers to it. */
export interface Grant {
  /** Counts the grants since the last reset, from 1; 0 until the store has it. */
  ordinal: number;
  readonly clientId: string;
  readonly ownerId: string;
  readonly scopes: Scopes;
  latest?: IssuedPair;
  /** Whether the owner, or a replay, has taken it back: every token of the grant is dead then. */
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
  /** When it was exchanged, or burned. */
  usedAt?: number;
  /** The pair that it was exchanged for; of an older grant where tokens are handed out again. */
  gave?: IssuedPair;
}

/** What the pairs of a grant have in common as a rule: held once for all of them. Lifetimes in seconds. */
export interface PairTerms {
  readonly grant: Grant;
  readonly scopes: Scopes;
  readonly accessLifetime: number;
  /** Infinity for a refresh token that never expires. */
  readonly refreshLifetime: number;
  /** Issued by a refresh, not by an exchange. */
  readonly refreshed: boolean;
}

/**
 * An access token and its refresh token (clause 2.1). Times in seconds since the epoch. A million of these live in an emulator: what can be
 * computed or shared has no field.
 */
export class IssuedPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly terms: PairTerms;
  readonly issuedAt: number;
  /** Count the tokens since the last reset, from 1; 0 until the store has them. A token that is issued again keeps its own. */
  accessOrdinal = 0;
  refreshOrdinal = 0;
  accessRevoked = false;
  refreshRevoked = false;
  /** The pair that the first use of this one retires; gone after that use. */
  supersedes: IssuedPair | undefined = undefined;

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

  /** When the refresh token expires; Infinity for never. */
  get refreshExpiresAt(): number {
    return this.issuedAt + this.terms.refreshLifetime;
  }
}

/** A project (clause 2.3). The id is written as it stands in paths. */
export interface Project {
  readonly id: string;
  readonly name: string;
}

/** A user who can be assigned (clause 2.3). The id is written as it stands in paths. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}
