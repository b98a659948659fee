import type { Profile } from '../../generated/schemas.d.ts';

export type { Profile, ProfileObserved } from '../../generated/schemas.d.ts';

/** A profile with an answer at every aspect: its own, or that of its base. */
export interface WholeProfile extends Profile {
  answers: Required<Profile['answers']>;
}

export interface SeenAtOpenPoints {
  readonly answers: readonly (readonly [aspect: string, answer: unknown])[];
  readonly unseen: readonly (readonly [
    aspect: string,
    { readonly why: 'not-asked' | 'not-observable' | 'no-answer'; readonly reason: string },
  ])[];
  readonly evidence: readonly (readonly [aspect: string, line: string])[];
}
