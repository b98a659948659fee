import type { SituationId } from '../../../generated/ids.ts';
import type { WholeProfile } from '../../emulator/policy/profile.ts';
import type { EmulatorOptions } from '../../emulator/start/emulator-options.ts';
import type { ActName } from '../evaluate/episode.ts';
import type { Places } from '../service.ts';
import type { OwnStep } from './acts.ts';
import type { ControlRequest } from './situation-context.ts';

export type Verb = 'call' | 'sign in' | 'deliver' | 'assign' | 'unassign';
type Named = Exclude<ActName, ''>;

/** A step of the suite. A verb may be the second user's, have a name, or be left out where the client has one user at a time. */
export type StepName = OwnStep | `${'' | 'many users: '}${Verb}${'' | ' second'}${'' | ` as ${Named}`}`;

/** A step of the suite, a request to the control port, or a request that only an integrator's own test sends. */
export type Item = StepName | ControlRequest | { readonly byHand: ControlRequest };

/** Words for the author of a test, and what the suite does in their place. */
export type Instruction = readonly [words: string, ...items: readonly Item[]];

/**
 * A situation in both forms. The suite does every item. An integrator's own test sends the requests of `before` and `after`, and
 * makes the application act; a user is signed in before, unless the act begins with a sign-in.
 */
export interface DrivenSituation {
  readonly before?: readonly Item[];
  readonly act: Instruction;
  readonly after?: readonly Item[];
  readonly next?: Instruction;
  /** Differences of the service from the start of the situation on. */
  readonly service?: {
    /** True for HTTPS with a certificate of an authority that no client knows. */
    readonly tls?: true;
    readonly answers?: Partial<WholeProfile['answers']>;
    readonly retirement?: EmulatorOptions['retirement'];
    /** Follows the redirect address. */
    readonly query?: string;
    /** True if the service knows the redirect address under the application's other host name too. */
    readonly underBothHosts?: true;
  };
  /** The project of every call, unless it is the usual one. An application with a fixed project starts with it. */
  readonly project?: Exclude<keyof Places, 'project' | 'user'>;
  /** Variables of the application's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** True if a sound application may refuse to start, or to go on: a gap is then no finding. */
  readonly mayEnd?: true;
}

export type Situations = Readonly<Partial<Record<SituationId, DrivenSituation>>>;
