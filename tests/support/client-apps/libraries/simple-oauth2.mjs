// After the README of simple-oauth2: "Authorization Code Grant", "Access Token".
import { AuthorizationCode } from 'simple-oauth2';

export function create({ authUrl, clientId, clientSecret, redirectUri }) {
  const client = new AuthorizationCode({
    client: { id: clientId, secret: clientSecret },
    auth: { tokenHost: authUrl },
  });
  const redirect = { redirect_uri: redirectUri };
  return {
    begin: () => ({
      address: client.authorizeURL({ ...redirect, scope: 'read write destroy', state: '3(#0/!~' }),
    }),
    finish: (url) => client.getToken({ code: url.searchParams.get('code'), ...redirect }),
    async call(store, method, address) {
      let token = client.createToken(store.read());
      if (token.expired()) {
        token = await token.refresh();
        store.write(token);
      }
      return (
        await fetch(address, { method, headers: { Authorization: `Bearer ${token.token.access_token}` } })
      ).status;
    },
  };
}
