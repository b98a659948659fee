import type { RequirementId } from '../../../generated/ids.ts';
import type { Place } from './places.ts';
import type { UserActions } from './user-actions.ts';

/**
 * Requires that a token lists, assigns and unassigns, right after a token of the check's own did the same.
 *
 * @param place the user must not be assigned there
 * @param owner the requirement to blame, and block the check, if the check is not about the token
 */
export async function expectUsableAsOwn(
  users: UserActions,
  place: Place,
  token: string,
  owner?: RequirementId,
): Promise<void> {
  await users.list(place).expectSuccessOrBlock();
  await users.assign(place).expectSuccessOrBlock();
  await users.unassign(place).expectSuccessOrBlock();
  await expectUsable(users, place, token, owner);
}

export async function expectUsable(
  users: UserActions,
  place: Place,
  token: string,
  owner?: RequirementId,
): Promise<void> {
  for (const operation of ['list', 'assign', 'unassign'] as const)
    await users[operation]({ ...place, token }).expectAllowed(owner);
}
