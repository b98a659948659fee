import type { RunTrouble } from '../../report/results.ts';

/** One thing that is wrong with an answer, as a broker's page of results takes it. Redacted. */
export interface OutcomeMismatch {
  readonly description: string;
  /** `status`, `header`, `body`. */
  readonly attribute?: string;
  /** Name of the header, JSON path in the body. */
  readonly identifier?: string;
}

/** What came of one interaction. */
export interface InteractionOutcome {
  readonly description: string;
  /** Names of its provider states. */
  readonly states: readonly string[];
  /** The broker's id of it, where the pact comes from one. */
  readonly id?: string;
  /** `not-run`: nothing can be said, because the target could not be heard or a state needs what it cannot do. */
  readonly result: 'verified' | 'failed' | 'not-run';
  /** Marked by its maker as not yet kept: a failure is told and does not count. */
  readonly pending: boolean;
  /** Why it failed or did not run, a sentence each, redacted; empty when it was verified. */
  readonly reasons: readonly string[];
  /** The reasons of a failure, each with the place that it is about. */
  readonly mismatches: readonly OutcomeMismatch[];
  readonly durationMs: number;
}

/**
 * What a failure of a pact means. `counts`: the verification fails. `pending`: the provider was never seen to keep it, so it
 * is told and published, and fails no job of the provider. `beside`: another version's pact than the one that was asked about; it
 * is told.
 */
export type PactStanding = 'counts' | 'pending' | 'beside';

/** What came of one pact, an outcome per interaction in the pact's order. */
export interface PactOutcome {
  /** The path or address that it was read from. */
  readonly source: string;
  readonly consumer: string;
  readonly provider: string;
  readonly standing: PactStanding;
  /** Why it was verified, a sentence each; empty for a file. */
  readonly why: readonly string[];
  /** What is right with the target and wrong with the pact: it may fail elsewhere. */
  readonly warnings: readonly string[];
  readonly interactions: readonly InteractionOutcome[];
}

/** What came of a verification. */
export interface Verification {
  readonly pacts: readonly PactOutcome[];
  /** Why the verification as a whole cannot speak, redacted. */
  readonly troubles: readonly RunTrouble[];
  /** What its exchanges showed broken beside the pacts, a sentence each, redacted; it decides nothing here. */
  readonly alsoSeen?: readonly string[];
}

/**
 * Returns the result that a broker is told: failed if an interaction failed, marked as pending or not, because a consumer must not
 * deploy on a success that no interaction had.
 */
export function pactVerdict({ interactions }: PactOutcome): 'verified' | 'failed' | 'not-run' {
  if (interactions.some(({ result }) => result === 'failed')) return 'failed';
  return interactions.some(({ result }) => result === 'not-run') ? 'not-run' : 'verified';
}
