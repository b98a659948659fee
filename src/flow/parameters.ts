import { randomBytes } from 'node:crypto';
import { ALL_SCOPES, type Application } from '../targets/target.ts';
import type { Dialect } from './dialect.ts';
import type { Parameters } from './requests.ts';

/**
 * Exactly the parameters that the document lists and nothing else: no `state`, no PKCE, no `scope` at the token
 * endpoint. A service that demands more than the document asks has broken it.
 */

/** The four parameters of an authorization request (clause 4.1). */
export function authorizationParameters(
  application: Application,
  dialect: Dialect,
  wanted: { readonly scope: string; readonly redirectUri?: string },
): Parameters {
  const scope = dialect.oneScopeOnly ? (wanted.scope.split(' ')[0] ?? wanted.scope) : wanted.scope;
  return [
    ['client_id', application.clientId],
    ['redirect_uri', wanted.redirectUri ?? application.redirectUris[0]],
    ['response_type', 'code'],
    ['scope', scope],
    ...(dialect.sendState ? [['state', randomBytes(16).toString('base64url')] as const] : []),
  ];
}

/** The five parameters that exchange a code (clause 4.2). */
export function exchangeParameters(
  application: Application,
  code: string,
  redirectUri: string = application.redirectUris[0],
): Parameters {
  return [
    ['client_id', application.clientId],
    ['client_secret', application.clientSecret],
    ['code', code],
    ['grant_type', 'authorization_code'],
    ['redirect_uri', redirectUri],
  ];
}

/**
 * The four parameters that refresh (clause 4.3).
 *
 * @param dialect of a target that demands a fifth
 */
export function refreshParameters(
  application: Application,
  refreshToken: string,
  dialect?: Pick<Dialect, 'scopeAtRefresh'>,
): Parameters {
  return [
    ['client_id', application.clientId],
    ['client_secret', application.clientSecret],
    ['refresh_token', refreshToken],
    ['grant_type', 'refresh_token'],
    ...(dialect?.scopeAtRefresh ? [['scope', ALL_SCOPES] as const] : []),
  ];
}

/** Stands for a parameter that is left out. */
export const OMITTED = Symbol('omitted');

/** Values that replace documented ones, or add to them, by name; {@link OMITTED} takes one away. */
export type ParameterChanges = Readonly<Record<string, string | typeof OMITTED>>;

/** Parameters with some replaced, taken away or added, the order kept. */
export function changed(parameters: Parameters, changes: ParameterChanges): Parameters {
  const names = new Set(parameters.map(([name]) => name));
  const kept = parameters.flatMap(([name, value]) => {
    const change = changes[name];
    if (change === OMITTED) return [];
    return [[name, change ?? value] as const];
  });
  const added = Object.entries(changes).flatMap(([name, value]) =>
    names.has(name) || value === OMITTED ? [] : [[name, value] as const],
  );
  return [...kept, ...added];
}
