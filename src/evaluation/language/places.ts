import type { Target } from '../../service/target.ts';
import { NotApplicable } from './outcome.ts';

export interface ProjectAndUser {
  readonly project: string;
  readonly user: string;
}

/** Picks projects and users in turn, for checks that are about neither; 0 is the first of each. */
export function placeFor(
  { projects, users }: Pick<Target, 'projects' | 'users'>,
  index: number,
): ProjectAndUser {
  return {
    project: projects[index % projects.length] ?? projects[0],
    user: users[index % users.length] ?? users[0],
  };
}

export function twoPlaces(target: Pick<Target, 'projects' | 'users'>): readonly ProjectAndUser[] {
  const [first, second] = [placeFor(target, 0), placeFor(target, 1)];
  return first.project === second.project && first.user === second.user ? [first] : [first, second];
}

export function threeUsers(target: Target): readonly [string, string, string] {
  const [first, second, third] = target.users;
  if (second === undefined || third === undefined) throw new NotApplicable('three-users');
  return [first, second, third];
}
