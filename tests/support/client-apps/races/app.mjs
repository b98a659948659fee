/** A web application whose users keep their pairs in LEGACY_STATE; CLIENT_MODE names its one mistake, or none. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const { env } = process;
const mode = env.CLIENT_MODE;
const underWay = new Map();

class Answer extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

const place = (user) => join(env.LEGACY_STATE, `${user}.json`);

function load(user) {
  if (!existsSync(place(user))) throw new Answer(401, 'sign in first');
  return JSON.parse(readFileSync(place(user), 'utf8'));
}

function save(user, answer) {
  const pair = { ...answer, due: Date.now() + answer.expires_in * 1_000 };
  const part = `${place(user)}.${randomUUID()}`;
  writeFileSync(part, JSON.stringify(pair));
  renameSync(part, place(user));
  return pair;
}

async function token(form, signal) {
  const credentials = { client_id: env.LEGACY_CLIENT_ID, client_secret: env.LEGACY_CLIENT_SECRET };
  const answer = await fetch(`${env.LEGACY_AUTH_URL}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, ...credentials }),
    signal: AbortSignal.any([AbortSignal.timeout(4_000), ...(signal ? [signal] : [])]),
  });
  const body = await answer.text();
  if (answer.status === 200) return JSON.parse(body);
  throw new Answer(body.includes('invalid_grant') ? 401 : 502, 'the service refused it');
}

async function refreshed(user, pair, signal) {
  try {
    return save(
      user,
      await token({ grant_type: 'refresh_token', refresh_token: pair.refresh_token }, signal),
    );
  } catch (error) {
    // Without a shared refresh, the stored pair may be another call's new one.
    if (error.status === 401) rmSync(place(user), { force: true });
    throw error;
  }
}

function renewed(user, stale, { browser, signal }) {
  if (mode === 'no-lock') return refreshed(user, stale);
  const key = mode === 'lock-of-the-browser' ? browser : user;
  if (!underWay.has(key)) {
    const work = refreshed(user, stale, mode === 'bound-to-the-browser' ? signal : undefined);
    underWay.set(key, work);
    work.then(
      () => underWay.delete(key),
      () => underWay.delete(key),
    );
  }
  return underWay.get(key);
}

async function respond(request, response) {
  const { pathname, searchParams: query } = new URL(request.url, 'http://app.invalid');
  const cookies = new Map((request.headers.cookie ?? '').split('; ').map((one) => one.split('=')));
  if (pathname === '/') return 'here';
  if (pathname === '/connect') {
    const state = randomUUID();
    const asked = { client_id: env.LEGACY_CLIENT_ID, redirect_uri: env.LEGACY_REDIRECT_URI, state };
    const more = { response_type: 'code', scope: 'read write destroy' };
    const own = [`state=${state}`, `user=${query.get('user')}`, `browser=${randomUUID()}`];
    response.writeHead(302, {
      Location: `${env.LEGACY_AUTH_URL}/oauth/authorize?${new URLSearchParams({ ...asked, ...more })}`,
      'Set-Cookie': own.map((cookie) => `${cookie}; HttpOnly; Path=/`),
    });
    return '';
  }
  const user = cookies.get('user');
  if (pathname === '/callback') {
    if (query.get('state') !== cookies.get('state')) throw new Answer(400, 'the state is another');
    const form = { grant_type: 'authorization_code', code: query.get('code') };
    save(user, await token({ ...form, redirect_uri: env.LEGACY_REDIRECT_URI }));
    return 'Connected';
  }
  const left = new AbortController();
  response.on('close', () => left.abort());
  const stored = load(user);
  const pair =
    Date.now() < stored.due
      ? stored
      : await renewed(user, stored, { browser: cookies.get('browser'), signal: left.signal });
  const answer = await fetch(`${env.LEGACY_BASE_URL}/v2/projects/${pathname.split('/')[2]}/assigned_users`, {
    headers: { Authorization: `Bearer ${pair.access_token}` },
    signal: AbortSignal.timeout(4_000),
  });
  if (!answer.ok) throw new Answer(502, `the service answered ${answer.status}`);
  return answer.text();
}

createServer((request, response) => {
  respond(request, response).then(
    (text) => response.end(text),
    ({ status = 502, message }) => response.writeHead(status).end(message),
  );
}).listen(Number(env.PORT), '127.0.0.1');
