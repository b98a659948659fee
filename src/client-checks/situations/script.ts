import type { SituationId } from '../../document/load-client-requirements.ts';
import type { ActName } from '../evaluate/episode.ts';
import type { ControlRequest } from './situation-context.ts';

/** An act of the suite that `acts.ts` has under this name. */
export type OwnStep =
  | 'be signed in'
  | 'sign in again'
  | 'recover'
  | 'change'
  | 'restart'
  | 'restart within a lifetime'
  | 'restart on a full disk'
  | 'restart if it can'
  | 'let the token expire'
  | 'state a short life'
  | 'try to sign in'
  | 'let time pass'
  | 'renew a pair of a short life'
  | 'wait'
  | 'revoke the access token'
  | 'revoke the refresh token'
  | 'walk the flow'
  | 'open the first page'
  | 'need every change'
  | 'need two users'
  | 'sign in both'
  | 'call second for another project'
  | 'call with second meanwhile'
  | 'let both renew again and again'
  | 'call stalled with second beside'
  | 'call five times at once'
  | 'let two lists meet'
  | 'need workers'
  | 'call twice at once'
  | 'call each operation with a revoked token'
  | 'deny consent'
  | 'deliver markup'
  | 'deliver an unasked denial'
  | 'deliver a made-up code'
  | 'sign in under another host'
  | 'deliver wrong states'
  | 'deliver without a state'
  | 'deliver a replayed state'
  | 'deliver foreign codes'
  | 'deliver an unknown code'
  | 'sign in and reload'
  | 'deliver twice at once'
  | 'name odd ids'
  | 'call or sign in'
  | 'call and be killed after the refresh'
  | 'call and be killed during the refresh'
  | 'go on'
  | 'call and leave during the refresh';

export type Verb = 'call' | 'sign in' | 'deliver' | 'assign' | 'unassign';
type Named = Exclude<ActName, ''>;

/** A step of the suite. A verb may be the second user's, have a name, or be left out where the client has one user at a time. */
export type StepName = OwnStep | `${'' | 'many users: '}${Verb}${'' | ' second'}${'' | ` as ${Named}`}`;

/** A step of the suite, a request to the control port, or a request that only an integrator's own test sends. */
export type Item = StepName | ControlRequest | { readonly byHand: ControlRequest };

/** Words for the author of a test, and what the suite does in their place. */
export type Scene = readonly [words: string, ...items: readonly Item[]];

/**
 * A situation in both forms. The suite does every item. An integrator's own test sends the requests of `before` and `after`, and
 * makes the application act; a user is signed in before, unless the act begins with a sign-in.
 */
export interface DrivenSituation {
  readonly before?: readonly Item[];
  readonly act: Scene;
  readonly after?: readonly Item[];
  readonly next?: Scene;
}

export type Situations = Readonly<Partial<Record<SituationId, DrivenSituation>>>;
