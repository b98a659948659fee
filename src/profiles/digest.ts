import { createHash } from 'node:crypto';
import { canonical } from './aspects.ts';
import type { Profile } from './profile.ts';

/**
 * The digest of everything in a profile that is compared: answers, departures, and what was not observed or not expressed. Dates,
 * evidence and words for people do not count, nor does the order of members.
 *
 * @returns `sha256:` and 64 hexadecimal digits
 */
export function digestOf({ answers, departures, observed }: Profile): string {
  const counted = {
    answers,
    departures: departures ?? {},
    notObserved: Object.keys(observed?.notObserved ?? {}).sort(),
    notExpressed: observed?.notExpressed ?? {},
  };
  return `sha256:${createHash('sha256').update(canonical(counted)).digest('hex')}`;
}

/** Why a profile is not what was frozen; undefined when it is, or when it has no digest to be held against. */
export function digestProblem(profile: Profile): string | undefined {
  if (profile.digest === undefined || profile.digest === digestOf(profile)) return undefined;
  return 'its answers are not those that its digest was made of: it was changed by hand; observe again, or delete the line `digest` if the change is meant';
}
