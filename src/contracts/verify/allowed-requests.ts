import { encodeId } from '../../flow/requests.ts';
import type { Target } from '../../targets/target.ts';
import type { Address } from '../providers.ts';

/** Methods that change nothing (RFC 9110 section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

const USER_PATH = /^\/v2\/projects\/([^/]+)\/assigned_users\/([^/]+)$/;

/**
 * Returns why a request of a pact may not be sent to a target, or undefined. A live target holds other people's records, so there only the
 * documented requests that change something are sent, and those only about the suite's own users in its own projects, or
 * about ids that belong to nobody. An emulator may be sent anything.
 *
 * @param path without query
 * @param invented ids, ready for a path, that were made up to be unknown
 * @returns undefined when it may, else why not
 */
export function forbidden(
  target: Pick<Target, 'shared' | 'projects' | 'users'>,
  request: { readonly address: Address; readonly method: string; readonly path: string },
  invented: readonly string[] = [],
): string | undefined {
  const { address, method, path } = request;
  if (!target.shared || SAFE.has(method)) return undefined;
  if (address === 'auth' && method === 'POST' && path === '/oauth/token') return undefined;
  const [, project, user] = (address === 'api' && USER_PATH.exec(path)) || [];
  if (project === undefined || user === undefined || (method !== 'PUT' && method !== 'DELETE')) {
    return `${method} ${path} is none of the documented requests, and it might change something on a live target`;
  }
  const own = (id: string, ids: readonly string[]) => ids.some((one) => encodeId(one) === id);
  const known = (id: string, ids: readonly string[]) => own(id, ids) || invented.includes(id);
  if (known(project, target.projects) && known(user, target.users)) return undefined;
  return `${method} ${path} would change the assignment of a user who is not the suite's own on a live target: take the ids from a provider state, as in /v2/projects/\${project_id}/assigned_users/\${user_id}`;
}
