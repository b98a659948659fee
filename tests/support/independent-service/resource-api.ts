import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessToken, Provider } from 'oidc-provider';
import type { DefectId, DemandId } from './defects.ts';
import type { Handler } from './listener.ts';
import type { Seeds, SeedUser } from './seeds.ts';

const TITLES: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
};

function send(
  res: ServerResponse,
  status: number,
  body?: unknown,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, {
    ...(body === undefined ? {} : { 'Content-Type': 'application/vnd.api+json' }),
    'Cache-Control': 'private, no-cache',
    ...headers,
  });
  res.end(body === undefined ? undefined : JSON.stringify(body));
}

function fail(
  res: ServerResponse,
  status: number,
  detail: string,
  headers: Record<string, string> = {},
): void {
  send(res, status, { errors: [{ status: String(status), title: TITLES[status], detail }] }, headers);
}

function described(user: SeedUser): unknown {
  const { id, firstName, lastName, email } = user;
  return { type: 'users', id, attributes: { first_name: firstName, last_name: lastName, email } };
}

function decoded(segment: string | undefined): string | undefined {
  if (segment === undefined) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    // No id looks like this: whoever sent it finds nobody.
    return '';
  }
}

/** Scope by method; what the document leaves open (clause 5.7). */
const NEEDED: Readonly<Record<string, string>> = { GET: 'read', PUT: 'write', DELETE: 'destroy' };

/** The assigned users of projects (clause 4.4), written without anything of the emulator. */
export function makeResourceApi(
  provider: Provider,
  seeds: Seeds,
  demands: ReadonlySet<DemandId>,
  defect: DefectId | undefined,
): Handler {
  const users = new Map(seeds.users.map((user) => [user.id, user]));
  const projects = new Map(Object.entries(seeds.assigned).map(([id, assigned]) => [id, new Set(assigned)]));
  const routeUnder = (prefix: string) =>
    new RegExp(`^${prefix}/projects/([^/]+)/assigned_users(?:/([^/]+))?$`);
  const usual = routeUnder(demands.has('no-v2') ? '' : '/v2');
  const forUnassign = demands.has('unassign-without-v2') ? routeUnder('') : usual;

  async function tokenOf(authorization: string): Promise<AccessToken | undefined> {
    const value = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    const token = value === undefined ? undefined : await provider.AccessToken.find(value);
    return token?.isExpired ? undefined : token;
  }

  function listed(project: ReadonlySet<string>): unknown {
    const ids =
      defect === 'list-crosses-projects'
        ? new Set([...projects.values()].flatMap((each) => [...each]))
        : project;
    const found = [...ids].map((id) => users.get(id)).filter((user) => user !== undefined);
    return { data: found.map(described), meta: { total: found.length } };
  }

  /** Returns true if the request may go on; answers it otherwise. */
  async function authorized(req: IncomingMessage, res: ServerResponse, needed: string): Promise<boolean> {
    const header = req.headers.authorization;
    if (header === undefined) {
      if (defect === 'token-not-required-for-list' && req.method === 'GET') return true;
      fail(res, 401, 'an access token is needed', { 'WWW-Authenticate': 'Bearer realm="assigned users"' });
      return false;
    }
    const token = await tokenOf(header);
    if (token === undefined) {
      const challenge = 'Bearer realm="assigned users", error="invalid_token"';
      fail(res, 401, 'the access token is not valid', { 'WWW-Authenticate': challenge });
      return false;
    }
    const apart = demands.has('one-scope-acts') && needed !== 'read' && token.scopes.size > 1;
    if (apart || !token.scopes.has(needed)) {
      const challenge = `Bearer realm="assigned users", error="insufficient_scope", scope="${needed}"`;
      fail(res, 403, `the scope ${needed} is needed`, { 'WWW-Authenticate': challenge });
      return false;
    }
    return true;
  }

  return async (req, res) => {
    const [path = ''] = (req.url ?? '').split('?');
    const match = (req.method === 'DELETE' ? forUnassign : usual).exec(path);
    if (match === null) return fail(res, 404, 'no such resource');

    const userId = decoded(match[2]);
    const method = req.method ?? '';
    const allowed = userId === undefined ? ['GET'] : ['PUT', 'DELETE'];
    const needed = NEEDED[method];
    if (needed === undefined || !allowed.includes(method)) {
      return fail(res, 405, `${method} is not possible here`, { Allow: allowed.join(', ') });
    }
    if (!(await authorized(req, res, needed))) return;

    const project = projects.get(decoded(match[1]) ?? '');
    if (project === undefined) return fail(res, 404, 'no such project');
    if (userId === undefined) return send(res, 200, listed(project));

    const user = users.get(userId);
    if (user === undefined) return fail(res, 404, 'no such user');
    if (method === 'PUT') {
      const status = project.has(userId) ? 200 : 201;
      project.add(userId);
      return send(res, status, { data: described(user) });
    }
    if (!project.has(userId)) return fail(res, 404, 'the user is not assigned to the project');
    if (defect === 'unassign-removes-all') project.clear();
    project.delete(userId);
    send(res, 204);
  };
}
