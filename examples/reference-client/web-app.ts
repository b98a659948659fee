import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AuthorizationDenied, type Client, ClientError, Unauthorized } from './client/index.ts';

const STATE_COOKIE = 'oauth_state';

/**
 * A web application of one user, to copy from: `/connect` sends the browser to the authorization request, `/callback`
 * is the redirect address, `/projects/<id>/users` lists who is assigned.
 *
 * @example
 * createWebApp(createClient({ …, redirectUri: 'https://client.example/callback' })).listen(3000);
 */
export function createWebApp(client: Client): Server {
  return createServer((request, response) => {
    respond(client, request, response).catch((error: unknown) => {
      // Safe to log: no error of the client holds a secret.
      if (error instanceof ClientError) console.error(`${error.name}: ${error.message}`);
      text(response, 502, 'That did not work. Please try again later.');
    });
  });
}

async function respond(client: Client, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://app.invalid');
  if (pathname === '/connect') return connect(client, response);
  if (pathname === '/callback') return await callback(client, request, response);
  const projectId = /^\/projects\/([^/]+)\/users$/.exec(pathname)?.[1];
  if (projectId === undefined) return text(response, 404, 'There is no such page.');
  return await users(client, decodeURIComponent(projectId), response);
}

/** The state goes into a cookie of this browser: only the browser that was sent away can come back with it. */
function connect(client: Client, response: ServerResponse): void {
  const { url, state } = client.authorizationRequest(['read', 'write', 'destroy']);
  redirect(
    response,
    url,
    `${STATE_COOKIE}=${state}; HttpOnly; Secure; SameSite=Lax; Path=/callback; Max-Age=600`,
  );
}

async function callback(client: Client, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const state = /(?:^|; )oauth_state=([^;]*)/.exec(request.headers.cookie ?? '')?.[1];
  // Forgotten before anything else can fail: a reloaded page must not exchange its code again.
  response.setHeader('Set-Cookie', `${STATE_COOKIE}=; Path=/callback; Max-Age=0`);
  try {
    await client.exchange(client.readCallback(request.url ?? '', state));
  } catch (error) {
    if (error instanceof AuthorizationDenied)
      return text(response, 200, 'You did not grant access. Nothing was done.');
    throw error;
  }
  redirect(response, '/');
}

async function users(client: Client, projectId: string, response: ServerResponse): Promise<void> {
  try {
    text(response, 200, JSON.stringify(await client.list(projectId)), 'application/json');
  } catch (error) {
    if (error instanceof Unauthorized) return redirect(response, '/connect');
    throw error;
  }
}

function redirect(response: ServerResponse, location: string, cookie?: string): void {
  if (cookie !== undefined) response.setHeader('Set-Cookie', cookie);
  response.writeHead(303, { Location: location }).end();
}

function text(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'Content-Type': type }).end(body);
}
