import { aspectIds } from './aspects.ts';
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
