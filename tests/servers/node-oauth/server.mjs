// A small OAuth provider over @node-oauth/oauth2-server and a project API over express,
// on two ports: the authorization server on $PORT, the API on $API_PORT.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import OAuth2Server from '@node-oauth/oauth2-server';
import express from 'express';
import * as seeds from '../seeds.mjs';
import { is } from './variants.mjs';

const { Request, Response } = OAuth2Server;
const SCOPES = {
  read: 'See projects and who works on them',
  write: 'Make changes to projects',
  destroy: 'Remove things from projects',
};
// repair: exchange.expires-in-7200 refresh.expires-in-7200
const LIFETIME = is('as-is', 'expires-default') ? 3600 : 7200;
// end of repair

// ---- the library's model, kept in memory

const codes = new Map();
const accessTokens = new Map();
const refreshTokens = new Map();

const model = {
  getClient(id, secret) {
    const client = seeds.clients.find((each) => each.id === id);
    if (!client || secret === null) return client;
    const [given, wanted] = [Buffer.from(String(secret)), Buffer.from(client.secret)];
    return given.length === wanted.length && timingSafeEqual(given, wanted) ? client : undefined;
  },
  validateScope(_user, _client, scope) {
    return scope?.length && scope.every((each) => Object.hasOwn(SCOPES, each)) ? scope : false;
  },
  saveAuthorizationCode(code, client, user) {
    const saved = { ...code, client, user };
    if (is('redirect-forgotten')) delete saved.redirectUri;
    codes.set(code.authorizationCode, saved);
    return saved;
  },
  getAuthorizationCode: (code) => codes.get(code),
  revokeAuthorizationCode: ({ authorizationCode }) =>
    is('code-replayable') || codes.delete(authorizationCode),
  async saveToken(token, client, user) {
    const saved = { ...token, client, user };
    accessTokens.set(token.accessToken, saved);
    if (token.refreshToken) refreshTokens.set(token.refreshToken, saved);
    if (is('as-is', 'expires-7199')) await wait(5); // a database takes its time, the library counts what is left
    return saved;
  },
  getAccessToken: (token) => accessTokens.get(token),
  getRefreshToken: (token) => refreshTokens.get(token),
  revokeToken: ({ refreshToken }) => refreshTokens.delete(refreshToken),
  // Any one of the wanted scopes is enough.
  verifyScope: (token, wanted) => wanted.some((scope) => token.scope.includes(scope)),
};

const oauth = new OAuth2Server({
  model,
  accessTokenLifetime: LIFETIME,
  authorizationCodeLifetime: 300,
  alwaysIssueNewRefreshToken: !is('refresh-kept'),
  allowEmptyState: !is('state-required'),
});

// ---- pages

