import { encodeId } from '../../flow/requests.ts';
import type { Target } from '../../targets/target.ts';
import type { Address } from '../providers.ts';

/** Methods that change nothing (RFC 9110 section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

const USER_PATH = /^\/v2\/projects\/([^/]+)\/assigned_users\/([^/]+)$/;

/**
 * Returns the reason why a pact's request may not be sent to a target. A live target holds other people's records. It gets only
 * the documented changing requests, about the suite's own users in its own projects or about unused ids. An emulator gets
 * anything.
 *
 * @param path without query
 * @param invented unused ids, encoded for a path
 * @returns undefined if the request may be sent
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
