// After the README of openid-client 6: "Authorization Code Flow (OAuth 2.0)".
import * as client from 'openid-client';

export function create({ authUrl, clientId, clientSecret, redirectUri }) {
  const server = {
    issuer: authUrl,
    authorization_endpoint: `${authUrl}/oauth/authorize`,
    token_endpoint: `${authUrl}/oauth/token`,
  };
  const config = new client.Configuration(server, clientId, clientSecret);
  client.allowInsecureRequests(config);
  const kept = (tokens) => ({ ...tokens, expires_at: Date.now() + (tokens.expiresIn() ?? 0) * 1000 });
  return {
    async begin() {
      const verifier = client.randomPKCECodeVerifier();
      const state = client.randomState();
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'read write destroy',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
      });
      return { address, kept: { verifier, state } };
    },
    async finish(url, { verifier, state }) {
      return kept(
        await client.authorizationCodeGrant(config, url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
        }),
      );
    },
    async call(store, method, address) {
      let tokens = store.read();
      if (Date.now() >= tokens.expires_at) {
        tokens = kept(await client.refreshTokenGrant(config, tokens.refresh_token));
        store.write(tokens);
      }
      return (await client.fetchProtectedResource(config, tokens.access_token, new URL(address), method))
        .status;
    },
  };
}
