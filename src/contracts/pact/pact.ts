import { UsageError } from '../../input/usage-error.ts';

/** A pact as it is verified: who made it with whom, and its HTTP interactions. Specification versions 1 to 4. */
export interface Pact {
  /** Where it comes from: a path or an address, for messages. */
  readonly source: string;
  readonly consumer: string;
  readonly provider: string;
  /** Version of the Pact specification that it is written in, 3 where it does not say. */
  readonly version: number;
  /** At least one. */
  readonly interactions: readonly Interaction[];
  /** The document itself. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** A provider state as a pact names it. */
export interface WantedState {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One request with the answer that its consumer relies on. */
export interface Interaction {
  readonly description: string;
  /** The broker's id of it, where it comes from one. */
  readonly id?: string;
  readonly states: readonly WantedState[];
  readonly method: string;
  /** The path: an expression such as `/v2/projects/${project_id}/assigned_users` where a state injects into it. */
  readonly path: string;
  /** Every expression that a state's values are put into. */
  readonly expressions: readonly string[];
  /** The status that the example answer has. 400 and above: the consumer relies on being refused. */
  readonly status: number;
  /** Whether its maker marked it as not yet kept (specification version 4): it may fail. */
  readonly pending: boolean;
  /** The interaction itself. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** Something is wrong with a pact before anything is sent: exit 2. The message has a line per problem. */
export class PactRefused extends UsageError {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'PactRefused';
  }
}
