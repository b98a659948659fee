// @jmondi/oauth2-server with the host that its documentation describes (a store, pages, a
// token check) and the project API, in plain Node.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { AuthorizationServer, DateInterval, JwtService } from '@jmondi/oauth2-server';
import { handleVanillaError, requestFromVanilla, responseToVanilla } from '@jmondi/oauth2-server/vanilla';
import * as seeds from '../seeds.mjs';
import { is } from './variants.mjs';

const repaired = !is('as-is');
const SCOPES = { read: 'Look at projects', write: 'Change projects', destroy: 'Remove from projects' };
const random = (bytes = 24) => randomBytes(bytes).toString('base64url');
const same = (one, two) => {
  const [a, b] = [Buffer.from(String(one)), Buffer.from(String(two))];
  return a.length === b.length && timingSafeEqual(a, b);
};

// ---- a clock that a request can move

const RealDate = Date;
let ahead = 0;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length) super(...given);
    else super(RealDate.now() + ahead);
  }

  static now() {
    return RealDate.now() + ahead;
  }
};

// ---- the library's repositories, in memory, each call a round trip

const LATENCY = 2;
const clients = new Map(
  seeds.clients.map((client) => [client.id, { ...client, allowedGrants: client.grants, scopes: [] }]),
);
const users = seeds.users.map((user, index) => ({ ...user, id: `account-${index + 1}` }));
const codes = new Map();
const tokens = new Map(); // by the identifier of the access token

const clientRepository = {
  async getByIdentifier(id) {
    await wait(LATENCY);
    return clients.get(id);
  },
  async isClientValid(grant, client, secret) {
    return client.allowedGrants.includes(grant) && same(secret, client.secret);
  },
};
const scopeRepository = {
  async getAllByIdentifiers(names) {
    return names.filter((name) => Object.hasOwn(SCOPES, name)).map((name) => ({ name }));
  },
  async finalize(scopes) {
    return scopes;
  },
};
const userRepository = {
  async getUserByCredentials(id) {
    await wait(LATENCY);
    return users.find((user) => user.id === id);
  },
};
const authCodeRepository = {
  async getByIdentifier(code) {
    await wait(LATENCY);
    return codes.get(code);
  },
  issueAuthCode: (client, user, scopes) => ({ code: random(), client, user, scopes, expiresAt: new Date() }),
  async persist(code) {
    await wait(LATENCY);
    codes.set(code.code, code);
  },
  async isRevoked(code) {
    await wait(LATENCY);
    return !codes.has(code) || codes.get(code).expiresAt.getTime() < Date.now();
  },
  async revoke(code) {
    await wait(LATENCY);
    codes.get(code).expiresAt = new Date(0);
  },
};
const end = (token) =>
  Object.assign(token, { accessTokenExpiresAt: new Date(0), refreshTokenExpiresAt: new Date(0) });
const tokenRepository = {
  async issueToken(client, scopes, user) {
    return { accessToken: random(), accessTokenExpiresAt: new Date(), client, user, scopes };
  },
  async persist(token) {
    await wait(LATENCY);
    tokens.set(token.accessToken, token);
  },
  async issueRefreshToken(token) {
    await wait(LATENCY);
    return Object.assign(token, {
      refreshToken: random(),
      refreshTokenExpiresAt: new DateInterval('30d').getEndDate(),
    });
  },
  async revoke(token) {
    await wait(LATENCY);
    end(token);
  },
  async revokeDescendantsOf(code) {
    await wait(LATENCY);
    for (const token of tokens.values()) if (token.originatingAuthCodeId === code) end(token);
  },
  async isRefreshTokenRevoked({ refreshTokenExpiresAt }) {
    return Date.now() > refreshTokenExpiresAt.getTime();
  },
  async getByRefreshToken(refreshToken) {
    await wait(LATENCY);
    const found = [...tokens.values()].find((token) => token.refreshToken === refreshToken);
    if (!found) throw new Error('no such refresh token');
    return found;
  },
};

const jwt = new JwtService(random(48));
const oauth = new AuthorizationServer(clientRepository, tokenRepository, scopeRepository, jwt, {
  requiresPKCE: is('pkce-required'),
});
const TWO_HOURS = new DateInterval('2h');
oauth.enableGrantTypes(
  [{ grant: 'authorization_code', authCodeRepository, userRepository }, TWO_HOURS],
  ['refresh_token', TWO_HOURS],
);
if (repaired) oauth.enabledGrantTypes.authorization_code.authCodeTTL = new DateInterval('9m');

