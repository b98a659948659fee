import type { JsonObject } from '../../input/plain-data.ts';
import { UsageError } from '../../input/usage-error.ts';

export interface Pact {
  readonly source: string;
  readonly consumer: string;
  readonly provider: string;
  readonly interactions: readonly Interaction[];
  readonly document: JsonObject;
}

export interface WantedState {
  readonly name: string;
  readonly parameters: JsonObject;
}

export interface Interaction {
  readonly description: string;
  readonly id?: string;
  readonly states: readonly WantedState[];
  readonly method: string;
  /** The path, or an expression such as `/v2/projects/${project_id}/assigned_users` that a state fills in. */
  readonly path: string;
  readonly expressions: readonly string[];
  /** Status of the example answer. From 400 on, the consumer expects a refusal. */
  readonly status: number;
  readonly pending: boolean;
  readonly document: JsonObject;
}

/** Reports an invalid pact before anything is sent: exit 2. The message has a line per problem. */
export class PactRefused extends UsageError {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'PactRefused';
  }
}
