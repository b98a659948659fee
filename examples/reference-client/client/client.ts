import { AssignedUsers, type CallOptions } from './assigned-users.ts';
import {
  type AuthorizationRequest,
  authorizationRequest,
  readCallback,
  type Scope,
} from './authorization.ts';
import { CodeAlreadySent, Unreachable } from './errors.ts';
import { type AssignedUser, type ClientOptions, settingsFrom } from './options.ts';
import { tokenEndpoint } from './token-endpoint.ts';
import { TokenKeeper } from './token-keeper.ts';

/**
 * A client of the service for one user. Functions that return a promise reject with a `ClientError`. Exceptions: `TypeError` for
 * arguments that can never work, and the signal's reason for cancelled calls.
 */
export interface Client {
  /** Returns the address for the user's browser, and the state to keep for it (clause 4.1). */
  authorizationRequest(scopes: readonly Scope[]): AuthorizationRequest;

  /**
   * Returns the code in the redirect (clause 2.2).
   *
   * @param url the address, complete or only path and query
   * @param expectedState the state kept for this browser; forget it now
   * @throws StateMismatch, AuthorizationDenied, AuthorizationFailed, UnexpectedAnswer
   */
  readCallback(url: string | URL, expectedState: string | undefined): string;

  /**
   * Exchanges a code and stores the pair (clauses 4.2 and 2.1). This client object never sends a code twice, whatever the result
   * was. The state prevents two objects from handling one redirect.
   *
   * @throws CodeAlreadySent, ExchangeLost, TokenRefused, UnexpectedAnswer, TooManyRequests, ServiceFailed, Unreachable,
   * TokenStoreFailed
   */
  exchange(code: string): Promise<void>;

  /**
   * Refreshes now and stores the new pair (clauses 4.3 and 2.1). The operations refresh automatically when necessary.
   *
   * @throws AuthorizationNeeded, RefreshLost, TokenRefused, TooManyRequests, ServiceFailed, Unreachable, TokenStoreFailed
   */
  refresh(): Promise<void>;

  /** After a {@link RefreshLost}: sends the stored refresh token once more. Throws like `refresh`. */
  recoverLostRefresh(): Promise<void>;

  /** Returns an access token that has not expired, for your own requests. Refreshes if necessary, and throws like `refresh`. */
  accessToken(): Promise<string>;

  /**
   * Returns the users assigned to a project (clause 4.4).
   *
   * @throws Unauthorized, OperationRefused, TooManyRequests, ServiceFailed, UnexpectedAnswer, Unreachable, and all errors of
   * `refresh`
   */
  list(projectId: string, options?: CallOptions): Promise<readonly AssignedUser[]>;

  /** Assigns a user to a project (clause 4.4). Throws like `list`. */
  assign(projectId: string, userId: string, options?: CallOptions): Promise<void>;

  /** Removes a user from a project (clause 4.4). Throws like `list`. */
  unassign(projectId: string, userId: string, options?: CallOptions): Promise<void>;
}

/**
 * Creates the client of one user.
 *
 * @example
 * const client = createClient({
 *   authUrl: 'https://auth.example',
 *   baseUrl: 'https://api.example',
 *   clientId: 'my-application',
 *   clientSecret: process.env.LEGACY_CLIENT_SECRET ?? '',
 *   redirectUri: 'https://client.example/callback',
 *   store: fileStore('/var/lib/my-application/tokens.json'),
 * });
 * const { url, state } = client.authorizationRequest(['read', 'write']);
 * // … the browser goes to `url` and comes back to `callbackUrl` …
 * await client.exchange(client.readCallback(callbackUrl, state));
 * await client.assign('project-1', 'user-1');
 *
 * @throws TypeError for an option that cannot work
 */
export function createClient(options: ClientOptions): Client {
  const settings = settingsFrom(options);
  const endpoint = tokenEndpoint(settings);
  const keeper = new TokenKeeper(settings, endpoint);
  const users = new AssignedUsers(settings, keeper);
  const sentCodes = new Set<string>();

  return {
    authorizationRequest: (scopes) => authorizationRequest(settings, scopes),
    readCallback: (url, expectedState) => readCallback(settings, url, expectedState),

    async exchange(code) {
      if (typeof code !== 'string' || code === '')
        throw new TypeError('code: expected the code of a redirect');
      if (sentCodes.has(code)) throw new CodeAlreadySent();
      sentCodes.add(code);
      const pair = await endpoint.exchange(code).catch((error: unknown) => {
        // Only here the service certainly has not seen the code.
        if (error instanceof Unreachable && error.reason === 'not-sent') sentCodes.delete(code);
        throw error;
      });
      await keeper.keep(pair);
    },

    async refresh() {
      await keeper.successorOf(await keeper.current());
    },

    async recoverLostRefresh() {
      await keeper.successorOf(await keeper.current(), true);
    },

    async accessToken() {
      const pair = await keeper.current();
      return (keeper.isExpired(pair) ? await keeper.successorOf(pair) : pair).accessToken;
    },

    list: async (projectId, options = {}) => users.list(projectId, options),
    assign: async (projectId, userId, options = {}) => users.assign(projectId, userId, options),
    unassign: async (projectId, userId, options = {}) => users.unassign(projectId, userId, options),
  };
}
