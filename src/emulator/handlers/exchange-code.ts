import type { ReceivedParameters } from '../parameters.ts';
import type { CodeExchange, IssuedTokens } from '../policy.ts';
import type { AuthorizationCode } from '../records.ts';
import { isRefusal, type Refusal, type TokenReason } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import type { Service } from '../service.ts';
import { issuedTokens, issuePair, revokeGrants } from './issue-tokens.ts';

export async function exchangeCode(
  request: HttpRequest,
  parameters: ReceivedParameters,
  service: Service,
): Promise<IssuedTokens | Refusal<TokenReason>> {
  const { policy, store, clock } = service;
  const value = policy.client.required(parameters, 'code');
  if (isRefusal(value)) return value;
  const redirectUri = policy.client.required(parameters, 'redirect_uri');
  if (isRefusal(redirectUri)) return redirectUri;
  const credentials = policy.client.credentials(request, parameters);
  if (isRefusal(credentials)) return credentials;
  const application = policy.client.authenticate(credentials, store.applications, 'authorization_code');
  if (isRefusal(application)) return application;

  const code = policy.code.find(value, store.codes);
  if (isRefusal(code)) return code;
  const verifier = parameters.get('code_verifier');
  const scope = parameters.get('scope');
  const exchange: CodeExchange = {
    application,
    code: value,
    redirectUri,
    ...(verifier ? { verifier } : {}),
    ...(scope ? { scope } : {}),
  };
  const now = clock.now();
  const refused = policy.code.check(code, exchange, now);
  if (refused !== undefined) return punished(code, refused, service);
  const scopes = policy.token.scopes(code, exchange);
  if (isRefusal(scopes)) return punished(code, scopes, service);
  const used = await policy.code.redeem(code, exchange, now);
  if (used !== undefined) return punished(code, used, service);

  const granted = store.grants.of(code.grant.ownerId, code.grant.clientId);
  const pair = policy.token.existing(code, granted, now) ?? issuePair(service, code.grant, scopes);
  code.gave = pair;
  return issuedTokens(pair, now);
}

function punished(
  code: AuthorizationCode,
  refusal: Refusal<TokenReason>,
  { policy, clock, store }: Service,
): Refusal<TokenReason> {
  const consequence = policy.code.afterRefusal(code, refusal);
  if (consequence === 'burn-code') code.usedAt ??= clock.now();
  else if (consequence !== 'keep') revokeGrants(code.gave?.grant ?? code.grant, consequence, store);
  return refusal;
}
