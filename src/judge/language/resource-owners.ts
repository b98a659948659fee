import type { RequirementId } from '../../../generated/ids.ts';
import { setOf } from '../../target/flow/assigned-list.ts';
import type { Operation } from '../../target/flow/request-style.ts';
import { NOT_THERE } from '../../target/flow/smoke-steps.ts';

export { NOT_THERE };

export const OPERATION_OWNER: Readonly<Record<Operation, RequirementId>> = {
  assign: 'assign.adds-user',
  unassign: 'unassign.removes-user',
  list: 'list.returns-assigned',
};

/**
 * Returns the requirement to blame for a refused operation whose token, project and user are good. A 401 concerns the
 * token, a 403 its scopes, a missing path the path; all others concern the operation.
 *
 * @param status undefined if no answer could be received
 */
export function ownerOfRefusal(operation: Operation, status: number | undefined): RequirementId {
  if (status === 401) return 'exchange.token-acts';
  if (status === 403) return 'scope.granted-scopes-act';
  if (status !== undefined && NOT_THERE.includes(status)) return 'version.prefix';
  return OPERATION_OWNER[operation];
}

/**
 * Returns the requirement to blame for users who were assigned and are not listed; undefined if all are listed.
 *
 * @param before the list before the suite assigned its users
 * @param own the users that the suite assigned, in order
 */
export function ownerOfAbsence(
  listed: readonly string[],
  before: readonly string[],
  own: readonly string[],
): RequirementId | undefined {
  if ([...before, ...own].every((user) => setOf(listed).has(user))) return undefined;
  if (!own.some((user) => listed.includes(user))) return 'assign.adds-user';
  // The last user is listed: assigning that one has removed another.
  return listed.includes(own.at(-1) ?? '') ? 'assign.leaves-others' : 'list.returns-assigned';
}
