// After the documentation of arctic 3: "Generic OAuth 2.0 client".
import { CodeChallengeMethod, generateCodeVerifier, generateState, OAuth2Client } from 'arctic';

export function create({ authUrl, clientId, clientSecret, redirectUri }) {
  const client = new OAuth2Client(clientId, clientSecret, redirectUri);
  const endpoint = `${authUrl}/oauth/token`;
  const kept = (tokens) => ({
    access: tokens.accessToken(),
    refresh: tokens.refreshToken(),
    expires: tokens.accessTokenExpiresAt().getTime(),
  });
  return {
    begin() {
      const state = generateState();
      const verifier = generateCodeVerifier();
      const scopes = ['read', 'write', 'destroy'];
      const method = CodeChallengeMethod.S256;
      const address = client.createAuthorizationURLWithPKCE(
        `${authUrl}/oauth/authorize`,
        state,
        method,
        verifier,
        scopes,
      );
      return { address, kept: { state, verifier } };
    },
    async finish(url, { state, verifier }) {
      const code = url.searchParams.get('code');
      if (code === null || url.searchParams.get('state') !== state)
        throw new Error('Please restart the process.');
      return kept(await client.validateAuthorizationCode(endpoint, code, verifier));
    },
    async call(store, method, address) {
      let tokens = store.read();
      if (Date.now() >= tokens.expires) {
        tokens = kept(await client.refreshAccessToken(endpoint, tokens.refresh, []));
        store.write(tokens);
      }
      return (await fetch(address, { method, headers: { Authorization: `Bearer ${tokens.access}` } })).status;
    },
  };
}