const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const page = (title, content) => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeHtml(title)}</title>
  <style>
    body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: #f2f4f8; color: #1b2330 }
    main { max-width: 26rem; margin: 12vh auto; padding: 2rem; background: #fff; border-radius: 12px }
    input { width: 100%; box-sizing: border-box; padding: .6rem; font: inherit; margin: .3rem 0 1rem }
    button { padding: .6rem 1.2rem; font: inherit; margin-right: .5rem }
    [role=alert] { color: #a11 }
  </style>
</head>
<body><main>
<h1>${escapeHtml(title)}</h1>
${content}
</main></body>
</html>
`;

const sessions = new Map();

function session(request, response, next) {
  const id = request.headers.cookie?.match(/(?:^|;\s*)sid=([\w-]+)/)?.[1];
  request.session = sessions.get(id);
  if (!request.session) {
    const fresh = randomBytes(24).toString('base64url');
    request.session = { csrf: randomBytes(24).toString('base64url') };
    sessions.set(fresh, request.session);
    response.cookie('sid', fresh, { httpOnly: true, sameSite: 'lax', path: '/' });
  }
  next();
}

const hidden = (name, value) =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;

function guarded(request, response, next) {
  if (request.body?._csrf === request.session.csrf) next();
  else response.status(403).send(page('This page has expired', '<p>Go back and try again.</p>'));
}

// ---- authorization server

const auth = express();
auth.disable('x-powered-by');
auth.set('query parser', (text) =>
  Object.fromEntries(
    is('plus-not-space')
      ? (text ?? '')
          .split('&')
          .filter(Boolean)
          .map((pair) => pair.split('=', 2).map(decodeURIComponent))
      : new URLSearchParams(text ?? ''),
  ),
);
const urlencoded = express.urlencoded({ extended: false });

auth.get('/login', session, (request, response) => {
  response.send(
    page(
      'Who are you?',
      `
<form method="post" action="/login/identify">
  ${hidden('_csrf', request.session.csrf)}
  <label for="identifier">E-mail address</label>
  <input id="identifier" name="identifier" type="email" autocomplete="username" required autofocus>
  <button type="submit">Next</button>
</form>`,
    ),
  );
});

auth.post('/login/identify', urlencoded, session, guarded, (request, response) => {
  request.session.identifier = String(request.body.identifier ?? '')
    .trim()
    .toLowerCase();
  response.redirect(303, '/login/secret');
});

const secretPage = ({ identifier, csrf }, problem = '') =>
  page(
    'Welcome back',
    `
${problem && `<p role="alert">${escapeHtml(problem)}</p>`}
<p>${escapeHtml(identifier)} <a href="/login">Not you?</a></p>
<form method="post" action="/login/secret">
  ${hidden('_csrf', csrf)}
  <label for="passphrase">Password</label>
  <input id="passphrase" name="passphrase" type="password" autocomplete="current-password" required autofocus>
  <button type="submit">Sign in</button>
</form>`,
  );

auth.get('/login/secret', session, (request, response) => {
  if (request.session.identifier) response.send(secretPage(request.session));
  else response.redirect(303, '/login');
});

auth.post('/login/secret', urlencoded, session, guarded, (request, response) => {
  const { identifier, next } = request.session;
  const user = seeds.users.find(
    ({ email, password }) => email.toLowerCase() === identifier && password === request.body.passphrase,
  );
  if (!user)
    return response.status(401).send(secretPage(request.session, 'That did not work. Check the password.'));
  request.session.user = user;
  delete request.session.next;
  return response.redirect(303, next ?? '/');
});

auth.get('/', session, (request, response) => {
  if (request.session.user)
    response.send(page('Home', `<p>Signed in as ${escapeHtml(request.session.user.email)}.</p>`));
  else response.redirect(303, '/login');
});

const REQUEST = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state'];

// The library decides: a redirect with a code or an error, or a page with the error.
async function decide(request, response, query, allowed) {
  const answer = new Response();
  const asked = new Request({
    method: 'GET',
    headers: {},
    query: { ...query, ...(!allowed && { allowed: 'false' }) },
  });
  try {
    await oauth.authorize(asked, answer, { authenticateHandler: { handle: () => request.session.user } });
  } catch (error) {
    if (!answer.get('location')) {
      response
        .status(error.code ?? 500)
        .send(page('This request cannot be completed', `<p role="alert">${escapeHtml(error.message)}</p>`));
      return;
    }
  }
  response.redirect(302, answer.get('location'));
}

auth.get('/oauth/authorize', session, async (request, response) => {
  const { query } = request;
  const client = model.getClient(query.client_id, null);
  // repair: authorize.redirect-uri-required
  if (client && !query.redirect_uri && !is('as-is')) {
    response
      .status(400)
      .send(
        page('This request cannot be completed', '<p role="alert">Missing parameter: `redirect_uri`</p>'),
      );
    return;
  }
  // end of repair
  const registered = client?.redirectUris.includes(query.redirect_uri ?? client.redirectUris[0]);
  const scope = (query.scope ?? '').trim().split(/\s+/).filter(Boolean);
  const fine =
    registered &&
    query.response_type === 'code' &&
    model.validateScope(null, client, scope) &&
    (query.state || !is('state-required'));
  if (registered && !request.session.user) {
    request.session.next = request.originalUrl;
    response.redirect(303, '/login');
  } else if (!fine) {
    await decide(request, response, query, true); // the library answers with its own error
  } else {
    response.send(
      page(
        `${client.name} wants access`,
        `
<p>Signed in as ${escapeHtml(request.session.user.email)}. It asks to:</p>
<ul>${scope.map((each) => `<li>${escapeHtml(SCOPES[each])}</li>`).join('')}</ul>
<form method="post" action="/oauth/decision">
  ${hidden('_csrf', request.session.csrf)}
  ${REQUEST.filter((name) => query[name] !== undefined)
    .map((name) => hidden(name, query[name]))
    .join('\n  ')}
  <button type="submit" name="decision" value="allow">Yes, continue</button>
  <button type="submit" name="decision" value="reject">No, go back</button>
</form>`,
      ),
    );
  }
});

auth.post('/oauth/decision', urlencoded, session, guarded, async (request, response) => {
  if (!request.session.user) return response.redirect(303, '/login');
  const query = Object.fromEntries(
    REQUEST.filter((name) => request.body[name] !== undefined).map((name) => [name, request.body[name]]),
  );
  return decide(request, response, query, request.body.decision === 'allow');
});

auth.post('/oauth/token', is('json-token-body') ? express.json() : urlencoded, async (request, response) => {
  const answer = new Response();
  try {
    const { method, query } = request;
    const headers = { ...request.headers };
    const body = { ...request.body };
    if (is('json-token-body')) {
      if (!request.is('json')) {
        response
          .status(415)
          .json({ error: 'invalid_request', error_description: 'Content-Type must be application/json' });
        return;
      }
      headers['content-type'] = 'application/x-www-form-urlencoded'; // the library takes nothing else
    }
    if (is('basic-only') && !headers.authorization) delete body.client_secret;
    await oauth.token(new Request({ method, query, headers, body }), answer);
    // repair: exchange.token-type-bearer refresh.token-type-bearer
    if (!is('as-is', 'token-type-caps')) answer.body.token_type = 'bearer';
    // end of repair
    // repair: exchange.expires-in-7200 refresh.expires-in-7200
    if (!is('as-is', 'expires-7199')) answer.body.expires_in = LIFETIME;
    // end of repair
    response.set(answer.headers).json(answer.body);
  } catch (error) {
    response
      .status(error.code ?? 500)
      .set(answer.headers)
      .json({ error: error.name, error_description: error.message });
  }
});

// ---- project API

const oneList = [];
const assigned = new Map(seeds.projects.map(({ id }) => [id, is('shared-array') ? oneList : []]));
for (const [project, ids] of Object.entries(seeds.assignments))
  assigned.get(project).push(...ids.map(String));

const api = express();
api.disable('x-powered-by');

const allows =
  (...scope) =>
  async (request, response, next) => {
    const answer = new Response();
    try {
      const { method, query, headers } = request;
      await oauth.authenticate(new Request({ method, query, headers, body: {} }), answer, { scope });
      next();
    } catch (error) {
      response
        .status(error.code ?? 500)
        .set(answer.headers)
        .json({ error: { code: error.name, message: error.message } });
    }
  };

const notFound = (response, what) =>
  response.status(404).json({ error: { code: 'not_found', message: `No such ${what}` } });

function find(request, response, next) {
  request.assigned = assigned.get(request.params.id);
  if (!request.assigned) return notFound(response, 'project');
  request.person = seeds.people.find(({ id }) => id === request.params.user_id);
  if (request.params.user_id && !request.person) return notFound(response, 'user');
  return next();
}

const record = ({ id, first_name, last_name, email_address }) => ({
  user: { id, name: `${first_name} ${last_name}`, email: email_address },
});

const list = '/v2/projects/:id/assigned_users';
const one = `${list}/:user_id`;

api.get(list, allows('read'), find, (request, response) => {
  const data = request.assigned.map((id) => record(seeds.people.find((each) => each.id === id)));
  response.json({ data, meta: { count: data.length } });
});

api.put(one, allows('write'), find, (request, response) => {
  if (!request.assigned.includes(request.person.id)) request.assigned.push(request.person.id);
  response.json({ data: record(request.person) });
});

// 204, also when the user was not assigned.
api.delete(one, allows('write', 'destroy'), find, (request, response) => {
  const index = request.assigned.indexOf(
    is('unassign-wrong-user') ? Number(request.person.id) : request.person.id,
  );
  if (index >= 0 || is('unassign-wrong-user')) request.assigned.splice(index, 1);
  response.status(204).end();
});

api.use((_request, response) => notFound(response, 'address'));

// ---- start

const listen = (app, port) =>
  new Promise((resolve, reject) => {
    const server = app.listen(port, '127.0.0.1', (error) => (error ? reject(error) : resolve(server)));
  });
const address = (server) => `http://127.0.0.1:${server.address().port}`;

const port = Number(process.env.PORT ?? 4710);
const servers = [
  await listen(auth, port),
  await listen(api, Number(process.env.API_PORT ?? (port ? port + 1 : 0))),
];
console.log(`ready ${servers.map(address).join(' ')}`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });
}
