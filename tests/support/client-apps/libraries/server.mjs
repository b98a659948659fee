// A web application of several users around a library: `PORT=3000 node server.mjs NAME`. Its state is in the folder LEGACY_STATE.
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const { env } = process;
const { create } = await import(`./${process.argv[2]}.mjs`);
const library = await create({
  authUrl: env.LEGACY_AUTH_URL,
  baseUrl: env.LEGACY_BASE_URL,
  clientId: env.LEGACY_CLIENT_ID,
  clientSecret: env.LEGACY_CLIENT_SECRET,
  redirectUri: env.LEGACY_REDIRECT_URI,
});
const begun = new Map();

const storeOf = (user) => {
  const file = join(env.LEGACY_STATE, `${user}.json`);
  return {
    read: () => JSON.parse(readFileSync(file, 'utf8')),
    write: (tokens) => writeFileSync(file, JSON.stringify(tokens)),
  };
};

async function respond(request, response) {
  const { pathname } = new URL(request.url, 'http://app.invalid');
  const user = /(?:^|; )user=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? randomUUID();
  if (pathname === '/') return response.end(process.argv[2]);
  if (pathname === '/connect') {
    const { address, kept } = await library.begin();
    begun.set(user, kept);
    return response.writeHead(302, { Location: String(address), 'Set-Cookie': `user=${user}; Path=/` }).end();
  }
  if (pathname === '/callback') {
    const tokens = await library.finish(new URL(request.url, env.LEGACY_REDIRECT_URI), begun.get(user));
    storeOf(user).write(tokens);
    library.signedIn?.(user);
    return response.end('Connected');
  }
  const [, project, assigned] = /^\/projects\/([^/]+)\/users(?:\/([^/]+))?$/.exec(pathname);
  const address = [`${env.LEGACY_BASE_URL}/v2/projects/${project}/assigned_users`, assigned]
    .filter(Boolean)
    .join('/');
  const status = await library.call(storeOf(user), request.method, address, user);
  response.writeHead(status).end();
}

createServer((request, response) => {
  respond(request, response).catch(() => response.writeHead(502).end());
}).listen(Number(env.PORT), '127.0.0.1');
