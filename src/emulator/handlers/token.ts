import type { ServiceAnswer } from '../answer.ts';
import { isRefusal } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import type { Service } from '../service.ts';
import { exchangeCode } from './exchange-code.ts';
import { refreshTokens } from './refresh-tokens.ts';

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
