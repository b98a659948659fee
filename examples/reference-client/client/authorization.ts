import { randomBytes, timingSafeEqual } from 'node:crypto';
import { AuthorizationDenied, AuthorizationFailed, StateMismatch, UnexpectedAnswer } from './errors.ts';

/** The three scopes (clause 5.3). */
export const SCOPES = ['read', 'write', 'destroy'] as const;
export type Scope = (typeof SCOPES)[number];

/** An authorization request, with the state to remember. */
export interface AuthorizationRequest {
  /** Send the user's browser to this address. */
  readonly url: string;
  /**
   * Keep this for this browser alone (in its session, or in a cookie that is `HttpOnly`, `Secure` and `SameSite=Lax`),
   * hand it to `readCallback`, and forget it then: it is good for one redirect.
   */
  readonly state: string;
}

export interface AskingApplication {
  readonly authUrl: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

const STATE_BYTES = 32;

/**
 * Builds the authorization request of clause 4.1 with a fresh `state` (RFC 6749 section 10.12).
 *
 * @param scopes one or more, in any order
 * @throws TypeError for no scope or an unknown one
 */
export function authorizationRequest(
  application: AskingApplication,
  scopes: readonly Scope[],
): AuthorizationRequest {
  const unknown = scopes.find((scope) => !SCOPES.includes(scope));
  if (scopes.length === 0 || unknown !== undefined) {
    throw new TypeError(
      `scopes: expected one or more of ${SCOPES.join(', ')} (clause 4.1), got [${scopes.join(', ')}]`,
    );
  }
  const state = randomBytes(STATE_BYTES).toString('base64url');
  // Form encoding turns the spaces between scopes into plus signs, as the clause shows them.
  const query = new URLSearchParams({
    client_id: application.clientId,
    redirect_uri: application.redirectUri,
    response_type: 'code',
    scope: [...new Set(scopes)].join(' '),
    state,
  });
  return { url: `${application.authUrl}/oauth/authorize?${query}`, state };
}

/**
 * Reads the redirect that ends an authorization request. Checks the state first.
 *
 * @param url address at which the browser arrived, complete or only path and query
 * @param expectedState the `state` kept for this browser; undefined if there is none
 * @returns the code (clause 2.2)
 * @throws StateMismatch, AuthorizationDenied, AuthorizationFailed
 * @throws UnexpectedAnswer for a redirect with neither a code nor an error, or with more than one of either
 */
export function readCallback(
  application: AskingApplication,
  url: string | URL,
  expectedState: string | undefined,
): string {
  const query = new URL(url, application.redirectUri).searchParams;
  requireState(query.getAll('state'), expectedState);
  const errors = query.getAll('error');
  if (errors.length > 0) throw failure(errors);
  const [code, ...others] = query.getAll('code');
  if (code === undefined || code === '' || others.length > 0) {
    throw new UnexpectedAnswer(
      'authorize',
      'a redirect with one query parameter code',
      others.length > 0 ? `${others.length + 1} of them` : 'none, or an empty one',
    );
  }
  return code;
}

function requireState(states: readonly string[], expected: string | undefined): void {
  if (expected === undefined || expected === '') throw new StateMismatch('unexpected');
  const [state, ...others] = states;
  if (state === undefined || state === '') throw new StateMismatch('absent');
  const [a, b] = [Buffer.from(state), Buffer.from(expected)];
  if (others.length > 0 || a.length !== b.length || !timingSafeEqual(a, b))
    throw new StateMismatch('different');
}

function failure(errors: readonly string[]): Error {
  const [error = ''] = errors;
  if (error === 'access_denied') return new AuthorizationDenied();
  // Repeats only the errors of RFC 6749 section 4.1.2.1: anyone can write an address.
  const known = /^[a-z]+(_[a-z]+){0,3}$/.test(error) && error.length <= 40;
  return new AuthorizationFailed(known ? error : 'unreadable');
}
