import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { countText, firstOf } from '../../report/count-text.ts';
import type { RunTrouble } from '../../report/results.ts';
import { conclude, type RunOutcome } from '../../report/verdict.ts';
import { formEncodingWarnings } from '../pact/matching-rules.ts';
import type { Interaction, Pact } from '../pact/read-pact.ts';
import { leftOutHeaders } from './native-pact.ts';
import type { InteractionOutcome, PactOutcome, PactStanding } from './pact-outcome.ts';

export interface Verification {
  readonly pacts: readonly PactOutcome[];
  readonly troubles: readonly RunTrouble[];
  /** Violations of clause 4.4 by the clean-up: an own user whom the service does not unassign. */
  readonly violations?: readonly string[];
  /** Requirements that the exchanges broke, a redacted sentence each; they do not affect the verdict. */
  readonly alsoSeen?: readonly string[];
}

export interface WantedPact {
  readonly pact: Pact;
  readonly standing: PactStanding;
  readonly why: readonly string[];
}

export const PACT_IS_WRONG = 'the pact is wrong, not the target';

export interface RequestResult extends Pick<InteractionOutcome, 'result' | 'mismatches'> {
  /** True if the target gave no answer. */
  readonly silent?: boolean;
}

export function foundOutcome(result: RequestResult['result'], ...reasons: readonly string[]): RequestResult {
  return { result, mismatches: reasons.map((description) => ({ description })) };
}

export function outcomeOf(
  { description, states, id, pending }: Interaction,
  { result, mismatches }: RequestResult,
  secrets: SecretRegistry,
  durationMs = 0,
): InteractionOutcome {
  const redacted = mismatches.map((one) => ({ ...one, description: secrets.redact(one.description) }));
  return {
    description: secrets.redact(description),
    states: states.map(({ name }) => secrets.redact(name)),
    id,
    result,
    pending,
    reasons: redacted.map((one) => one.description),
    mismatches: redacted,
    durationMs: Math.round(durationMs),
  };
}

export function pactOutcomes(
  wanted: readonly WantedPact[],
  outcomes: ReadonlyMap<Interaction, InteractionOutcome>,
  secrets: SecretRegistry,
): readonly PactOutcome[] {
  return wanted.map(({ pact, standing, why }) => {
    const { source, consumer, provider } = pact;
    const warnings = [...formEncodingWarnings(pact), ...leftOutHeaders(pact)].map((text) =>
      secrets.redact(text),
    );
    const interactions = pact.interactions.flatMap((one) => outcomes.get(one) ?? []);
    return { source, consumer, provider, standing, why, warnings, interactions };
  });
}

/**
 * Returns the result for the broker. Pending failures count as failed, because a consumer must not deploy on an
 * unproven success.
 */
export function pactVerdict({ interactions }: PactOutcome): 'verified' | 'failed' | 'not-run' {
  if (interactions.some(({ result }) => result === 'failed')) return 'failed';
  return interactions.some(({ result }) => result === 'not-run') ? 'not-run' : 'verified';
}

/** Returns 1 if an interaction that counts fails, 3 if one could not be evaluated, 4 if the suite failed. */
export function concludeVerification({ pacts, troubles, violations = [] }: Verification): RunOutcome {
  const all = pacts.flatMap(({ interactions, ...pact }) => interactions.map((one) => ({ ...one, pact })));
  const counted = all.filter(({ pact }) => pact.standing === 'counts');
  const failed = counted.filter(({ result, pending }) => result === 'failed' && !pending);
  const notRun = counted.filter(({ result }) => result === 'not-run');
  return conclude({
    troubles,
    violations: [...(failed.length === 0 ? [] : [some(failed, 'not verify')]), ...violations],
    // The trouble already gives the common reason.
    gaps: notRun.length === 0 || troubles.length > 0 ? [] : [some(notRun, 'not run')],
    evaluatedCount: all.filter(({ result }) => result !== 'not-run').length,
  });
}

type Owned = InteractionOutcome & { readonly pact: Pick<PactOutcome, 'consumer'> };

function some(outcomes: readonly Owned[], what: string): string {
  const named = outcomes.map(({ description, pact }) => `${pact.consumer} "${description}"`);
  return `${countText(outcomes.length, 'interaction')} did ${what}: ${firstOf(named)}`;
}
