import type { ServiceAnswer } from '../answer.ts';
import type { ReceivedTokenRequest } from '../policy.ts';
import { isRefusal } from '../refusal.ts';
import type { HttpRequest } from '../request.ts';
import type { Service } from '../service.ts';
import { exchangeCode } from './exchange-code.ts';
import { refreshTokens } from './refresh-tokens.ts';

export async function token(http: HttpRequest, service: Service): Promise<ServiceAnswer> {
  const { client, answer } = service.policy;
  const request: ReceivedTokenRequest = {
    method: answer.method(http.method),
    contentType: http.header('content-type'),
    accept: http.header('accept'),
    authorization: http.header('authorization'),
    query: http.query,
    body: http.body,
  };
  const parameters = await client.parameters(request);
  if (parameters === 'other-method') return answer.otherMethod('token', request.method, ['POST']);
  if (isRefusal(parameters)) return answer.tokenFailure(parameters);
  const grantType = client.grantType(parameters);
  if (isRefusal(grantType)) return answer.tokenFailure(grantType);
  const result =
    grantType === 'authorization_code'
      ? await exchangeCode(request, parameters, service)
      : await refreshTokens(request, parameters, service);
  if (isRefusal(result)) return answer.tokenFailure(result);
  http.outcome.effect = 'tokens-issued';
  http.outcome.accessToken = result.accessToken;
  http.outcome.refreshToken = result.refreshToken;
  return answer.tokens(result);
}
