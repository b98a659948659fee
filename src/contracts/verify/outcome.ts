import type { RunTrouble } from '../../report/results.ts';
import { conclude, type RunOutcome } from '../../report/verdict.ts';

export interface OutcomeMismatch {
  readonly description: string;
  readonly attribute?: string;
  readonly identifier?: string;
}

export interface InteractionOutcome {
  readonly description: string;
  readonly states: readonly string[];
  readonly id?: string;
  /** `not-run`: nothing can be said, because the target could not be heard or a state needs what it cannot do. */
  readonly result: 'verified' | 'failed' | 'not-run';
  /** Marked by its maker as not yet kept: a failure is told and does not count. */
  readonly pending: boolean;
  readonly reasons: readonly string[];
  readonly mismatches: readonly OutcomeMismatch[];
  readonly durationMs: number;
}

/**
 * The weight of a pact's failure. `counts`: the verification fails. `pending`: no version of the provider has kept it, so it fails no job
 * of the provider. `beside`: of another version than the one that was asked about.
 */
export type PactStanding = 'counts' | 'pending' | 'beside';

export interface PactOutcome {
  readonly source: string;
  readonly consumer: string;
  readonly provider: string;
  readonly standing: PactStanding;
  readonly why: readonly string[];
  /** Mistakes of the pact that this target accepts and others may not. */
  readonly warnings: readonly string[];
  readonly interactions: readonly InteractionOutcome[];
}

export interface Verification {
  readonly pacts: readonly PactOutcome[];
  readonly troubles: readonly RunTrouble[];
  /** Requirements that the exchanges broke beside the pacts, a sentence each, redacted; the verdict ignores them. */
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

/** Concludes: 1 when an interaction that counts does not verify, 3 when one could not be evaluated, 4 when the suite failed. */
export function concludeVerification({ pacts, troubles }: Verification): RunOutcome {
  const all = pacts.flatMap(({ interactions, ...pact }) => interactions.map((one) => ({ ...one, pact })));
  const counted = all.filter(({ pact }) => pact.standing === 'counts');
  const failed = counted.filter(({ result, pending }) => result === 'failed' && !pending);
  const notRun = counted.filter(({ result }) => result === 'not-run');
  return conclude({
    troubles,
    violations: failed.length === 0 ? [] : [`${count(failed)} not verify: ${some(failed)}`],
    // One reason for all of them is told by the trouble already.
    gaps: notRun.length === 0 || troubles.length > 0 ? [] : [`${count(notRun)} not run: ${some(notRun)}`],
    judged: all.filter(({ result }) => result !== 'not-run').length,
  });
}

type Owned = InteractionOutcome & { readonly pact: Pick<PactOutcome, 'consumer'> };

function count({ length }: readonly Owned[]): string {
  return length === 1 ? '1 interaction did' : `${length} interactions did`;
}

/** The first few: a list of a hundred explains nothing. */
function some(outcomes: readonly Owned[]): string {
  const shown = outcomes.slice(0, 5).map(({ description, pact }) => `${pact.consumer} "${description}"`);
  return `${shown.join(', ')}${outcomes.length > 5 ? ` and ${outcomes.length - 5} more` : ''}`;
}
