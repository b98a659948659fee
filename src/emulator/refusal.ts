import type { Answers } from './policy/profile.ts';

type AspectOf<Point extends string> =
  Extract<keyof Answers, `${Point}.${string}`> extends `${Point}.${infer Aspect}` ? Aspect : never;

/** Refusals of the authorization endpoint (clause 4.1): the aspect of the profile, the usual error and the page's text. */
export const AUTHORIZE_REASONS = {
  'client-id-missing': ['no-client-id', 'invalid_request', 'The parameter client_id is missing.'],
  'client-id-unknown': ['unknown-client', 'invalid_client', 'No application has this client_id.'],
  'redirect-uri-missing': ['no-redirect-uri', 'invalid_request', 'The parameter redirect_uri is missing.'],
  'redirect-uri-unauthorized': [
    'unauthorized-redirect-uri',
    'invalid_redirect_uri',
    'The redirect address is not authorized for this application.',
  ],
  'response-type-missing': ['no-response-type', 'invalid_request', 'The parameter response_type is missing.'],
  'response-type-unsupported': [
    'unsupported-response-type',
    'unsupported_response_type',
    'The response type must be code.',
  ],
  'scope-missing': ['no-scope', 'invalid_scope', 'The parameter scope is missing.'],
  'scope-unknown': ['unknown-scope', 'invalid_scope', 'The scope must be made of read, write and destroy.'],
  'parameter-repeated': [
    'duplicate-parameter',
    'invalid_request',
    'A parameter was sent more than once, or is not known.',
  ],
  'access-denied': ['denial', 'access_denied', 'You denied the request.'],
} as const satisfies Readonly<
  Record<string, readonly [AspectOf<'authorize-failures'>, error: string, text: string]>
>;

type AuthorizeReason = keyof typeof AUTHORIZE_REASONS;

/** Refusals of the token endpoint (clauses 4.2 and 4.3): the aspect, and the next ones for profiles without a refusal there. */
export const TOKEN_REASONS = {
  'grant-type-missing': ['exchange.no-grant-type'],
  'grant-type-missing-on-refresh': ['refresh.no-grant-type', 'exchange.no-grant-type'],
  'grant-type-unsupported': ['exchange.unsupported-grant-type'],
  'code-missing': ['exchange.no-code'],
  'redirect-uri-missing': ['exchange.no-redirect-uri'],
  'refresh-token-missing': ['refresh.no-refresh-token'],
  'client-missing': ['exchange.no-client-id'],
  'client-missing-on-refresh': ['refresh.no-client-id', 'exchange.no-client-id'],
  'client-secret-missing': ['exchange.no-client-secret'],
  'client-secret-missing-on-refresh': ['refresh.no-client-secret', 'exchange.no-client-secret'],
  'client-unknown': ['exchange.unknown-client'],
  'client-unknown-on-refresh': ['refresh.unknown-client', 'exchange.unknown-client'],
  'client-secret-wrong': ['exchange.wrong-secret'],
  'client-secret-wrong-on-refresh': ['refresh.wrong-secret', 'exchange.wrong-secret'],
  'client-authenticated-twice': ['exchange.authenticated-twice', 'exchange.wrong-secret'],
  'code-unknown': ['exchange.unknown-code'],
  'code-used': ['exchange.used-code', 'exchange.unknown-code'],
  'code-expired': ['exchange.expired-code', 'exchange.unknown-code'],
  'code-of-other-client': ['exchange.other-client', 'exchange.unknown-code'],
  'code-redirect-uri-different': ['exchange.other-redirect-uri', 'exchange.unknown-code'],
  'code-verifier-wrong': ['exchange.wrong-verifier', 'exchange.unknown-code'],
  'refresh-token-unknown': ['refresh.unknown-token'],
  'refresh-token-revoked': ['refresh.revoked-token', 'refresh.unknown-token'],
  'refresh-token-expired': ['refresh.expired-token', 'refresh.unknown-token'],
  'refresh-token-of-other-client': ['refresh.other-client', 'refresh.unknown-token'],
  'refresh-too-early': ['refresh.too-early', 'refresh.unknown-token'],
  'scope-wider': ['refresh.wider-scope', 'exchange.unwanted-scope', 'exchange.no-code'],
  'scope-narrower': ['refresh.narrower-scope', 'refresh.wider-scope', 'exchange.no-code'],
  'scope-unwanted': ['exchange.unwanted-scope', 'refresh.wider-scope', 'exchange.no-code'],
  'parameter-repeated': ['exchange.duplicate-parameter', 'exchange.no-code'],
  'body-unreadable': ['exchange.no-grant-type'],
  'media-type-unsupported': ['exchange.no-grant-type'],
} as const satisfies Readonly<Record<string, readonly AspectOf<'token-failures'>[]>>;

export type TokenReason = keyof typeof TOKEN_REASONS;

/** Refusals of the resource API (clauses 4.4 and 5): the usual status, the aspect and the next one. */
export const RESOURCE_REASONS = {
  'token-missing': [401, 'no-token'],
  'token-unknown': [401, 'invalid-token'],
  'token-expired': [401, 'expired-token', 'invalid-token'],
  'token-revoked': [401, 'revoked-token', 'invalid-token'],
  'scope-insufficient': [403, 'insufficient-scope', 'invalid-token'],
  'project-unknown': [404, 'unknown-project'],
  'user-unknown': [404, 'unknown-user'],
  'user-not-assigned': [404, 'user-not-assigned', 'unknown-user'],
  'path-unknown': [404, 'unknown-path'],
} as const satisfies Readonly<Record<string, readonly [status: number, ...AspectOf<'resource-failures'>[]]>>;

export type ResourceReason = keyof typeof RESOURCE_REASONS;

/** Any refusal. The profile decides what the client sees (open points 5, 6 and 7). */
type Reason = AuthorizeReason | TokenReason | ResourceReason;

/** A decision against the client. The reason determines the public answer; the detail is for the journal only. */
export interface Refusal<R extends Reason = Reason> {
  readonly refused: R;
  readonly detail: string;
  /** Name of the parameter in question; may be shown to the client. */
  readonly parameter?: string;
  /** A finer reason, for profiles that distinguish it; otherwise `refused` counts. */
  readonly finer?: TokenReason;
}

/** A refusal of the authorization endpoint. */
export type AuthorizeRefusal = Refusal<AuthorizeReason>;

/** A refusal of the token endpoint. */
export type TokenRefusal = Refusal<TokenReason>;

/** A refusal of the resource API. */
export type ResourceRefusal = Refusal<ResourceReason>;

/** Says a reason in words that a client may see: no value of the request is among them. */
export function reasonText(reason: Reason): string {
  const words = reason.replace('-on-refresh', '').replaceAll('-', ' ');
  return `${words[0]?.toUpperCase()}${words.slice(1)}.`;
}

export function refuse<R extends Reason>(reason: R, detail: string, parameter?: string): Refusal<R> {
  return parameter === undefined ? { refused: reason, detail } : { refused: reason, detail, parameter };
}

export function withFinerReason<R extends Reason>(refusal: Refusal<R>, reason: TokenReason): Refusal<R> {
  return { ...refusal, finer: reason };
}

export function isRefusal<R extends Reason>(decision: unknown | Refusal<R>): decision is Refusal<R> {
  return typeof decision === 'object' && decision !== null && 'refused' in decision;
}
