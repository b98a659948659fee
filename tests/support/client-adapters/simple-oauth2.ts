import { randomUUID } from 'node:crypto';
import { type AccessToken, AuthorizationCode, type Token } from 'simple-oauth2';
import type { ClientAdapter, ClientSettings, ClientUnderTest, StoredPair } from './adapter.ts';
import { expectedFailures } from './simple-oauth2-failures.ts';

/**
 * A client as one writes it after the README of simple-oauth2: the library for tokens, `fetch` for the rest, and
 * nothing that the README does not show. Only its default, HTTP Basic, is changed: clause 4.2 has the credentials in
 * the form.
 */
const simpleOauth2: ClientAdapter = {
  name: 'simple-oauth2',
  readsSystemClock: true,
  expectedFailures,
  createClient: (settings) => new SimpleClient(settings),
  explain: (error) => ({ error: errorIn(error) }),
};

export default simpleOauth2;

class SimpleClient implements ClientUnderTest {
  readonly #settings: ClientSettings;
  readonly #oauth: AuthorizationCode;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
    this.#oauth = new AuthorizationCode({
      client: { id: settings.clientId, secret: settings.clientSecret },
      auth: { tokenHost: settings.authUrl },
      options: { authorizationMethod: 'body' },
      http: { timeout: settings.deadlineMs },
    });
  }

  async authorizationRequest(scope: readonly string[]): Promise<{ url: string; state: string }> {
    const state = randomUUID();
    return {
      url: this.#oauth.authorizeURL({ redirect_uri: this.#settings.redirectUri, scope, state }),
      state,
    };
  }

  async exchange(code: string): Promise<void> {
    await this.#save(await this.#oauth.getToken({ code, redirect_uri: this.#settings.redirectUri }));
  }

  async refresh(): Promise<void> {
    await this.#save(await (await this.#load()).refresh());
  }

  async accessToken(): Promise<string> {
    let accessToken = await this.#load();
    if (accessToken.expired(this.#settings.leewaySeconds)) {
      accessToken = await accessToken.refresh();
      await this.#save(accessToken);
    }
    return String(accessToken.token.access_token);
  }

  async assign(projectId: string, userId: string): Promise<void> {
    await this.#call('PUT', `${encodeURIComponent(projectId)}/assigned_users/${encodeURIComponent(userId)}`);
  }

  async unassign(projectId: string, userId: string): Promise<void> {
    await this.#call(
      'DELETE',
      `${encodeURIComponent(projectId)}/assigned_users/${encodeURIComponent(userId)}`,
    );
  }

  async list(projectId: string): Promise<readonly unknown[]> {
    const response = await this.#call('GET', `${encodeURIComponent(projectId)}/assigned_users`);
    const body = await response.json();
    return body.assigned_users ?? body;
  }

  async #call(method: string, path: string): Promise<Response> {
    const response = await fetch(`${this.#settings.baseUrl}/v2/projects/${path}`, {
      method,
      headers: { Authorization: `Bearer ${await this.accessToken()}` },
      signal: AbortSignal.timeout(this.#settings.deadlineMs),
    });
    if (!response.ok) throw new Error(`${method} failed with status ${response.status}`);
    return response;
  }

  async #load(): Promise<AccessToken> {
    const stored = await this.#settings.store.load();
    if (stored === undefined) throw new Error('nobody has authorized this client yet');
    return this.#oauth.createToken(stored.token as Token);
  }

  async #save({ token }: AccessToken): Promise<void> {
    await this.#settings.store.save({
      accessToken: token.access_token,
      refreshToken: token.refresh_token,
      token,
    } as StoredPair);
  }
}

/** The place of an answer's `error` for callers of the library. */
function errorIn(error: unknown): string | undefined {
  const { data } = error as { readonly data?: { readonly payload?: { readonly error?: unknown } } };
  const value = data?.payload?.error;
  return typeof value === 'string' ? value : undefined;
}
