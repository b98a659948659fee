/** Refusals of the authorization endpoint (clause 4.1). */
export type AuthorizeReason =
  | 'client-id-missing'
  | 'client-id-unknown'
  | 'redirect-uri-missing'
  | 'redirect-uri-unauthorized'
  | 'response-type-missing'
  | 'response-type-unsupported'
  | 'scope-missing'
  | 'scope-unknown'
  | 'parameter-repeated'
  | 'access-denied';

/** Refusals of the token endpoint (clauses 4.2 and 4.3). */
export type TokenReason =
  | 'grant-type-missing'
  | 'grant-type-unsupported'
  | 'code-missing'
  | 'redirect-uri-missing'
  | 'refresh-token-missing'
  | 'client-missing'
  | 'client-missing-on-refresh'
  | 'client-unknown'
  | 'client-secret-wrong'
  | 'client-authenticated-twice'
  | 'code-unknown'
  | 'code-used'
  | 'code-expired'
  | 'code-of-other-client'
  | 'code-redirect-uri-different'
  | 'code-verifier-wrong'
  | 'refresh-token-unknown'
  | 'refresh-token-revoked'
  | 'refresh-token-expired'
  | 'refresh-token-of-other-client'
  | 'refresh-too-early'
  | 'scope-wider'
  | 'scope-unwanted'
  | 'parameter-repeated'
  | 'body-unreadable'
  | 'body-too-large'
  | 'media-type-unsupported';

/** Refusals of the resource API (clauses 4.4 and 5). */
export type ResourceReason =
  | 'token-missing'
  | 'token-unknown'
  | 'token-expired'
  | 'token-revoked'
  | 'scope-insufficient'
  | 'project-unknown'
  | 'user-unknown'
  | 'user-not-assigned'
  | 'path-unknown'
  | 'body-too-large';

/** Refusals of the token endpoint that only some services distinguish. */
export type FinerReason =
  | 'client-secret-missing'
  | 'client-secret-missing-on-refresh'
  | 'client-unknown-on-refresh'
  | 'client-secret-wrong-on-refresh'
  | 'grant-type-missing-on-refresh'
  | 'scope-narrower';

/** Any refusal. The profile decides what the client sees (open points 5, 6 and 7). */
export type Reason = AuthorizeReason | TokenReason | ResourceReason;

/**
 * A decision against the client. The reason determines the public status, error and description. The detail has the expectation
 * and the value, for the journal only.
 */
export interface Refusal<R extends Reason = Reason> {
  readonly refused: R;
  readonly detail: string;
  /** Name of the parameter in question; may be shown to the client. */
  readonly parameter?: string;
  /** The scopes needed, or the unknown ones; may be shown to the client. */
  readonly scope?: string;
  /** A finer reason, for profiles that distinguish it; otherwise `reason` counts. */
  readonly finer?: FinerReason;
}

export function refuse<R extends Reason>(reason: R, detail: string, parameter?: string): Refusal<R> {
  return parameter === undefined ? { refused: reason, detail } : { refused: reason, detail, parameter };
}

export function finer<R extends Reason>(refusal: Refusal<R>, reason: FinerReason | undefined): Refusal<R> {
  return reason === undefined ? refusal : { ...refusal, finer: reason };
}

export function isRefusal<R extends Reason>(decision: unknown | Refusal<R>): decision is Refusal<R> {
  return typeof decision === 'object' && decision !== null && 'refused' in decision;
}