// ---- pages

const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const page = (title, content, { status = 200, headers = {} } = {}) =>
  new Response(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body><h1>${escapeHtml(title)}</h1>
${content}
</body></html>
`,
    {
      status,
      headers: {
        ...headers,
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
      },
    },
  );
const to = (location, headers = {}) => new Response(null, { status: 302, headers: { ...headers, location } });
const json = (body, status = 200, headers = {}) => Response.json(body, { status, headers });

const sessions = new Map();
function session(request) {
  const id = request.headers.get('cookie')?.match(/(?:^|;\s*)session=([\w-]+)/)?.[1];
  if (sessions.has(id)) return { now: sessions.get(id), headers: {} };
  const fresh = random();
  const now = { csrf: random(), asked: new Map() };
  sessions.set(fresh, now);
  return { now, headers: { 'set-cookie': `session=${fresh}; Path=/; HttpOnly; SameSite=Lax` } };
}

async function login(request) {
  const { now, headers } = session(request);
  const next = new URL(request.url).searchParams.get('next') ?? '/';
  let problem = '';
  if (request.method === 'POST') {
    const form = await request.formData();
    const user = users.find(
      ({ email, password }) => email === form.get('user') && password === form.get('pass'),
    );
    if (user && form.get('csrf') === now.csrf && next.startsWith('/oauth/')) {
      now.user = user;
      return to(next, headers);
    }
    problem = '<p role="alert">Wrong name or password.</p>';
  }
  return page(
    'Log in',
    `${problem}<form method="post"><input type="hidden" name="csrf" value="${now.csrf}">
<label>Name <input name="user" autocomplete="username"></label>
<label>Password <input name="pass" type="password" autocomplete="current-password"></label>
<button type="submit">Log in</button></form>`,
    { headers, status: problem ? 401 : 200 },
  );
}

// ---- authorization

const withError = (address, error, state) =>
  `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ error, ...(state && { state }) })}`;

async function authorize(request) {
  const { now, headers } = session(request);
  const url = new URL(request.url);
  const query = url.searchParams;
  if (repaired) {
    const client = clients.get(query.get('client_id'));
    const address = query.get('redirect_uri');
    const refused = (text) =>
      page('This request cannot be completed', `<p role="alert">${escapeHtml(text)}</p>`, { status: 400 });
    if (new Set(query.keys()).size !== [...query.keys()].length) return refused('A parameter is there twice');
    // repair: authorize.redirect-uri-authorized
    if (!client?.redirectUris.includes(address))
      return refused('Unknown application, or an address that it has not authorized');
    // end of repair
    if (query.get('response_type') !== 'code')
      return to(withError(address, 'unsupported_response_type', query.get('state')));
    const scope = (query.get('scope') ?? '').split(' ').filter(Boolean);
    if (!scope.length || !scope.every((each) => Object.hasOwn(SCOPES, each)))
      return to(withError(address, 'invalid_scope', query.get('state')));
  }
  let asked;
  try {
    asked = await oauth.validateAuthorizationRequest(await requestFromVanilla(request));
  } catch (error) {
    return responseToVanilla(handleVanillaError(error));
  }
  if (!now.user) return to(`/login?next=${encodeURIComponent(url.pathname + url.search)}`, headers);
  const id = random();
  now.asked.set(id, asked);
  return page(
    `Let ${asked.client.name} in?`,
    `<p>You are ${escapeHtml(now.user.email)}. It asks to:</p>
