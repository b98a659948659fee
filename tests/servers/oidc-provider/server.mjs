// Starts the authorization server on $PORT and the API on $API_PORT of 127.0.0.1 (0 picks a free port), and
// prints `ready AUTH_URL BASE_URL`.

import { createServer } from 'node:http';
import { json as jsonOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { advance } from '../clock.mjs';
import { api } from './api.mjs';
import { makeProvider } from './oauth.mjs';
import { accountArea, interaction, send } from './pages.mjs';
import { is } from './variants.mjs';

let provider;
let library;

async function handleAuth(message, reply, pathname) {
  if (pathname === '/clock/advance' && process.env.SEED_CLOCK_TOKEN) {
    const allowed = message.headers.authorization === `Bearer ${process.env.SEED_CLOCK_TOKEN}`;
    const { seconds } = await jsonOf(message);
    if (allowed) advance(seconds);
    return send(reply, allowed ? 204 : 401);
  }
  const asked = pathname.match(/^\/interaction\/([\w-]+)(?:\/(login|confirm|abort))?$/);
  if (asked) return interaction(provider, message, reply, asked[1], asked[2]);
  if (/^\/access-keys\/applications(\/new)?$/.test(pathname)) return accountArea(message, reply, pathname);
  return library(message, reply);
}

async function handleApi(message, reply, pathname) {
  message.resume();
  const { status, body, headers } = await api(provider, message, pathname);
  const content = body && JSON.stringify(body);
  send(reply, status, { ...(content && { 'content-type': 'application/json' }), ...headers }, content);
}

// As a front server would: each connection ends, and the content goes in chunks, compressed where the request allows it.
function frontServer({ headers }, reply) {
  const { end } = reply;
  reply.setHeader('Connection', 'close');
  reply.end = (content = '') => {
    const packed = content.length > 0 && /\bgzip\b/.test(headers['accept-encoding'] ?? '');
    reply.removeHeader('Content-Length');
    reply.setHeader('Vary', 'Accept-Encoding');
    if (packed) reply.setHeader('Content-Encoding', 'gzip');
    reply.flushHeaders();
    return end.call(reply, packed ? gzipSync(content) : content);
  };
}

const listen = (handle, port) =>
  new Promise((done) => {
    const server = createServer(async (message, reply) => {
      if (is('front-server')) frontServer(message, reply);
      try {
        await handle(message, reply, message.url.split('?')[0]);
      } catch (error) {
        console.error(error);
        send(reply, 500, { 'content-type': 'application/json' }, '{"error":"server_error"}');
      }
    });
    server.listen(port, '127.0.0.1', () => done(server));
  });
const address = (server) => `http://127.0.0.1:${server.address().port}`;

const port = Number(process.env.PORT ?? 4760);
const auth = await listen(handleAuth, port);
provider = makeProvider(address(auth));
library = provider.callback();
const resources = await listen(handleApi, Number(process.env.API_PORT ?? (port ? port + 1 : 0)));
console.log(`ready ${address(auth)} ${address(resources)}`);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit());
