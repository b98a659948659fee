import createFetchClient from 'openapi-fetch';
import type { components, paths } from '../generated/openapi.d.ts';
import {
  type ClientError,
  ExchangeLost,
  RefreshLost,
  type TokenOperation,
  UnexpectedAnswer,
  Unreachable,
} from './errors.ts';
import type { Settings } from './options.ts';
import { send } from './send.ts';
import type { TokenPair } from './store/token-store.ts';
import { readTokenAnswer } from './token-response.ts';

type TokenRequest = components['schemas']['TokenRequest'];

export type TokenEndpoint = ReturnType<typeof tokenEndpoint>;

/** `POST {auth_url}/oauth/token`, with the credentials in the form. Each call sends exactly one request. */
export function tokenEndpoint(settings: Settings) {
  const { authUrl, clientId, clientSecret, redirectUri, deadlineMs, now, fetch } = settings;
  const api = createFetchClient<paths>({ baseUrl: authUrl, fetch });
  const credentials = { client_id: clientId, client_secret: clientSecret };

  async function post(operation: TokenOperation, body: TokenRequest, secret: string): Promise<TokenPair> {
    const answer = await send({ operation, deadlineMs }, (init) =>
      api.POST('/oauth/token', {
        ...init,
        body,
        // openapi-fetch form-encodes only for this exact media type.
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
      }),
    );
    return readTokenAnswer(answer, { operation, receivedAt: now(), secrets: [clientSecret, secret] });
  }

  return {
    /** Clause 4.2. @throws ExchangeLost if no complete answer arrived; Unreachable, and all errors of `readTokenAnswer` */
    async exchange(code: string): Promise<TokenPair> {
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
    /**
     * Clause 4.3. @throws RefreshLost if no complete answer arrived, or a success without a token response; otherwise like
     * `exchange`
     */
    async refresh(refreshToken: string): Promise<TokenPair> {
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

/** True for a success whose new pair cannot be read: it is as lost as an answer that never arrived. */
function isUselessSuccess(error: unknown): error is ClientError {
  return error instanceof UnexpectedAnswer && (error.status ?? 0) < 300;
}
