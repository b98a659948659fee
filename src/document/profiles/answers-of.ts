import { createHash } from 'node:crypto';
import { canonical } from '../canonical.ts';
import { type AspectAnswer, type AspectId, aspectIds, type SeenAnswers } from './aspects.ts';
import type { Profile, WholeProfile } from './profile.ts';

export function withBase(profile: Profile, base: WholeProfile): WholeProfile {
  const answers = { ...base.answers, ...profile.answers };
  const { observed } = profile;
  if (observed === undefined) return { ...profile, answers };
  const unknown = aspectIds.filter((id) => !(id in profile.answers) && !(id in observed.notObserved));
  const reasons = unknown.map((id) => [id, `not asked by version ${observed.suiteVersion}`]);
  const notObserved = { ...observed.notObserved, ...Object.fromEntries(reasons) };
  return { ...profile, answers, observed: { ...observed, notObserved } };
}

export function answersOf({ answers, observed }: Profile): SeenAnswers {
  return new Map<AspectId, AspectAnswer>(
    aspectIds.flatMap((id) => {
      const answer = answers[id];
      return answer === undefined || (observed !== undefined && id in observed.notObserved)
        ? []
        : [[id, answer as AspectAnswer]];
    }),
  );
}

/**
 * Returns the digest of a profile's compared parts: the observed answers and the departures. Ignores dates, evidence,
 * descriptions and the order of members. It has no key: it detects mistakes, and proves nothing more.
 *
 * @returns `sha256:` and 64 hexadecimal digits
 */
export function digestOf(profile: Profile): string {
  const answers = Object.fromEntries(answersOf(profile));
  const compared = canonical({ answers, departures: profile.departures ?? {} });
  return `sha256:${createHash('sha256').update(compared).digest('hex')}`;
}

/** Returns why a profile does not match its digest; undefined if it matches or has no digest. */
export function digestProblem(profile: Profile): string | undefined {
  if (profile.digest === undefined || profile.digest === digestOf(profile)) return undefined;
  return 'its answers are not those that its digest was made of: it was changed by hand; observe again, or delete the line `digest` if the change is meant';
}