<ul>${asked.scopes.map(({ name }) => `<li>${escapeHtml(SCOPES[name])}</li>`).join('')}</ul>
<form method="post" action="/oauth/consent"><input type="hidden" name="asked" value="${id}">
<button name="answer" value="yes">Let it in</button> <button name="answer" value="no">Refuse</button></form>`,
    { headers },
  );
}

async function consent(request) {
  const { now } = session(request);
  const form = await request.formData();
  const asked = now.asked.get(form.get('asked'));
  if (!asked || !now.user) return page('This page has expired', '', { status: 403 });
  now.asked.delete(form.get('asked'));
  asked.user = now.user;
  asked.isAuthorizationApproved = form.get('answer') === 'yes';
  if (repaired && !asked.isAuthorizationApproved)
    return to(withError(asked.redirectUri, 'access_denied', asked.state));
  try {
    return responseToVanilla(await oauth.completeAuthorizationRequest(asked));
  } catch (error) {
    return responseToVanilla(handleVanillaError(error));
  }
}

// ---- token endpoint

// repair: exchange.code-single-use-parallel
let last = Promise.resolve();
const oneByOne = (work) => {
  const next = last.then(work, work);
  last = next.catch(() => {});
  return next;
};
// end of repair
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

async function token(request) {
  if (!repaired) {
    try {
      return responseToVanilla(await oauth.respondToAccessTokenRequest(await requestFromVanilla(request)));
    } catch (error) {
      return responseToVanilla(handleVanillaError(error));
    }
  }
  const refuse = (error, text, status = 400) => json({ error, error_description: text }, status, NO_STORE);
  if (request.headers.get('content-type')?.split(';')[0].trim() !== 'application/x-www-form-urlencoded')
    return refuse('invalid_request', 'a form is needed');
  const form = new URLSearchParams(await request.text());
  if (new Set(form.keys()).size !== [...form.keys()].length)
    return refuse('invalid_request', 'a parameter is there twice');
  const grant = form.get('grant_type');
  const wanted = [
    'grant_type',
    'client_id',
    ...(grant === 'authorization_code'
      ? ['code', 'redirect_uri']
      : grant === 'refresh_token'
        ? ['refresh_token']
        : []),
  ];
  const missing = wanted.find((name) => !form.get(name));
  if (missing) return refuse('invalid_request', `${missing} is required`);
  const headers = Object.fromEntries(request.headers);
  return oneByOne(async () => {
    try {
      const answer = await oauth.respondToAccessTokenRequest({
        headers,
        query: {},
        body: Object.fromEntries(form),
      });
      // repair: exchange.token-type-bearer refresh.token-type-bearer exchange.expires-in-7200 refresh.expires-in-7200
      Object.assign(answer.body, { token_type: 'bearer', expires_in: 7200 });
      // end of repair
      return responseToVanilla(answer);
    } catch (error) {
      // what is left to be wrong is the code, its address or the refresh token
      const known = error.oauth && error.errorType !== 'invalid_request';
      return refuse(
        known ? error.errorType : 'invalid_grant',
        known ? error.error : 'The code or refresh token is not good',
        error.status ?? 400,
      );
    }
  });
}

// ---- project API

const assigned = new Map(
  seeds.projects.map(({ id }) => [id, new Set((seeds.assignments[id] ?? []).map(String))]),
);
const NEEDS = { GET: 'read', HEAD: 'read', PUT: 'write', DELETE: 'destroy' };

async function api(request, pathname) {
  const challenge = (error) => json({ error }, 401, { 'www-authenticate': `Bearer error="${error}"` });
  const bearer = request.headers.get('authorization')?.match(/^Bearer (\S+)$/)?.[1];
  if (!bearer) return challenge('invalid_request');
  const claims = await jwt.verify(bearer).catch(() => null);
  const held = tokens.get(claims?.jti);
  if (!held || held.accessTokenExpiresAt.getTime() <= Date.now()) return challenge('invalid_token');
  let ids;
  try {
    ids = pathname
      .match(/^\/v2\/projects\/([^/]+)\/assigned_users(?:\/([^/]+))?$/)
      ?.slice(1)
      .map((each) => each && decodeURIComponent(each));
  } catch {
    /* not UTF-8 */
  }
  if (!ids) return json({ error: 'not_found' }, 404);
  const [project, user] = ids;
  const { method } = request;
  if (!(user ? ['PUT', 'DELETE'] : ['GET', 'HEAD']).includes(method))
    return json({ error: 'method_not_allowed' }, 405);
  if (!claims.scope.split(' ').includes(NEEDS[method]))
    return json({ error: 'insufficient_scope' }, 403, {
      'www-authenticate': 'Bearer error="insufficient_scope"',
    });
  const here = assigned.get(project);
  if (!here || (user && !seeds.people.some(({ id }) => id === user)))
    return json({ error: 'not_found' }, 404);
  const record = (id) => ({ projectId: project, userId: id, role: 'member' });
  if (method === 'PUT') here.add(user);
  else if (method === 'DELETE') here.delete(user);
  else return json([...here].map(record));
  return method === 'PUT' ? json(record(user), 201) : new Response(null, { status: 204 });
}

// ---- HTTP

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
      if (allowed) ahead += JSON.parse(content).seconds * 1000;
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
