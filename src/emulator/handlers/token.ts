import type { ServiceAnswer } from '../answer.ts';
import type { ReceivedParameters } from '../parameters.ts';
import type { CodeExchange, GrantRevocation, IssuedTokens, RefreshExchange } from '../policy/policy.ts';
import { isRefusal, type TokenReason, type TokenRefusal } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import type { Service } from '../service.ts';
import {
  type AuthorizationCode,
  type Grant,
  IssuedPair,
  type PairTerms,
  type RegisteredApplication,
} from '../store/records.ts';
import type { Scopes } from '../store/scopes.ts';
import type { Store } from '../store/store.ts';

export async function token(http: HttpRequest, service: Service): Promise<ServiceAnswer> {
  const { client, answer } = service.policy;
  const parameters = await client.parameters(http);
  if (parameters === 'other-method') return answer.otherMethod('token', http.method, ['POST']);
  if (isRefusal(parameters)) return answer.tokenFailure(parameters);
  const grantType = client.grantType(parameters);
  if (isRefusal(grantType)) return answer.tokenFailure(grantType);
  const result =
    grantType === 'authorization_code'
      ? await exchangeCode(http, parameters, service)
      : await refreshTokens(http, parameters, service);
  if (isRefusal(result)) return answer.tokenFailure(result);
  http.outcome.effect = 'tokens-issued';
  http.outcome.accessToken = result.accessToken;
  http.outcome.refreshToken = result.refreshToken;
  return answer.tokens(result);
}

async function exchangeCode(
  request: HttpRequest,
  parameters: ReceivedParameters,
  service: Service,
): Promise<IssuedTokens | TokenRefusal> {
  const { policy, store, clock } = service;
  const value = policy.client.required(parameters, 'code');
  if (isRefusal(value)) return value;
  const redirectUri = policy.client.required(parameters, 'redirect_uri');
  if (isRefusal(redirectUri)) return redirectUri;
  const application = clientOf(request, parameters, 'authorization_code', service);
  if (isRefusal(application)) return application;

  const code = policy.code.find(value, store.codes);
  if (isRefusal(code)) return code;
  const exchange: CodeExchange = {
    application,
    redirectUri,
    verifier: parameters.value('code_verifier'),
    scope: parameters.value('scope'),
  };
  const now = clock.now();
  const refused = policy.code.check(code, exchange, now);
  if (refused !== undefined) return punishedCode(code, refused, service);
  const scopes = policy.token.scopes(code, exchange);
  if (isRefusal(scopes)) return punishedCode(code, scopes, service);
  const used = await policy.code.redeem(code, exchange, now);
  if (used !== undefined) return punishedCode(code, used, service);

  const granted = store.grants.remembered(code.grant.ownerId, code.grant.clientId);
  const pair = policy.token.existing(code, granted, now) ?? issuePair(service, code.grant, scopes);
  code.gave = pair;
  return issuedTokens(pair, now);
}

function punishedCode(
  code: AuthorizationCode,
  refusal: TokenRefusal,
  { policy, clock, store }: Service,
): TokenRefusal {
  const consequence = policy.code.afterRefusal(code, refusal);
  if (consequence === 'burn-code') code.usedAt ??= clock.now();
  else if (consequence !== 'keep') revokeGrants(code.gave?.grant ?? code.grant, consequence, store);
  return refusal;
}

