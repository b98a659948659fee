// The assigned users of a project.

import { createHash } from 'node:crypto';
import { jwtVerify } from 'jose';
import * as seeds from '../seeds.mjs';
import { JWT_KEY } from './oauth.mjs';
import { is } from './variants.mjs';

const assigned = new Map(
  seeds.projects.map(({ id }) => [id, new Set((seeds.assignments[id] ?? []).map(String))]),
);
const NEEDS = { GET: 'read', HEAD: 'read', PUT: 'write', DELETE: 'destroy' };
const person = (id) => seeds.people.find((each) => each.id === id);
const record = (id) => ({
  id: Number(id),
  first_name: person(id).first_name,
  last_name: person(id).last_name,
});

/** The answer to a request: `status`, and perhaps `headers` and a `body` for JSON. */
export async function api(provider, message, pathname) {
  const answer = await documented(provider, message, pathname);
  return is('other-answers') ? otherAnswer(answer, message, pathname) : answer;
}

async function documented(provider, message, pathname) {
  const bearer = message.headers.authorization?.match(/^Bearer +(\S+)$/i)?.[1];
  const challenge = (error) => ({
    status: 401,
    body: { error },
    headers: { 'www-authenticate': `Bearer realm="api", error="${error}"` },
  });
  if (!bearer) return challenge('invalid_request');
  const token = await tokenOf(provider, bearer);
  if (!token) return challenge('invalid_token');
  let ids;
  try {
    ids = pathname
      .match(/^\/v2\/projects\/([^/]+)\/assigned_users(?:\/([^/]+))?$/)
      ?.slice(1)
      .map((each) => each && decodeURIComponent(each));
  } catch {
    /* not UTF-8 */
  }
  if (!ids) return { status: 404, body: { error: 'not_found' } };
  const [project, user] = ids;
  const { method } = message;
  if (!(user ? ['PUT', 'DELETE'] : ['GET', 'HEAD']).includes(method))
    return { status: 405, body: { error: 'method_not_allowed' } };
  if (!token.scope.split(' ').includes(NEEDS[method]))
    return { status: 403, body: { error: 'insufficient_scope' } };
  const here = assigned.get(project);
  if (!here || (user && !person(user))) return { status: 404, body: { error: 'not_found' } };
  if (method === 'PUT') {
    here.add(user);
    return { status: 200, body: { user: record(user) } };
  }
  if (method === 'DELETE')
    return here.delete(user) ? { status: 200, body: {} } : { status: 404, body: { error: 'not_assigned' } };
  return { status: 200, body: { users: [...here].map(record), total: here.size } };
}

const tokenOf = (provider, bearer) =>
  is('jwt-access-tokens')
    ? jwtVerify(bearer, JWT_KEY).then(
        ({ payload }) => payload,
        () => undefined,
      )
    : provider.AccessToken.find(bearer);

// The same operations with statuses and bodies that the document leaves open, too.
function otherAnswer({ status, body, headers }, message, pathname) {
  if (body.error === 'not_assigned') return { status: 204 };
  if (body.error) {
    const code = { invalid_token: 403, not_found: 400 }[body.error] ?? status;
    return {
      status: code,
      body: { type: 'about:blank', title: 'Not possible', status: code },
      headers: { ...headers, 'content-type': 'application/problem+json' },
    };
  }
  if (message.method === 'DELETE') return { status: 202, body: { accepted: true } };
  const project = pathname.split('/')[3];
  const users = [...assigned.get(project)].map((id) => ({ ...record(id), id, project: { id: project } }));
  if (message.method === 'PUT') return { status: 201, body: { users }, headers: { location: pathname } };
  const etag = `"${createHash('sha256').update(JSON.stringify(users)).digest('base64url')}"`;
  if (message.headers['if-none-match'] === etag) return { status: 304, headers: { etag } };
  return { status: 200, body: { users, links: { next: null } }, headers: { etag } };
}
