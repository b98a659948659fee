import type { components } from '../../generated/openapi.d.ts';

/** A record of the list. The document does not show its fields (clause 2.3). */
export type AssignedUser = components['schemas']['AssignedUser'];

/**
 * Finds the assigned users in the JSON body of list, whose shape the document does not show (clause 4.4). Returns undefined for a
 * body without a list.
 */
export type ReadList = (body: unknown) => readonly AssignedUser[] | undefined;

/**
 * Tolerant reading: an array, or an object that holds exactly one array (`{"assigned_users": […]}`). An object with
 * `error` or `errors` is no list, whatever its status.
 */
export const readAssignedUsers: ReadList = (body) => {
  if (Array.isArray(body)) return body;
  if (typeof body !== 'object' || body === null || 'error' in body || 'errors' in body) return undefined;
  const arrays = Object.values(body).filter((value) => Array.isArray(value));
  return arrays.length === 1 ? arrays[0] : undefined;
};
