/** A shim: speaks the legacy API to old clients, and the newer one behind. `node shim.mjs PORT` */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import * as newer from './newer-api.mjs';
import { advance, application, newCode, sameText, scopesFor, scopesOf, tokenAnswer } from './oauth.mjs';

const OWNER = { login: 'owner@example.test', password: process.env.SHIM_PASSWORD };
const sessions = new Map();

const json = (res, status, body, headers = {}) =>
  res
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body));

const escaped = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

const page = (res, status, title, body) =>
  res
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    })
    .end(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}</html>`);

async function read(req) {
  let text = '';
  for await (const chunk of req) {
    text += chunk;
    if (text.length > 65536) return '';
  }
  return text;
}

/** The session of a browser; a new one where it has none. */
function sessionOf(req, res) {
  const id = /(?:^|; )shim=([\w-]+)/.exec(req.headers.cookie ?? '')?.[1];
  if (sessions.has(id)) return sessions.get(id);
  const session = { signedIn: false, csrf: randomBytes(16).toString('hex') };
  const name = randomBytes(16).toString('hex');
  sessions.set(name, session);
  res.setHeader('set-cookie', `shim=${name}; HttpOnly; SameSite=Lax; Path=/`);
  return session;
}

/** 4.1: signs in, asks for consent, redirects with a code. */
async function authorize(req, res, url) {
  const query = url.searchParams;
  const twice = [...query.keys()].some((key) => query.getAll(key).length > 1);
  const redirectUri = query.get('redirect_uri');
  if (twice || query.get('client_id') !== application.id || !application.redirectUris.includes(redirectUri))
    return page(res, 400, 'This request cannot be answered', '<p>Unknown application or address.</p>');
  const back = (parameters) => {
    const target = new URL(redirectUri);
    for (const [name, value] of Object.entries({ ...parameters, state: query.get('state') }))
      if (value !== null) target.searchParams.set(name, value);
    res.writeHead(303, { location: target.href, 'cache-control': 'no-store' }).end();
  };
  if (query.get('response_type') !== 'code')
    return back({ error: query.has('response_type') ? 'unsupported_response_type' : 'invalid_request' });
  const scopes = scopesOf(query.get('scope'));
  if (!scopes) return back({ error: 'invalid_scope' });

  const session = sessionOf(req, res);
  if (req.method === 'POST') {
    const form = new URLSearchParams(await read(req));
    if (!sameText(form.get('csrf'), session.csrf)) return page(res, 403, 'Please start again', '');
    if (session.signedIn)
      return form.get('decision') === 'allow'
        ? back({ code: newCode(redirectUri, scopes) })
        : back({ error: 'access_denied' });
    session.signedIn = form.get('login') === OWNER.login && sameText(form.get('password'), OWNER.password);
  }
  const csrf = `<form method="post"><input type="hidden" name="csrf" value="${session.csrf}">`;
  if (!session.signedIn)
    return page(
      res,
      200,
      'Sign in',
      `${csrf}<label>Email <input name="login"></label><label>Password <input name="password" type="password"></label><button>Sign in</button></form>`,
    );
  return page(
    res,
    200,
    'Allow access?',
    `<p>${escaped(scopes.join(', '))}</p>${csrf}<button name="decision" value="deny">Deny</button><button name="decision" value="allow">Authorize</button></form>`,
  );
}

/** 4.2 and 4.3. */
async function token(req, res) {
  const never = { 'cache-control': 'no-store', pragma: 'no-cache' };
  if (req.method !== 'POST') return json(res, 405, { error: 'invalid_request' }, { ...never, allow: 'POST' });
  const form = new URLSearchParams(await read(req));
  const twice = [...form.keys()].some((key) => form.getAll(key).length > 1);
  const isForm = /^application\/x-www-form-urlencoded(;|$)/i.test(req.headers['content-type'] ?? '');
  if (!isForm || twice) return json(res, 400, { error: 'invalid_request' }, never);
  const { status, body } = tokenAnswer(Object.fromEntries(form));
  json(res, status, body, never);
}

/** A member of the newer API as the legacy API showed a user: the recording has these names and types. */
const legacyUser = ({ key, displayName, mail }) => ({ id: Number(key), name: displayName, email: mail });

/** 4.4: translated for the newer API. */
function assignedUsers(req, res, [, project, user]) {
  const scopes = scopesFor(/^Bearer ([\w-]+)$/i.exec(req.headers.authorization ?? '')?.[1]);
  const challenge = { 'www-authenticate': 'Bearer realm="legacy"' };
  if (!scopes) return json(res, 401, { error: 'invalid_token' }, challenge);
  const needed = { GET: 'read', PUT: 'write', DELETE: 'destroy' }[req.method];
  if (!needed || (req.method === 'GET') !== (user === undefined))
    return json(res, 405, { error: 'not_allowed' });
  if (!scopes.includes(needed)) return json(res, 403, { error: 'insufficient_scope' });
  const members = newer.members(project);
  if (!members || (user !== undefined && !newer.person(user))) return json(res, 404, { error: 'not_found' });
  if (req.method === 'GET') return json(res, 200, members.map(legacyUser));
  if (req.method === 'PUT') {
    newer.join(project, user);
    return json(res, 200, legacyUser(newer.person(user)));
  }
  if (!newer.leave(project, user)) return json(res, 404, { error: 'not_found' });
  res.writeHead(204).end();
}

/** Lets the suite see two hours pass. Only where the variable is set: never in production. */
async function clock(req, res) {
  if (!sameText(req.headers.authorization, `Bearer ${process.env.SHIM_CONTROL_TOKEN}`))
    return json(res, 401, {});
  advance(JSON.parse(await read(req)).seconds);
  res.writeHead(204).end();
}

const server = createServer((req, res) => {
  const url = new URL(req.url, 'http://shim');
  const resource = /^\/v2\/projects\/([^/]+)\/assigned_users(?:\/([^/]+))?$/.exec(url.pathname);
  const answered = async () => {
    if (url.pathname === '/oauth/authorize') return authorize(req, res, url);
    if (url.pathname === '/oauth/token') return token(req, res);
    if (resource) return assignedUsers(req, res, resource);
    if (url.pathname === '/clock/advance' && process.env.SHIM_CONTROL_TOKEN) return clock(req, res);
    return json(res, 404, { error: 'not_found' });
  };
  answered().catch(() => res.headersSent || json(res, 500, { error: 'server_error' }));
});
server.listen(Number(process.argv[2] ?? 9100), '127.0.0.1', () =>
  console.log(`shim at http://127.0.0.1:${server.address().port}`),
);
