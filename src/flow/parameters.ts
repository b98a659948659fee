import { randomBytes } from 'node:crypto';
import { ALL_SCOPES, type Application } from '../targets/target.ts';
import type { RequestStyle } from './request-style.ts';
import type { Parameters } from './requests.ts';

/**
 * Builds exactly the documented parameters: no `state`, no PKCE, no `scope` at the token endpoint. A service that
 * requires more breaks the document.
 */

export function authorizationParameters(
  application: Application,
  requestStyle: RequestStyle,
  wanted: { readonly scope: string; readonly redirectUri?: string },
): Parameters {
  const scope = requestStyle.oneScopeOnly ? (wanted.scope.split(' ')[0] ?? wanted.scope) : wanted.scope;
  return [
    ['client_id', application.clientId],
    ['redirect_uri', wanted.redirectUri ?? application.redirectUris[0]],
    ['response_type', 'code'],
    ['scope', scope],
    ...(requestStyle.sendState ? [['state', randomBytes(16).toString('base64url')] as const] : []),
  ];
}

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
 * The four parameters of a refresh (clause 4.3).
 *
 * @param requestStyle of a target that demands a fifth
 */
export function refreshParameters(
  application: Application,
  refreshToken: string,
  requestStyle?: Pick<RequestStyle, 'scopeAtRefresh'>,
): Parameters {
  return [
    ['client_id', application.clientId],
    ['client_secret', application.clientSecret],
    ['refresh_token', refreshToken],
    ['grant_type', 'refresh_token'],
    ...(requestStyle?.scopeAtRefresh ? [['scope', ALL_SCOPES] as const] : []),
  ];
}

export const OMITTED = Symbol('omitted');

/** Replaced or additional values by parameter name; {@link OMITTED} removes one. */
export type ParameterChanges = Readonly<Record<string, string | typeof OMITTED>>;

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
