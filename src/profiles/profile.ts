import type { Profile } from '../../generated/schemas.d.ts';
import type { AspectId, SeenAnswers } from './aspects.ts';

export type { Profile, ProfileObserved } from '../../generated/schemas.d.ts';

/** A profile with an answer at every aspect: its own, or that of its base. */
export interface WholeProfile extends Profile {
  answers: Required<Profile['answers']>;
}

/** `no-answer`: the service did not answer, so a retry may help. */
export interface Unseen {
  readonly why: 'not-asked' | 'not-observable' | 'no-answer';
  readonly reason: string;
}

export interface SeenAtOpenPoints {
  readonly answers: SeenAnswers;
  readonly unseen: ReadonlyMap<AspectId, Unseen>;
  readonly evidence: ReadonlyMap<AspectId, string>;
}
