import { bodyAnswer, type ServiceAnswer } from '../answer.ts';
import type { WholeProfile } from '../profile.ts';
import type { IssuedPair } from '../records.ts';
import { isRefusal, type Refusal, type TokenReason } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import { ALL_SCOPES, formatScopes } from '../scopes.ts';
import type { Service } from '../service.ts';

type Endpoint = (http: HttpRequest, service: Service) => ServiceAnswer | Promise<ServiceAnswer>;

const JSON_TYPE = 'application/json; charset=utf-8';

const ABSENT: readonly number[] = [404, 410];

export function neighbours({
  answers,
}: WholeProfile): readonly (readonly [path: string, handle: Endpoint])[] {
  const all = [
    ['/oauth/revoke', revoke, answers['neighbours.revoke']],
    ['/oauth/introspect', introspect, answers['neighbours.introspect']],
    ['/oauth/token/info', tokenInfo, answers['neighbours.token-info']],
    [
      '/.well-known/oauth-authorization-server',
      metadata,
      answers['neighbours.authorization-server-metadata'],
    ],
    ['/.well-known/openid-configuration', metadata, answers['neighbours.openid-configuration']],
  ] as const;
  return all.flatMap(([path, handle, status]) => (ABSENT.includes(status) ? [] : [[path, handle]]));
}

async function revoke(http: HttpRequest, service: Service): Promise<ServiceAnswer> {
  const pair = await namedPair(http, service);
  if (isRefusal(pair)) return service.policy.answer.tokenFailure(pair);
  if (pair === 'other-method') return service.policy.answer.otherMethod('neighbour', http.method, ['POST']);
  if (pair !== undefined) {
    service.store.tokens.revokeAccess(pair);
    service.store.tokens.revokeRefresh(pair);
  }
  return bodyAnswer(200, JSON_TYPE, '{}');
}

async function introspect(http: HttpRequest, service: Service): Promise<ServiceAnswer> {
  const pair = await namedPair(http, service);
  if (isRefusal(pair)) return service.policy.answer.tokenFailure(pair);
  if (pair === 'other-method') return service.policy.answer.otherMethod('neighbour', http.method, ['POST']);
  const active = pair !== undefined && service.policy.token.check(pair, service.clock.now()) === undefined;
  return bodyAnswer(200, JSON_TYPE, JSON.stringify(active ? described(pair) : { active: false }));
}

/** Describes the presented access token in Doorkeeper's format. */
function tokenInfo(http: HttpRequest, service: Service): ServiceAnswer {
  const { policy, store, clock } = service;
  const method = policy.answer.method(http.method);
  if (method !== 'GET') return policy.answer.otherMethod('neighbour', method, ['GET']);
  const presented = policy.token.presented({
    method,
    path: http.path,
    query: http.query,
    authorization: http.header('authorization'),
    contentType: http.header('content-type'),
    body: http.body,
  });
  const pair = policy.token.find(presented, store);
  if (isRefusal(pair)) return policy.answer.resourceFailure(pair);
  const now = clock.now();
  const dead = policy.token.check(pair, now);
  if (dead !== undefined) return policy.answer.resourceFailure(dead);
  const info = {
    resource_owner_id: Number(pair.grant.ownerId),
    scope: pair.scopes,
    expires_in: Math.round(pair.expiresAt - now),
    application: { uid: pair.grant.clientId },
    created_at: Math.floor(pair.issuedAt),
  };
  return bodyAnswer(200, JSON_TYPE, JSON.stringify(info));
}

/** Authorization server metadata (RFC 8414); some services also serve it at the OpenID Connect path. */
function metadata(http: HttpRequest, { policy, addresses }: Service): ServiceAnswer {
  const method = policy.answer.method(http.method);
  if (method !== 'GET') return policy.answer.otherMethod('neighbour', method, ['GET']);
  const { authUrl } = addresses;
  const document = {
    issuer: authUrl,
    authorization_endpoint: `${authUrl}/oauth/authorize`,
    token_endpoint: `${authUrl}/oauth/token`,
    scopes_supported: ALL_SCOPES,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  };
  return bodyAnswer(200, 'application/json', JSON.stringify(document));
}

async function namedPair(
  http: HttpRequest,
  { policy, store }: Service,
): Promise<IssuedPair | undefined | 'other-method' | Refusal<TokenReason>> {
  const request = {
    method: http.method,
    contentType: http.header('content-type'),
    authorization: http.header('authorization'),
    query: http.query,
    body: http.body,
  };
  const parameters = await policy.client.parameters(request);
  if (parameters === 'other-method' || isRefusal(parameters)) return parameters;
  const credentials = policy.client.credentials(request, parameters);
  if (isRefusal(credentials)) return credentials;
  const application = policy.client.authenticate(credentials, store.applications, 'authorization_code');
  if (isRefusal(application)) return application;
  const value = parameters.get('token') ?? '';
  const pair = store.tokens.byAccessToken(value) ?? store.tokens.byRefreshToken(value);
  return pair?.grant.clientId === application.clientId ? pair : undefined;
}

function described(pair: IssuedPair): object {
  return {
    active: true,
    scope: formatScopes(pair.scopes),
    client_id: pair.grant.clientId,
    token_type: 'bearer',
    exp: Math.floor(pair.expiresAt),
    iat: Math.floor(pair.issuedAt),
  };
}
