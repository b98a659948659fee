import type { Handle, Route, RouteOf } from './handle.ts';
import { applications, newApplication, oneApplication } from './handlers/applications.ts';
import { assignedUsers } from './handlers/assigned-users.ts';
import { authorize } from './handlers/authorize.ts';
import { neighbours } from './handlers/neighbours.ts';
import { callback, landing, pageNotFound } from './handlers/pages.ts';
import { signIn, signOut } from './handlers/sign-in.ts';
import { token } from './handlers/token.ts';
import { APPLICATIONS_PATH } from './pages/account-area.ts';
import type { Endpoint } from './policy/policy.ts';
import type { WholeProfile } from './policy/profile.ts';

/** Path prefixes on one origin: empty, or without a trailing slash. */
export interface PathPrefixes {
  readonly auth?: string;
  readonly api?: string;
}

export function routesOf(profile: WholeProfile, { auth, api }: PathPrefixes): RouteOf {
  const exact = new Map<string, Route>();
  if (auth !== undefined) addAuthorizationServer(exact, profile, auth);
  if (api !== undefined) addLanding(exact, api);
  const oneApplicationBegins = `${auth}${APPLICATIONS_PATH}/`;
  const pageElsewhere: Route = { endpoint: 'page', handle: pageNotFound, prefix: '' };
  const editing: Route = { endpoint: 'page', handle: oneApplication, prefix: auth ?? '', methods: FORM };
  const resource = (method: string, path: string, prefix: string): Route => ({
    endpoint: operationAt(method, path),
    handle: assignedUsers,
    prefix,
  });
  return (method, path) => {
    const found = exact.get(path);
    if (found !== undefined) return found;
    if (api !== undefined && (isBelow(path, `${api}/v2`) || isBelow(path, `${api}/projects`))) {
      return resource(method, path, api);
    }
    if (auth === undefined) return resource(method, path, '');
    const isApplication =
      path.startsWith(oneApplicationBegins) && /^[^/]+$/.test(path.slice(oneApplicationBegins.length));
    return isApplication ? editing : pageElsewhere;
  };
}

function addAuthorizationServer(exact: Map<string, Route>, profile: WholeProfile, prefix: string): void {
  const at = (path: string, endpoint: Endpoint, handle: Handle, methods?: readonly string[]) =>
    exact.set(prefix + path, { endpoint, handle, prefix, methods });
  at('/oauth/token', 'token', token);
  at('/oauth/authorize', 'authorize', authorize, FORM);
  at('/sign-in', 'page', signIn, FORM);
  at('/sign-out', 'page', signOut, ['POST']);
  at('/callback', 'page', callback, ['GET']);
  at(APPLICATIONS_PATH, 'page', applications, FORM);
  at(`${APPLICATIONS_PATH}/new`, 'page', newApplication, ['GET']);
  for (const [path, handle, method] of neighbours(profile)) at(path, 'neighbour', handle, [method]);
  addLanding(exact, prefix);
}

function addLanding(exact: Map<string, Route>, prefix: string): void {
  for (const path of [prefix, `${prefix}/`])
    if (path !== '') exact.set(path, { endpoint: 'page', handle: landing, prefix, methods: ['GET'] });
}

const FORM = ['GET', 'POST'];

/** Paths without the version (`/projects`) are included, because the policy decides about them (clause 9, open point 17). */
function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/');
}

/** Guesses the operation of a resource API request; the policy decides on the real one. */
function operationAt(method: string, path: string): Endpoint {
  if (!path.includes('/assigned_users')) return 'resource';
  if (method === 'GET' || method === 'HEAD') return 'list';
  if (method === 'PUT') return 'assign';
  return method === 'DELETE' ? 'unassign' : 'resource';
}
