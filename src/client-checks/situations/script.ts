import type { SituationId } from '../../document/load-client-requirements.ts';
import type { ActName } from '../evaluate/episode.ts';
import type { OwnStep } from './acts.ts';
import type { ControlRequest } from './situation-context.ts';

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