async function refreshTokens(
  request: HttpRequest,
  parameters: ReceivedParameters,
  service: Service,
): Promise<IssuedTokens | TokenRefusal> {
  const { policy, store, clock } = service;
  const refreshToken = policy.client.required(parameters, 'refresh_token');
  if (isRefusal(refreshToken)) return refreshToken;
  const application = clientOf(request, parameters, 'refresh_token', service);
  const pair = policy.refresh.find(refreshToken, store);
  const wrong = policy.refresh.verdict(orUndefined(application), orUndefined(pair));
  if (wrong !== undefined) return wrong;
  if (isRefusal(application)) return application;
  if (isRefusal(pair)) return pair;

  const exchange: RefreshExchange = { application, refreshToken, scope: parameters.value('scope') };
  const now = clock.now();
  const refused = policy.refresh.check(pair, exchange, now);
  if (refused !== undefined) return punishedPair(pair, refused, service);
  const scopes = policy.refresh.scopes(pair, exchange);
  if (isRefusal(scopes)) return scopes;
  const fate = policy.refresh.fate(pair);
  const overtaken = await policy.refresh.rotate(pair, fate, store.tokens);
  if (overtaken !== undefined) return punishedPair(pair, overtaken, service);

  const again = policy.refresh.again(pair, scopes);
  // The answer that the first refresh got, its lifetime included.
  if (again !== undefined) return issuedTokens(again, again.issuedAt);
  const next = issuePair(service, pair.grant, scopes, pair);
  next.supersedes = pair;
  pair.successor ??= next;
  if (fate.accessToken === 'at-once') store.tokens.revokeAccess(pair);
  return issuedTokens(next, now);
}

/** Retires the pair that this one replaces; called at the first use of its access token. */
export function retireSuperseded(pair: IssuedPair, { policy, store }: Service): void {
  const old = pair.supersedes;
  if (old === undefined) return;
  pair.supersedes = undefined;
  const fate = policy.refresh.fate(old);
  if (fate.accessToken === 'on-first-use-of-the-new') store.tokens.revokeAccess(old);
  if (fate.refreshToken === 'on-first-use-of-the-new') store.tokens.revokeRefresh(old);
}

export function clientOf(
  request: HttpRequest,
  parameters: ReceivedParameters,
  grantType: 'authorization_code' | 'refresh_token',
  { policy, store }: Service,
): RegisteredApplication | TokenRefusal {
  const credentials = policy.client.credentials(request, parameters);
  if (isRefusal(credentials)) return credentials;
  return policy.client.authenticate(credentials, store.applications, grantType);
}

function orUndefined<T>(decision: T | TokenRefusal): TokenRefusal | undefined {
  return isRefusal<TokenReason>(decision) ? decision : undefined;
}

function punishedPair(pair: IssuedPair, refusal: TokenRefusal, { policy, store }: Service): TokenRefusal {
  const consequence = refusal.refused === 'refresh-token-revoked' ? policy.refresh.onReuse(pair) : 'keep';
  if (consequence !== 'keep') revokeGrants(pair.grant, consequence, store);
  return refusal;
}

export function issuePair(
  { policy, store, clock, randomness }: Service,
  grant: Grant,
  scopes: Scopes,
  previous?: IssuedPair,
): IssuedPair {
  const now = clock.now();
  const terms = {
    grant,
    scopes,
    accessLifetime: policy.lifetime.accessToken(previous, now),
    refreshLifetime: policy.lifetime.refreshToken(previous, now),
    refreshed: previous !== undefined,
  };
  const pair = new IssuedPair(
    policy.token.value('access', randomness, previous),
    policy.token.value('refresh', randomness, previous),
    previous !== undefined && areSame(previous.terms, terms) ? previous.terms : terms,
    now,
  );
  store.tokens.add(pair);
  return pair;
}

function areSame(a: PairTerms, b: PairTerms): boolean {
  return (
    a.grant === b.grant &&
    a.scopes === b.scopes &&
    a.accessLifetime === b.accessLifetime &&
    a.refreshLifetime === b.refreshLifetime &&
    a.refreshed === b.refreshed
  );
}

export function issuedTokens(pair: IssuedPair, now: number): IssuedTokens {
  const { accessToken, refreshToken, expiresAt, scopes, issuedAt, refreshed } = pair;
  return { accessToken, refreshToken, expiresIn: Math.round(expiresAt - now), scopes, issuedAt, refreshed };
}

function revokeGrants(grant: Grant, revocation: GrantRevocation, { grants }: Store): void {
  // A credential of a revoked grant revokes nothing else.
  if (grant.revoked) return;
  const all = revocation === 'revoke-grant' ? [] : grants.of(grant.ownerId, grant.clientId);
  for (const one of [grant, ...all]) one.revoked = true;
}
