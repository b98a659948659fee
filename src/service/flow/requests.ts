import { randomBytes } from 'node:crypto';
import { pathOfAssignedUsers } from '../../document/assigned-users-path.ts';
import { basicCredentials } from '../../http/connections.ts';
import { type Header, type WireRequest, withHeader } from '../../http/exchange.ts';
import {
  ALL_SCOPES,
  type Application,
  type PresentationPlace,
  type ResourceRequestShape,
  type Target,
} from '../target.ts';
import { AS_DOCUMENTED, percentEncoded, respelled, type Spelling, spelledHeaders } from './spelling.ts';

export type Operation = 'assign' | 'unassign' | 'list';

/**
 * The form of the suite's requests to a target. It starts as documented; a workaround found by the smoke flow changes one
 * member and fails the step's requirement.
 */
export interface RequestStyle {
  /** Place of the access token; open in the document (clause 5.6). */
  readonly presentation: PresentationPlace;
  /** Place of the client's credentials; documented: the form (clauses 4.2 and 4.3). */
  readonly clientAuthentication: 'form' | 'basic';
  /** Encoding of token requests; documented: form (clauses 4.2 and 4.3). */
  readonly tokenBody: 'form' | 'json';
  /** Separator of scopes in the encoded query; documented: a plus sign (clause 4.1). */
  readonly scopeSeparator: '+' | '%20';
  /** Sends `state`; not documented (clause 4.1). */
  readonly sendState: boolean;
  /** Sends a code challenge, and its verifier with the code (RFC 7636); not documented (clauses 4.1 and 4.2). */
  readonly pkce: boolean;
  /** Ends the path of the token endpoint with a slash; documented: without (clauses 4.2 and 4.3). */
  readonly tokenSlash: boolean;
  /** Ends the resource paths with a slash; documented: without (clause 4.4). */
  readonly apiSlash: boolean;
  /** Sends each call on a connection of its own; not documented (clause 4.4). */
  readonly ownConnections: boolean;
  /** Names the scopes in a refresh; not documented (clause 4.3). */
  readonly scopeAtRefresh: boolean;
  /** Operations that need a path without the prefix; documented: all have it (clauses 4.4 and 9.1). */
  readonly unversioned: readonly Operation[];
  /** Prefix of the resource paths; documented: `/v2` (clauses 4.4 and 9.1). */
  readonly versionPrefix: '/v2' | '';
  /** JSON pointer to the ids of listed users, `*` for the position; undefined until known (open in clause 2.3). */
  readonly userIdPointer: string | undefined;
  /** The service accepts a refresh before expiry; the document does not promise it. */
  readonly refreshBeforeExpiry: boolean;
}

/** The documented form, or the most common one where the document is silent. */
export const DOCUMENTED: RequestStyle = {
  presentation: { in: 'header', scheme: 'Bearer' },
  clientAuthentication: 'form',
  tokenBody: 'form',
  scopeSeparator: '+',
  sendState: false,
  pkce: false,
  tokenSlash: false,
  apiSlash: false,
  ownConnections: false,
  scopeAtRefresh: false,
  unversioned: [],
  versionPrefix: '/v2',
  userIdPointer: undefined,
  refreshBeforeExpiry: true,
};

/** The media type of forms. */
export const FORM = 'application/x-www-form-urlencoded';

/** The example of RFC 7636 appendix B: the suite's codes need no protection by a secret verifier. */
const PKCE = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
};

