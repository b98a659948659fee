import { createHash } from 'node:crypto';
import { answersOf } from './answers-of.ts';
import { canonical } from './aspects.ts';
import type { Profile } from './profile.ts';

/**
 * Returns the digest of a profile's compared parts: the observed answers and the departures. Ignores dates, evidence,
 * descriptions and the order of members. It has no key: it detects mistakes, and proves nothing more.
 *
 * @returns `sha256:` and 64 hexadecimal digits
 */
export function digestOf(profile: Profile): string {
  const answers = Object.fromEntries(answersOf(profile));
  return sha256({ answers, departures: profile.departures ?? {} });
}

export function sha256(value: unknown): string {
  return `sha256:${createHash('sha256').update(canonical(value)).digest('hex')}`;
}

/** Returns why a profile does not match its digest; undefined if it matches or has no digest. */
export function digestProblem(profile: Profile): string | undefined {
  if (profile.digest === undefined || profile.digest === digestOf(profile)) return undefined;
  return 'its answers are not those that its digest was made of: it was changed by hand; observe again, or delete the line `digest` if the change is meant';
}
