// After the examples of oauth4webapi: "oauth.ts", with PKCE and state; refresh as in "refresh_token".
import * as oauth from 'oauth4webapi';

export function create({ authUrl, clientId, clientSecret, redirectUri }) {
  const server = {
    issuer: authUrl,
    authorization_endpoint: `${authUrl}/oauth/authorize`,
    token_endpoint: `${authUrl}/oauth/token`,
  };
  const client = { client_id: clientId };
  const authentication = oauth.ClientSecretPost(clientSecret);
  const http = { [oauth.allowInsecureRequests]: true };
  const kept = (result) => ({ ...result, expires_at: Date.now() + result.expires_in * 1000 });
  return {
    async begin() {
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const address = new URL(server.authorization_endpoint);
      address.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'read write destroy',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
      });
      return { address, kept: { verifier, state } };
    },
    async finish(url, { verifier, state }) {
      const parameters = oauth.validateAuthResponse(server, client, url, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        redirectUri,
        verifier,
        http,
      );
      return kept(await oauth.processAuthorizationCodeResponse(server, client, response));
    },
    async call(store, method, address) {
      let tokens = store.read();
      if (Date.now() >= tokens.expires_at) {
        const response = await oauth.refreshTokenGrantRequest(
          server,
          client,
          authentication,
          tokens.refresh_token,
          http,
        );
        tokens = kept(await oauth.processRefreshTokenResponse(server, client, response));
        store.write(tokens);
      }
      const answer = await oauth.protectedResourceRequest(
        tokens.access_token,
        method,
        new URL(address),
        undefined,
        undefined,
        http,
      );
      return answer.status;
    },
  };
}
