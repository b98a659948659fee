import type { ReceivedParameters } from '../parameters.ts';
import type { IssuedTokens, RefreshExchange } from '../policy.ts';
import type { IssuedPair, RegisteredApplication } from '../records.ts';
import { isRefusal, type Refusal, type TokenReason } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import type { Service } from '../service.ts';
import { issuedTokens, issuePair, revokeGrants } from './issue-tokens.ts';

export async function refreshTokens(
  request: HttpRequest,
  parameters: ReceivedParameters,
  service: Service,
): Promise<IssuedTokens | Refusal<TokenReason>> {
  const { policy, store, clock } = service;
  const refreshToken = policy.client.required(parameters, 'refresh_token');
  if (isRefusal(refreshToken)) return refreshToken;
  const application = clientOf(request, parameters, service);
  const pair = policy.refresh.find(refreshToken, store);
  const wrong = policy.refresh.verdict(orUndefined(application), orUndefined(pair));
  if (wrong !== undefined) return wrong;
  if (isRefusal(application)) return application;
  if (isRefusal(pair)) return pair;

  const scope = parameters.get('scope');
  const exchange: RefreshExchange = { application, refreshToken, ...(scope ? { scope } : {}) };
  const now = clock.now();
  const refused = policy.refresh.check(pair, exchange, now);
  if (refused !== undefined) return punished(pair, refused, service);
  const scopes = policy.refresh.scopes(pair, exchange);
  if (isRefusal(scopes)) return scopes;
  const fate = policy.refresh.fate(pair);
  const overtaken = await policy.refresh.rotate(pair, fate, store.tokens);
  if (overtaken !== undefined) return punished(pair, overtaken, service);

  const next = issuePair(service, pair.grant, scopes, pair);
  if (fate.accessToken === 'at-once') store.tokens.revokeAccess(pair);
  if (fate.accessToken === 'on-first-use-of-the-new' || fate.refreshToken === 'on-first-use-of-the-new') {
    next.supersedes = pair;
  }
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

function clientOf(
  request: HttpRequest,
  parameters: ReceivedParameters,
  { policy, store }: Service,
): RegisteredApplication | Refusal<TokenReason> {
  const credentials = policy.client.credentials(request, parameters);
  if (isRefusal(credentials)) return credentials;
  return policy.client.authenticate(credentials, store.applications, 'refresh_token');
}

function orUndefined<T>(decision: T | Refusal<TokenReason>): Refusal<TokenReason> | undefined {
  return isRefusal<TokenReason>(decision) ? decision : undefined;
}

function punished(
  pair: IssuedPair,
  refusal: Refusal<TokenReason>,
  { policy, store }: Service,
): Refusal<TokenReason> {
  const consequence = refusal.refused === 'refresh-token-revoked' ? policy.refresh.onReuse(pair) : 'keep';
  if (consequence !== 'keep') revokeGrants(pair.grant, consequence, store);
  return refusal;
}
