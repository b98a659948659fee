import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * An application that shows the members of a project: your own, in small. It signs its user in at the service, keeps the pair
 * of tokens, and refreshes it when the service says that the access token has expired.
 *
 * @param service authUrl, baseUrl, clientId, clientSecret, projectId
 */
export function createApp(service) {
  let state;
  let pair;

  /** One token request; the pair is replaced as a whole, because every refresh token is good for one refresh. */
  async function tokenRequest(parameters) {
    const response = await fetch(`${service.authUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: service.clientId,
        client_secret: service.clientSecret,
        ...parameters,
      }),
    });
    if (!response.ok) throw new Error(`the token endpoint answered ${response.status}`);
    pair = await response.json();
  }

  const list = () =>
    fetch(`${service.baseUrl}/v2/projects/${service.projectId}/assigned_users`, {
      headers: { Authorization: `Bearer ${pair.access_token}` },
    });

  async function members() {
    let response = await list();
    if (response.status === 401) {
      await tokenRequest({ grant_type: 'refresh_token', refresh_token: pair.refresh_token });
      response = await list();
    }
    if (!response.ok) throw new Error(`the list answered ${response.status}`);
    return (await response.json()).map(({ name }) => name);
  }

  const server = createServer(async (request, answer) => {
    const redirectUri = `http://127.0.0.1:${server.address().port}/callback`;
    const url = new URL(request.url, redirectUri);
    const show = (status, text) => answer.writeHead(status, { 'Content-Type': 'text/html' }).end(text);
    const go = (location) => answer.writeHead(302, { Location: location }).end();
    try {
      if (url.pathname === '/connect') {
        state = randomUUID();
        const query = {
          client_id: service.clientId,
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: 'read',
          state,
        };
        return go(`${service.authUrl}/oauth/authorize?${new URLSearchParams(query)}`);
      }
      if (url.pathname === '/callback') {
        if (url.searchParams.get('state') !== state)
          return show(400, '<p>This is not the sign-in that you began.');
        state = undefined;
        const code = url.searchParams.get('code');
        if (code === null)
          return show(200, '<p>You did not connect the service. <a href="/connect">Connect</a>');
        await tokenRequest({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
        return go('/members');
      }
      if (pair === undefined) return show(200, '<p><a href="/connect">Connect</a>');
      return show(200, `<ul>${(await members()).map((name) => `<li>${name}</li>`).join('')}</ul>`);
    } catch (error) {
      return show(502, `<p role="alert">${error.message}`);
    }
  });
  return server;
}
