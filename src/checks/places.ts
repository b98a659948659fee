import type { RequirementId } from '../../generated/ids.ts';
import type { Target } from '../targets/target.ts';
import type { UserActs } from './user-acts.ts';

export interface Place {
  readonly project: string;
  readonly user: string;
}

/**
 * Projects and users in turns, for checks that are about neither: what holds for the first of each must hold for the next.
 *
 * @param index of the variant; 0 is the first project with the first user
 */
export function placeFor({ projects, users }: Pick<Target, 'projects' | 'users'>, index: number): Place {
  return {
    project: projects[index % projects.length] ?? projects[0],
    user: users[index % users.length] ?? users[0],
  };
}

/** Returns the first place, and another one if the target has a second project or user. */
export function twoPlaces(target: Pick<Target, 'projects' | 'users'>): readonly Place[] {
  const [first, second] = [placeFor(target, 0), placeFor(target, 1)];
  return first.project === second.project && first.user === second.user ? [first] : [first, second];
}

/**
 * Demands that a token lists, assigns and unassigns, right after a token of the check's own has done the same.
 *
 * @param place where the user is not assigned
 * @param owner who answers, where the token is not what the check is about: then the check is blocked
 */
export async function expectActsAsOwn(
  users: UserActs,
  place: Place,
  token: string,
  owner?: RequirementId,
): Promise<void> {
  await users.list(place).asGiven();
  await users.assign(place).asGiven();
  await users.unassign(place).asGiven();
  await expectActs(users, place, token, owner);
}

export async function expectActs(
  users: UserActs,
  place: Place,
  token: string,
  owner?: RequirementId,
): Promise<void> {
  for (const operation of ['list', 'assign', 'unassign'] as const)
    await users[operation]({ ...place, token }).expectAllowed(owner);
}
