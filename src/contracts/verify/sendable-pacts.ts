import type { SecretRegistry } from '../../secrets/registry.ts';
import type { Target } from '../../targets/target.ts';
import { formEncodingWarnings } from '../pact/form-encoding.ts';
import { idleRuleWarnings } from '../pact/matching-rules.ts';
import type { Interaction, Pact } from '../pact/pact.ts';
import type { ProviderNames } from '../providers.ts';
import type { InteractionOutcome, PactOutcome, PactStanding } from './outcome.ts';
import { interactionProblems } from './refuse-pacts.ts';

export interface WantedPact {
  readonly pact: Pact;
  readonly standing: PactStanding;
  readonly why: readonly string[];
}

export interface SendablePacts {
  readonly good: readonly Pact[];
  complete(outcomes: readonly PactOutcome[]): readonly PactOutcome[];
}

/**
 * Takes what cannot be sent out of pacts from a broker, so that one consumer's mistake stops no other. It fails, so that the broker
 * tells its consumer the reason.
 *
 * @param secrets of the target; a pact that holds one is refused as a whole
 */
export function sendablePacts(
  wanted: readonly WantedPact[],
  target: Pick<Target, 'kind' | 'projects' | 'users'>,
  names: ProviderNames,
  secrets: SecretRegistry,
): SendablePacts {
  const sorted = wanted.map(({ pact, ...rest }) => {
    const bad = badInteractions(pact, target, names, secrets);
    const interactions = pact.interactions.filter((one) => !bad.has(one));
    return { pact, bad, good: { ...pact, interactions }, ...rest };
  });
  const verifiable = sorted.filter(({ good }) => good.interactions.length > 0);
  return {
    good: verifiable.map(({ good }) => good),
    complete: (outcomes) =>
      sorted.map(({ pact, bad, good, standing, why }) => {
        const came = outcomes[verifiable.findIndex((one) => one.good === good)]?.interactions ?? [];
        const rest = [...came];
        const { source, consumer, provider } = pact;
        return {
          source,
          consumer,
          provider,
          standing,
          why,
          warnings: [...formEncodingWarnings(pact), ...idleRuleWarnings(pact)].map((text) =>
            secrets.redact(text),
          ),
          interactions: pact.interactions.flatMap((one) => bad.get(one) ?? rest.shift() ?? []),
        };
      }),
  };
}

/** Returns the kinds of secrets that a pact contains. A login does not count, because it may be anybody's name. */
export function secretsIn({ document }: Pick<Pact, 'document'>, secrets: SecretRegistry): readonly string[] {
  const labels = secrets.find(JSON.stringify(document)).map(({ label }) => label.split('#')[0] ?? '');
  return [...new Set(labels)].filter((kind) => kind !== 'login');
}

export function holdsSecret(kinds: readonly string[]): string {
  return `the pact holds a secret of the target (${kinds.join(', ')}), which everyone who reads it sees: take it from a provider state, and change it at the target`;
}

function badInteractions(
  pact: Pact,
  target: Pick<Target, 'kind' | 'projects' | 'users'>,
  names: ProviderNames,
  secrets: SecretRegistry,
): ReadonlyMap<Interaction, InteractionOutcome> {
  const held = secretsIn(pact, secrets);
  return new Map(
    pact.interactions.flatMap((interaction) => {
      const problems =
        held.length > 0 ? [holdsSecret(held)] : interactionProblems(pact, interaction, target, names);
      if (problems.length === 0) return [];
      const reasons = problems.map((text) => secrets.redact(text));
      const outcome: InteractionOutcome = {
        description: secrets.redact(interaction.description),
        states: interaction.states.map(({ name }) => secrets.redact(name)),
        ...(interaction.id === undefined ? {} : { id: interaction.id }),
        result: 'failed',
        pending: interaction.pending,
        reasons,
        mismatches: reasons.map((description) => ({ description })),
        durationMs: 0,
      };
      return [[interaction, outcome] as const];
    }),
  );
}
