import type { Profile } from '../../../generated/schemas.d.ts';

export type { Profile } from '../../../generated/schemas.d.ts';

/** A profile with an answer at every aspect: its own, or that of its base. */
export interface WholeProfile extends Profile {
  answers: Required<Profile['answers']>;
}