export function authorizationParameters(
  application: Application,
  requestStyle: RequestStyle,
  wanted: { readonly scope: string; readonly redirectUri?: string },
): Parameters {
  return [
    ['client_id', application.clientId],
    ['redirect_uri', wanted.redirectUri ?? application.redirectUris[0]],
    ['response_type', 'code'],
    ['scope', wanted.scope],
    ...(requestStyle.pkce
      ? ([
          ['code_challenge', PKCE.challenge],
          ['code_challenge_method', 'S256'],
        ] as const)
      : []),
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

/** The four parameters of a refresh (clause 4.3), and the fifth that some targets demand. */
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

export function withChanges(parameters: Parameters, changes: ParameterChanges): Parameters {
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

export type Parameters = readonly (readonly [name: string, value: string])[];

const METHOD = { assign: 'PUT', unassign: 'DELETE', list: 'GET' } as const;

export function authorizeUrl(
  target: Target,
  requestStyle: RequestStyle,
  parameters: Parameters,
  spelling: Spelling = AS_DOCUMENTED,
): string {
  const query = encodeForm(ordered(parameters, spelling)).replaceAll('+', requestStyle.scopeSeparator);
  return `${target.authUrl}/oauth/authorize?${respelled(query, spelling)}`;
}

export function authorizeAddress(target: Target, requestStyle: RequestStyle): string {
  const parameters = authorizationParameters(target.application, requestStyle, { scope: ALL_SCOPES });
  return authorizeUrl(target, requestStyle, parameters);
}

function ordered(parameters: Parameters, { reversed, order }: Spelling): Parameters {
  const first = (order ?? []).flatMap((index) => parameters.slice(index, index + 1));
  const all = [...first, ...parameters.filter((one) => !first.includes(one))];
  return reversed ? all.toReversed() : all;
}

export function encodeForm(parameters: Parameters): string {
  return new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString();
}

export function tokenRequest(
  target: Target,
  requestStyle: RequestStyle,
  parameters: Parameters,
  spelling: Spelling = AS_DOCUMENTED,
): WireRequest {
  const url = `${target.authUrl}/oauth/token${requestStyle.tokenSlash ? '/' : ''}`;
  const headers: Header[] = [...spelledHeaders(spelling, url)];
  let sent = ordered(parameters, spelling);
  if (requestStyle.pkce && parameters.some(([name]) => name === 'code'))
    sent = [...sent, ['code_verifier', PKCE.verifier]];
  if (requestStyle.clientAuthentication === 'basic') {
    const { client_id: id, client_secret: secret } = Object.fromEntries(parameters);
    if (id !== undefined && secret !== undefined) {
      headers.push(['Authorization', `Basic ${formEncodedBasic(id, secret)}`]);
      sent = sent.filter(([name]) => name !== 'client_id' && name !== 'client_secret');
    }
  }
  const json = requestStyle.tokenBody === 'json';
  const form = `${FORM}${spelling.charset ? '; charset=UTF-8' : ''}`;
  headers.push(['Content-Type', json ? 'application/json' : form]);
  return {
    method: 'POST',
    url,
    headers,
    body: json ? JSON.stringify(Object.fromEntries(sent)) : respelled(encodeForm(sent), spelling),
    ...(spelling.kept && { kept: true }),
  };
}

/** Returns the credentials of HTTP Basic with id and secret form-encoded before they are joined (RFC 6749 section 2.3.1). */
export function formEncodedBasic(id: string, secret: string): string {
  const encode = (value: string) => encodeForm([['v', value]]).slice(2);
  return basicCredentials(encode(id), encode(secret));
}

export interface ResourceCall {
  readonly operation: Operation;
  readonly project: string;
  /** Absent for `list`. */
  readonly user?: string;
  /** Undefined sends no token. */
  readonly token: string | undefined;
  readonly spelling?: Spelling;
}

/** Builds a request to one of the three operations (clause 4.4). Ids are percent-encoded. */
export function resourceRequest(target: Target, requestStyle: RequestStyle, call: ResourceCall): WireRequest {
  const { operation, spelling = AS_DOCUMENTED } = call;
  const shape: ResourceRequestShape = operation === 'list' ? { headers: [] } : target[`${operation}Request`];
  const prefix = requestStyle.unversioned.includes(operation) ? '' : requestStyle.versionPrefix;
  const path = pathOfAssignedUsers(prefix, call.project, call.user);
  const address = `${target.baseUrl}${path}${requestStyle.apiSlash ? '/' : ''}`;
  const url = spelling.percent ? address.replace(FIRST_OF_IDS, percentEncoded) : address;
  const plain: WireRequest = {
    method: spelling.head && operation === 'list' ? 'HEAD' : METHOD[operation],
    url,
    headers: [...spelledHeaders(spelling, url), ...shape.headers],
    body: shape.body,
    ...(requestStyle.ownConnections && { kept: false }),
  };
  const request = call.token === undefined ? plain : withToken(plain, requestStyle.presentation, call.token);
  if (spelling.cut) return { ...request, cut: true };
  if (spelling.noLength && request.body === undefined) return { ...request, noLength: true };
  if (!spelling.body || request.body !== undefined) return request;
  return { ...withHeader(request, 'Content-Type', 'application/json'), body: '{}' };
}

const FIRST_OF_IDS = /(?<=\/(?:projects|assigned_users)\/)[A-Za-z0-9]/g;

/** Presents an access token in a place. */
export function withToken(request: WireRequest, place: PresentationPlace, token: string): WireRequest {
  if (place.in === 'header') return withHeader(request, 'Authorization', `${place.scheme} ${token}`);
  const parameters = [[place.name, token]] as const;
  if (place.in === 'query' || request.method === 'GET') return withQuery(request, parameters);
  const field = encodeForm(parameters);
  return {
    ...withHeader(request, 'Content-Type', FORM),
    body: request.body === undefined ? field : `${request.body}&${field}`,
  };
}

/** Adds parameters to the address of a request. */
export function withQuery(request: WireRequest, parameters: Parameters): WireRequest {
  const { url } = request;
  return { ...request, url: `${url}${url.includes('?') ? '&' : '?'}${encodeForm(parameters)}` };
}
