export interface OutcomeMismatch {
  readonly description: string;
  readonly attribute?: string;
  readonly identifier?: string;
}

export interface InteractionOutcome {
  readonly description: string;
  readonly states: readonly string[];
  readonly id?: string;
  /** `not-run`: the target is unreachable, or it lacks an ability that a state needs. */
  readonly result: 'verified' | 'failed' | 'not-run';
  readonly pending: boolean;
  readonly reasons: readonly string[];
  readonly mismatches: readonly OutcomeMismatch[];
  readonly durationMs: number;
}

/** `counts`: a failure fails the verification. `pending`: no provider version has verified the pact, so it fails no job. */
export type PactStanding = 'counts' | 'pending';

export interface PactOutcome {
  readonly source: string;
  readonly consumer: string;
  readonly provider: string;
  readonly standing: PactStanding;
  readonly why: readonly string[];
  readonly warnings: readonly string[];
  readonly interactions: readonly InteractionOutcome[];
}
