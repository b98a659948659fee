// After the README of @badgateway/oauth2-client: "authorization_code", "Fetch Wrapper".
import { generateCodeVerifier, OAuth2Client, OAuth2Fetch } from '@badgateway/oauth2-client';

export function create({ authUrl, clientId, clientSecret, redirectUri }) {
  const client = new OAuth2Client({
    server: authUrl,
    clientId,
    clientSecret,
    tokenEndpoint: '/oauth/token',
    authorizationEndpoint: '/oauth/authorize',
  });
  const wrappers = new Map();
  return {
    async begin() {
      const codeVerifier = await generateCodeVerifier();
      const state = crypto.randomUUID();
      const scope = ['read', 'write', 'destroy'];
      const address = await client.authorizationCode.getAuthorizeUri({
        redirectUri,
        state,
        codeVerifier,
        scope,
      });
      return { address, kept: { codeVerifier, state } };
    },
    finish: (url, { codeVerifier, state }) =>
      client.authorizationCode.getTokenFromCodeRedirect(url.href, { redirectUri, state, codeVerifier }),
    // Each wrapper keeps the pair that it began with.
    signedIn: (user) => wrappers.delete(user),
    async call(store, method, address, user) {
      if (!wrappers.has(user))
        wrappers.set(
          user,
          new OAuth2Fetch({
            client,
            getNewToken: () => null,
            getStoredToken: () => store.read(),
            storeToken: store.write,
          }),
        );
      return (await wrappers.get(user).fetch(address, { method })).status;
    },
  };
}
