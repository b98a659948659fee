import { UsageError } from '../../input/usage-error.ts';

export interface Pact {
  readonly source: string;
  readonly consumer: string;
  readonly provider: string;
  /** Version of the Pact specification that it is written in, 3 where it does not say. */
  readonly version: number;
  readonly interactions: readonly Interaction[];
  readonly document: Readonly<Record<string, unknown>>;
}

export interface WantedState {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Interaction {
  readonly description: string;
  readonly id?: string;
  readonly states: readonly WantedState[];
  readonly method: string;
  /** The path: an expression such as `/v2/projects/${project_id}/assigned_users` where a state injects into it. */
  readonly path: string;
  readonly expressions: readonly string[];
  /** The status that the example answer has. 400 and above: the consumer relies on being refused. */
  readonly status: number;
  /** Marked by its maker as not yet kept (specification version 4): it may fail. */
  readonly pending: boolean;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Something is wrong with a pact before anything is sent: exit 2. The message has a line per problem. */
export class PactRefused extends UsageError {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'PactRefused';
  }
}
