// After the README of google-auth-library: "OAuth2", with the endpoints of another service.
import { OAuth2Client } from 'google-auth-library';

export function create({ authUrl, clientId, clientSecret, redirectUri }) {
  const made = () =>
    new OAuth2Client({
      clientId,
      clientSecret,
      redirectUri,
      endpoints: {
        oauth2AuthBaseUrl: `${authUrl}/oauth/authorize`,
        oauth2TokenUrl: `${authUrl}/oauth/token`,
      },
    });
  const clients = new Map();
  return {
    begin() {
      const state = crypto.randomUUID();
      const address = made().generateAuthUrl({ scope: ['read', 'write', 'destroy'], state });
      return { address, kept: { state } };
    },
    async finish(url, { state }) {
      if (url.searchParams.get('error') !== null || url.searchParams.get('state') !== state)
        throw new Error('State mismatch.');
      return (await made().getToken(url.searchParams.get('code'))).tokens;
    },
    async call(store, method, address, user) {
      if (!clients.has(user)) {
        const client = made();
        client.on('tokens', (tokens) => store.write({ ...store.read(), ...tokens }));
        clients.set(user, client);
      }
      const client = clients.get(user);
      client.setCredentials(store.read());
      return (await client.request({ url: address, method, validateStatus: () => true })).status;
    },
  };
}
