import { assignedUsersPath, pathOfAssignedUsers } from '../../document/assigned-users-path.ts';
import { headerOf, type WireRequest } from '../../http/exchange.ts';
import { percentDecoded } from '../../http/or-else.ts';

/** A parsed request to the token endpoint (clauses 4.2 and 4.3). */
export interface ReadTokenRequest {
  readonly is: 'exchange' | 'refresh' | 'other';
  readonly parameters: ReadonlyMap<string, string>;
  /** Form-encoded, without duplicate parameters or other credentials, so the document's rules apply. */
  readonly plain: boolean;
  /** Plain and with documented parameters only. */
  readonly documented: boolean;
  /** Name of the channel in which the request is sent; undefined as documented. */
  readonly channel?: string;
}

const EXCHANGE = ['client_id', 'client_secret', 'code', 'grant_type', 'redirect_uri'];
const REFRESH = ['client_id', 'client_secret', 'refresh_token', 'grant_type'];

export function readTokenRequest(request: WireRequest, authUrl: string): ReadTokenRequest | undefined {
  if (request.method !== 'POST' || request.url !== `${authUrl}/oauth/token`) return undefined;
  const form = /^application\/x-www-form-urlencoded\b/i.test(headerOf(request, 'content-type') ?? '');
  const pairs = [...new URLSearchParams(form ? request.body : '')];
  const parameters = new Map(pairs);
  const plain = form && parameters.size === pairs.length && headerOf(request, 'authorization') === undefined;
  const is = kindOf(parameters);
  const listed = is === 'refresh' ? REFRESH : EXCHANGE;
  const documented = plain && pairs.every(([name]) => listed.includes(name));
  return { is, parameters, plain, documented };
}

function kindOf(parameters: ReadonlyMap<string, string>): ReadTokenRequest['is'] {
  const grantType = parameters.get('grant_type');
  const [code, refresh] = [parameters.has('code'), parameters.has('refresh_token')];
  if (code && refresh) return 'other';
  // A refresh token is no parameter of an exchange: the code is missing.
  if (grantType === 'authorization_code') return 'exchange';
  if (grantType === 'refresh_token' && !code) return 'refresh';
  if (code) return 'exchange';
  return refresh && !grantType ? 'refresh' : 'other';
}

/** A parsed request to one of the three operations (clause 4.4). */
export interface ReadResourceRequest {
  /** `other`: an undocumented method; `look`: a read without a list in its answer. */
  readonly operation: 'assign' | 'unassign' | 'list' | 'head' | 'other';
  readonly project: string;
  readonly user: string | undefined;
  /** The token as presented; `none` without one, `several` for more than one. */
  readonly token: { readonly value: string; readonly how: string } | 'none' | 'several';
  /** Has the documented path and no query except a token, so the document's rules apply. */
  readonly plain: boolean;
  /** Uses a variant spelling that the service may refuse; an acknowledged change must still take effect. */
  readonly otherwise: boolean;
  readonly unless: string | undefined;
  readonly since: string | undefined;
  /** A server may want a length (411, RFC 9110 section 15.5.12). */
  readonly noLength: boolean;
  /** Name of the channel in which the request is sent; undefined as documented. */
  readonly channel?: string;
}

const OPERATIONS: Readonly<Record<string, ReadResourceRequest['operation']>> = {
  PUT: 'assign',
  DELETE: 'unassign',
  GET: 'list',
  HEAD: 'head',
};

const UNUSUAL = ['if-none-match', 'if-modified-since', 'accept-encoding', 'host'];

/** Returns undefined for a request that is no operation on a project's assigned users. */
export function readResourceRequest(request: WireRequest, baseUrl: string): ReadResourceRequest | undefined {
  if (!request.url.startsWith(`${baseUrl}/`)) return undefined;
  const [address = '', query = ''] = request.url.slice(baseUrl.length).split('?');
  const path = assignedUsersPath(address);
  if (path === undefined || !['', '/v2'].includes(path.before)) return undefined;
  if (path.project === '' || path.user === '') return undefined;
  const project = percentDecoded(path.project);
  const user = path.user === undefined ? undefined : percentDecoded(path.user);
  const named = OPERATIONS[request.method] ?? 'other';
  const fits = (named === 'list' || named === 'head') === (user === undefined);
  const operation = fits ? named : 'other';
  const inQuery = [...new URLSearchParams(query)];
  const tokens = [...headerToken(request), ...inQuery.flatMap(asToken('query')), ...formTokens(request)];
  const [only] = tokens;
  return {
    operation,
    project,
    user,
    token: tokens.length > 1 ? 'several' : (only ?? 'none'),
    plain: path.before === '/v2' && inQuery.every(([name]) => isTokenName(name)),
    otherwise:
      address !== pathOfAssignedUsers(path.before, project, user) ||
      UNUSUAL.some((name) => headerOf(request, name) !== undefined),
    unless: headerOf(request, 'if-none-match'),
    since: headerOf(request, 'if-modified-since'),
    noLength: request.noLength === true,
  };
}

type Presented = Exclude<ReadResourceRequest['token'], string>;

function headerToken(request: WireRequest): readonly Presented[] {
  const value = headerOf(request, 'authorization');
  if (value === undefined) return [];
  const [scheme = '', ...rest] = value.split(' ');
  return [{ value: rest.join(' ').trim(), how: `header ${scheme}` }];
}

function formTokens(request: WireRequest): readonly Presented[] {
  const form = /x-www-form-urlencoded/i.test(headerOf(request, 'content-type') ?? '');
  return form ? [...new URLSearchParams(request.body)].flatMap(asToken('form')) : [];
}

function asToken(where: string): (pair: readonly [string, string]) => readonly Presented[] {
  return ([name, value]) => (isTokenName(name) ? [{ value, how: `${where} ${name}` }] : []);
}

function isTokenName(name: string): boolean {
  return name === 'access_token' || name === 'bearer_token';
}

/** A parsed authorization request (clause 4.1). */
export interface ReadAuthorizationRequest {
  readonly parameters: ReadonlyMap<string, string>;
  readonly plain: boolean;
  /** Has the four documented parameters and at most `state` in addition. */
  readonly documented: boolean;
  readonly scope: string | undefined;
  /** Spaces are encoded as `%20`, not as plus signs. */
  readonly percent20: boolean;
}

export function readAuthorization(url: string): ReadAuthorizationRequest {
  const pairs = [...new URL(url).searchParams];
  const parameters = new Map(pairs);
  const plain = pairs.length === parameters.size;
  const expected = ['client_id', 'redirect_uri', 'response_type', 'scope'];
  const documented =
    plain &&
    expected.every((name) => parameters.has(name)) &&
    pairs.every(([name]) => name === 'state' || expected.includes(name));
  const scope = scopeOf(parameters.get('scope'));
  return { parameters, plain, documented, scope, percent20: /[?&]scope=[^&]*%20/i.test(url) };
}

/** Returns the scopes in a fixed order; undefined unless each is one of the three and unique (clause 5.3). */
export function scopeOf(value: string | undefined): string | undefined {
  const scopes = (value ?? '').split(' ');
  const known = scopes.every((scope) => ['read', 'write', 'destroy'].includes(scope));
  return known && new Set(scopes).size === scopes.length ? scopes.sort().join(' ') : undefined;
}

/** All three scopes, in the order of {@link scopeOf}. */
export const SORTED_SCOPES = 'destroy read write';
