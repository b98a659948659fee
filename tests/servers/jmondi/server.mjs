// Starts the host on 127.0.0.1:$PORT (0 picks a free port), and prints `ready ADDRESS`.

import { createServer } from 'node:http';
import { advance } from '../clock.mjs';
import { api } from './api.mjs';
import { authorize, consent, token } from './oauth.mjs';
import { json, login, page } from './pages.mjs';

async function handle(request) {
  const { pathname } = new URL(request.url);
  const { method } = request;
  if (pathname.startsWith('/v2/')) return api(request, pathname);
  const route = {
    'GET /oauth/authorize': authorize,
    'POST /oauth/consent': consent,
    'POST /oauth/token': token,
    'GET /login': login,
    'POST /login': login,
  }[`${method} ${pathname}`];
  if (route) return route(request);
  if (pathname === '/oauth/token')
    return json({ error: 'invalid_request', error_description: 'POST only' }, 405, { allow: 'POST' });
  return page('Not found', '', { status: 404 });
}

const server = createServer(async (message, reply) => {
  const parts = [];
  for await (const part of message) parts.push(part);
  const content = Buffer.concat(parts);
  let response;
  try {
    if (message.url === '/clock/advance' && process.env.SEED_CLOCK_TOKEN) {
      const allowed = message.headers.authorization === `Bearer ${process.env.SEED_CLOCK_TOKEN}`;
      if (allowed) advance(JSON.parse(content).seconds);
      response = new Response(null, { status: allowed ? 204 : 401 });
    } else {
      let request;
      try {
        request = new Request(origin + message.url, {
          method: message.method,
          headers: Object.entries(message.headers).map(([name, value]) => [name, String(value)]),
          body: content.length && !['GET', 'HEAD'].includes(message.method) ? content : undefined,
        });
      } catch {
        response = new Response('Bad request', { status: 400 });
      }
      response ??= await handle(request);
    }
  } catch (error) {
    console.error(error);
    response = json({ error: 'server_error' }, 500);
  }
  const answer = Buffer.from(await response.arrayBuffer());
  reply.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    ...(response.status !== 204 && { 'content-length': answer.length }),
  });
  reply.end(answer);
});
await new Promise((done) => {
  server.listen(Number(process.env.PORT ?? 4730), '127.0.0.1', done);
});
const origin = `http://127.0.0.1:${server.address().port}`;
console.log(`ready ${origin}`);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit());
