// The assigned users of a project.

import * as seeds from '../seeds.mjs';
import { jwt } from './oauth.mjs';
import { json } from './pages.mjs';
import { tokens } from './store.mjs';

const assigned = new Map(
  seeds.projects.map(({ id }) => [id, new Set((seeds.assignments[id] ?? []).map(String))]),
);
const NEEDS = { GET: 'read', HEAD: 'read', PUT: 'write', DELETE: 'destroy' };

export async function api(request, pathname) {
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
