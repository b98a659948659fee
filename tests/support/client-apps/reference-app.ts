/** The reference client as a web application of several users: `PORT=3000 node reference-app.ts`. Its state is in the folder LEGACY_STATE. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import {
  type Client,
  createClient,
  fileStore,
  RefreshLost,
} from '../../../examples/reference-client/client/index.ts';

const { env } = process;
const clients = new Map<string, Client>();
const states = new Map<string, string>();
/** Users whose last refresh got no answer: their next call tries its token once more. */
const lost = new Set<Client>();

function clientOf(user: string): Client {
  const known = clients.get(user);
  if (known !== undefined) return known;
  const client = createClient({
    authUrl: env.LEGACY_AUTH_URL ?? '',
    baseUrl: env.LEGACY_BASE_URL ?? '',
    clientId: env.LEGACY_CLIENT_ID ?? '',
    clientSecret: env.LEGACY_CLIENT_SECRET ?? '',
    redirectUri: env.LEGACY_REDIRECT_URI ?? '',
    store: fileStore(join(env.LEGACY_STATE ?? '.', `${user}.json`)),
    deadlineMs: 3_000,
  });
  clients.set(user, client);
  return client;
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://app.invalid');
  const cookie = /(?:^|; )user=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
  const user = cookie ?? randomUUID();
  const client = clientOf(user);
  if (pathname === '/') return end(response, 200, 'The reference client');
  if (pathname === '/connect') {
    const { url, state } = client.authorizationRequest(['read', 'write', 'destroy']);
    states.set(user, state);
    response.writeHead(303, { Location: url, 'Set-Cookie': `user=${user}; HttpOnly; Path=/` }).end();
    return;
  }
  if (pathname === '/callback') {
    const state = states.get(user);
    states.delete(user);
    await client.exchange(client.readCallback(request.url ?? '', state));
    return end(response, 200, 'Connected');
  }
  if (lost.delete(client)) await client.recoverLostRefresh();
  const [, project = '', assigned] = /^\/projects\/([^/]+)\/users(?:\/([^/]+))?$/.exec(pathname) ?? [];
  try {
    if (request.method === 'PUT' && assigned !== undefined) await client.assign(project, assigned);
    else if (request.method === 'DELETE' && assigned !== undefined) await client.unassign(project, assigned);
    else return end(response, 200, JSON.stringify(await client.list(project)));
    return end(response, 204, '');
  } catch (error) {
    if (!(error instanceof RefreshLost)) throw error;
    lost.add(client);
    return end(response, 503, 'Please try again');
  }
}

function end(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(body);
}

createServer((request, response) => {
  respond(request, response).catch((error: unknown) => {
    end(response, 502, error instanceof Error ? error.name : 'failed');
  });
}).listen(Number(env.PORT), '127.0.0.1');
