import { bodyAnswer, type ServiceAnswer } from '../answer.ts';
import type { Handle } from '../handle.ts';
import type { WholeProfile } from '../policy/profile.ts';
import { isRefusal, type TokenRefusal } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import type { Service } from '../service.ts';
import type { IssuedPair } from '../store/records.ts';
import { EVERY_SCOPE, formatScopes } from '../store/scopes.ts';
import { clientOf } from './token.ts';

type Neighbour = readonly [path: string, handle: Handle, method: 'GET' | 'POST'];

const JSON_TYPE = 'application/json; charset=utf-8';

const ABSENT: readonly number[] = [404, 410];

export function neighbours({ answers }: WholeProfile): readonly Neighbour[] {
  const all: readonly (readonly [number, ...Neighbour])[] = [
    [answers['neighbours.revoke'], '/oauth/revoke', revoke, 'POST'],
    [answers['neighbours.introspect'], '/oauth/introspect', introspect, 'POST'],
    [answers['neighbours.token-info'], '/oauth/token/info', tokenInfo, 'GET'],
    [
      answers['neighbours.authorization-server-metadata'],
      '/.well-known/oauth-authorization-server',
      metadata,
      'GET',
    ],
    [answers['neighbours.openid-configuration'], '/.well-known/openid-configuration', metadata, 'GET'],
  ];
  return all.flatMap(([status, ...neighbour]) => (ABSENT.includes(status) ? [] : [neighbour]));
}

async function revoke(http: HttpRequest, service: Service): Promise<ServiceAnswer> {
  const pair = await namedPair(http, service);
  if (isRefusal(pair)) return service.policy.answer.tokenFailure(pair);
  if (pair !== undefined) {
    service.store.tokens.revokeAccess(pair);
    service.store.tokens.revokeRefresh(pair);
  }
  return bodyAnswer(200, JSON_TYPE, '{}');
}

async function introspect(http: HttpRequest, service: Service): Promise<ServiceAnswer> {
  const pair = await namedPair(http, service);
  if (isRefusal(pair)) return service.policy.answer.tokenFailure(pair);
  const active = pair !== undefined && service.policy.token.check(pair, service.clock.now()) === undefined;
  return bodyAnswer(200, JSON_TYPE, JSON.stringify(active ? described(pair) : { active: false }));
}

function tokenInfo(http: HttpRequest, service: Service): ServiceAnswer {
  const { policy, store, clock } = service;
  const pair = policy.token.find(policy.token.presented(http), store);
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
function metadata(_http: HttpRequest, { addresses }: Service): ServiceAnswer {
  const { authUrl } = addresses;
  const document = {
    issuer: authUrl,
    authorization_endpoint: `${authUrl}/oauth/authorize`,
    token_endpoint: `${authUrl}/oauth/token`,
    scopes_supported: EVERY_SCOPE,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  };
  return bodyAnswer(200, 'application/json', JSON.stringify(document));
}

async function namedPair(
  http: HttpRequest,
  service: Service,
): Promise<IssuedPair | undefined | TokenRefusal> {
  const parameters = await service.policy.client.parameters(http);
  if (parameters === 'other-method') return undefined;
  if (isRefusal(parameters)) return parameters;
  const application = clientOf(http, parameters, 'authorization_code', service);
  if (isRefusal(application)) return application;
  const value = parameters.get('token') ?? '';
  const { tokens } = service.store;
  const pair = tokens.byAccessToken(value) ?? tokens.byRefreshToken(value);
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
