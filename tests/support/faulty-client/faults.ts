import type { ClientRequirementId } from '../../../generated/ids.ts';

/**
 * Mistakes that real clients make, each with exactly the requirements that it breaks. They were written from the document, RFC 6749 and
 * RFC 9700, and from what libraries were seen to do.
 */
export const FAULTS = {
  // Clause 4.1
  'no-response-type': ['sign-in.four-parameters'],
  'response-type-token': ['sign-in.four-parameters'],
  'no-scope': ['sign-in.four-parameters'],
  'scope-twice': ['sign-in.four-parameters'],
  'scopes-by-comma': ['sign-in.scopes'],
  'scopes-with-encoded-plus': ['sign-in.scopes'],
  'scope-unknown': ['sign-in.scopes'],
  'redirect-address-of-its-own': ['sign-in.redirect-address'],
  'no-state': ['state.present', 'state.checked', 'state.bound', 'callback.reload', 'callback.at-once'],
  'state-constant': ['state.unguessable', 'state.bound'],
  'state-counted': ['state.unguessable'],
  'state-short': ['state.unguessable'],
  'state-not-compared': ['state.checked', 'state.bound', 'callback.reload', 'callback.at-once'],
  'state-optional': ['state.checked'],
  'states-of-all-browsers': ['state.bound'],
  'states-never-forgotten': ['state.bound', 'callback.reload', 'callback.at-once'],
  'state-forgotten-late': ['callback.at-once'],
  'state-kept': ['callback.reload', 'callback.at-once'],
  'denial-exchanged': ['denial.no-token-request', 'code.five-parameters'],
  'denial-is-the-end': ['errors.still-answers'],
  // Clauses 2.2 and 4.2
  'exchange-again-after-5xx': ['code.sent-once', 'waiting.retry-after'],
  'exchange-again-when-lost': ['code.sent-once'],
  'exchange-again-after-timeout': ['code.sent-once'],
  'refused-code-signs-in': ['code.refused-means-no'],
  'any-answer-signs-in': ['code.refused-means-no', 'errors.failed-sign-in'],
  'json-body': ['token-request.form-post'],
  'multipart-body': ['token-request.form-post'],
  'no-content-type': ['token-request.form-post'],
  'token-request-by-get': ['token-request.form-post', 'secrets.not-in-address'],
  'basic-alone': ['token-request.credentials-in-form'],
  'basic-alone-on-refresh': ['token-request.credentials-in-form'],
  'exchange-without-redirect-address': ['code.five-parameters'],
  'exchange-without-secret': ['code.five-parameters'],
  'exchange-with-grant-type-twice': ['code.five-parameters'],
  'exchange-with-another-address': ['code.same-redirect-address'],
  'redirects-followed': ['token-request.redirect-not-followed'],
  'secret-in-query': ['secrets.not-in-address'],
  // Clauses 2.1, 4.3 and 5.5
  'refresh-with-code': ['renewal.four-parameters'],
  'access-token-remembered': ['pair.newest-access-token'],
  'refresh-token-of-the-exchange': [
    'pair.newest-refresh-token',
    'pair.survives-restart',
    'pair.stored-before-used',
  ],
  'second-refresh-token-lost': ['pair.newest-refresh-token'],
  'refreshed-pair-in-memory': ['pair.survives-restart', 'pair.stored-before-used'],
  'pair-in-memory': ['pair.survives-restart', 'pair.stored-before-used'],
  'stored-after-the-call': ['pair.stored-before-used'],
  'one-pair-for-all': ['pair.own-user'],
  'refreshed-for-another': ['pair.own-user'],
  'pair-dropped-after-5xx': ['pair.kept-on-failure'],
  'refresh-for-wider-scope': ['renewal.after-expiry', 'unauthorized.recovers'],
  'bearer-in-place-of-secret': ['renewal.four-parameters', 'renewal.after-expiry', 'unauthorized.recovers'],
  'refresh-token-not-on-disk': ['pair.survives-restart', 'pair.stored-before-used'],
  'second-sign-in-ignored': ['pair.newest-access-token', 'pair.newest-refresh-token'],
  'access-token-as-refresh-token': [
    'pair.newest-refresh-token',
    'renewal.after-expiry',
    'unauthorized.recovers',
  ],
  '401-signs-out': ['unauthorized.recovers'],
  'signs-in-again-at-expiry': ['renewal.after-expiry'],
  'refresh-for-each-call': ['renewal.one-at-a-time'],
  'refresh-again-when-lost': ['renewal.lost-not-repeated'],
  'refused-refresh-again': ['renewal.refused-not-repeated'],
  // Clause 4.4
  '401-passed-on': ['unauthorized.recovers'],
  '401-refreshed-and-not-tried': ['unauthorized.recovers'],
  '401-without-end': ['unauthorized.no-storm'],
  '403-refreshed': ['forbidden.not-retried'],
  'throttled-again-at-once': ['waiting.retry-after'],
  'throttled-again-and-again': ['waiting.retry-after', 'waiting.few-tries'],
  'retry-after-as-seconds-alone': ['waiting.retry-after'],
  'gone-again-and-again': ['waiting.few-tries'],
  'no-version-in-path': ['calls.documented-paths'],
  'assign-by-post': ['calls.documented-paths'],
  discovery: ['calls.documented-paths'],
  introspection: ['calls.documented-paths'],
  'access-token-in-query': ['secrets.not-in-address'],
  'secret-in-authorization-request': ['secrets.not-in-address'],
  'secret-in-calls': ['secrets.to-token-endpoint-only'],
  'refresh-token-in-calls': ['secrets.to-token-endpoint-only'],
  'token-type-to-the-letter': ['answers.token-type-case'],
  'unknown-fields-refused': ['answers.additional-fields'],
  'form-values-not-encoded': ['answers.every-character'],
  'empty-list-is-an-error': ['answers.lists-of-any-length'],
  'long-list-is-an-error': ['answers.lists-of-any-length'],
  // Clause 7
  'refusals-called-good': ['errors.failed-call'],
  'token-requests-without-deadline': ['errors.deadline'],
  'calls-without-deadline': ['errors.deadline'],
  'failed-exchange-is-the-end': ['errors.still-answers'],
  'failed-refresh-remembered': ['pair.kept-on-failure'],
} as const satisfies Readonly<Record<string, readonly ClientRequirementId[]>>;

/** Variations that break nothing. */
export const HARMLESS = [
  'sound',
  'eager-refresh',
  'refresh-five-minutes-early',
  'no-clock',
  'basic-then-form',
  'pkce',
  'waits-as-told',
  'spaces-as-percent-20',
  'headers-in-another-order',
  'connections-kept',
  'two-processes-one-store',
  'further-parameters',
  'without-accept',
  'bearer-in-small-letters',
  'tokens-of-the-response-as-a-whole',
] as const;

/** Id of a mistake. */
export type FaultId = keyof typeof FAULTS;

/** Id of a variation: a mistake, or one that breaks nothing. */
export type VariationId = FaultId | (typeof HARMLESS)[number];
