import createFetchClient from 'openapi-fetch';
import type { components, paths } from '../../generated/openapi.d.ts';
import {
  type ClientError,
  ExchangeLost,
  RefreshLost,
  type TokenOperation,
  UnexpectedAnswer,
  Unreachable,
} from './errors/index.ts';
import type { Settings } from './options.ts';
import { send } from './send.ts';
import type { TokenPair } from './store/token-store.ts';
import { readTokenAnswer } from './token-response.ts';

type TokenRequest = components['schemas']['TokenRequest'];

/** `POST {auth_url}/oauth/token`. Each call sends one request, and never a second one. */
export interface TokenEndpoint {
  /**
   * Exchanges a code (clause 4.2).
   *
   * @throws ExchangeLost if the answer did not arrive whole
   * @throws Unreachable with reason `not-sent`
   * @throws what {@link readTokenAnswer} throws
   */
  exchange(code: string): Promise<TokenPair>;
  /**
   * Refreshes (clause 4.3).
   *
   * @throws RefreshLost if the answer did not arrive whole, or is a success that holds no token response
   * @throws Unreachable with reason `not-sent`
   * @throws what {@link readTokenAnswer} throws
   */
  refresh(refreshToken: string): Promise<TokenPair>;
}

/** The token endpoint of the settings, with its credentials in the form, as the clause has it. */
export function tokenEndpoint(settings: Settings): TokenEndpoint {
  const { authUrl, clientId, clientSecret, redirectUri, deadlineMs, now, fetch } = settings;
  const api = createFetchClient<paths>({ baseUrl: authUrl, fetch });
  const credentials = { client_id: clientId, client_secret: clientSecret };

  async function post(operation: TokenOperation, body: TokenRequest, secret: string): Promise<TokenPair> {
    const answer = await send({ operation, deadlineMs }, (init) =>
      api.POST('/oauth/token', {
        ...init,
        body,
        // openapi-fetch form-encodes on seeing this very media type.
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
      }),
    );
    return readTokenAnswer(answer, { operation, receivedAt: now(), secrets: [clientSecret, secret] });
  }

  return {
    async exchange(code) {
      try {
        return await post(
          'exchange',
          { ...credentials, grant_type: 'authorization_code', code, redirect_uri: redirectUri },
          code,
        );
      } catch (error) {
        throw didNotArrive(error) ? new ExchangeLost(error) : error;
      }
    },
    async refresh(refreshToken) {
      try {
        return await post(
          'refresh',
          { ...credentials, grant_type: 'refresh_token', refresh_token: refreshToken },
          refreshToken,
        );
      } catch (error) {
        throw didNotArrive(error) || isUselessSuccess(error) ? new RefreshLost(error) : error;
      }
    },
  };
}

function didNotArrive(error: unknown): error is Unreachable {
  return error instanceof Unreachable && error.reason !== 'not-sent';
}

/** The service says that it refreshed, and the new pair cannot be read: it is as lost as if it had not arrived. */
function isUselessSuccess(error: unknown): error is ClientError {
  return error instanceof UnexpectedAnswer && (error.status ?? 0) < 300;
}
