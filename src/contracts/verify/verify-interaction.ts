import type { Exchange } from '../../exchange/exchange.ts';
import type { Interaction, Pact } from '../pact/pact.ts';
import { withRootedGenerators } from '../pact/rooted-generators.ts';
import type { Address } from '../providers.ts';
import type { NativeVerifier } from './native-verifier.ts';
import { type Found, found } from './outcome.ts';
import { reasonsOf } from './reasons.ts';
import type { Relay } from './relay.ts';
import { type ReadyStates, setUpStates } from './set-up-states.ts';
import type { TargetActions } from './target-actions.ts';
import { StateFailed } from './target-actions.ts';
import { tokenRuleViolations } from './token-rules.ts';

export interface VerifierParts {
  readonly verifier: NativeVerifier;
  readonly relay: Relay;
  readonly actions: TargetActions;
}

/**
 * Verifies one interaction. Sets up its states first and sends nothing if one fails, so no example id ever reaches the target.
 *
 * @throws Error if the verifier itself fails
 */
export async function verifyInteraction(
  pact: Pact,
  interaction: Interaction,
  address: Address,
  { verifier, relay, actions }: VerifierParts,
): Promise<Found> {
  actions.next();
  let ready: ReadyStates;
  try {
    ready = await setUpStates(actions, interaction.states);
  } catch (error) {
    if (!(error instanceof StateFailed)) throw error;
    return found(error.kind === 'inconclusive' ? 'not-run' : 'failed', error.message);
  }
  const { conversation } = actions;
  const { value: report, relayed } = await relay.during({ address, ready, conversation }, () =>
    verifier.verify(alone(pact, interaction), relay.providerUrl, relay.statesUrl),
  );
  const { exchanges, withheld } = relayed;
  if (report.unloadable !== undefined)
    return found(
      'failed',
      `the pact is wrong, not the target: Pact’s verifier cannot load the interaction: ${report.unloadable}`,
    );
  if (withheld.length > 0) return found('failed', ...withheld);
  const silence = withoutAnswer(exchanges);
  if (silence !== undefined) return found('not-run', silence);
  if (exchanges.length === 0) {
    throw new Error(
      `the verifier sent nothing for "${interaction.description}": ${report.errors.join('; ')}`,
    );
  }
  const mismatches = [
    ...(report.verified ? [] : reasonsOf(report, exchanges, actions.session.target)),
    ...tokenRuleViolations(interaction, exchanges).map((description) => ({ description })),
  ];
  if (report.verified && mismatches.length === 0) return { result: 'verified', mismatches };
  return mismatches.length === 0
    ? found('failed', 'the verifier gives no reason')
    : { result: 'failed', mismatches };
}

function alone(pact: Pact, interaction: Interaction): unknown {
  return {
    ...pact.document,
    interactions: [{ ...withRootedGenerators(interaction.document), pending: false }],
  };
}

/** Returns why the result is inconclusive: no complete answer, or an unavailable or busy service. */
function withoutAnswer(exchanges: readonly Exchange[]): string | undefined {
  const last = exchanges.at(-1);
  if (last === undefined) return undefined;
  if (last.response === undefined) return last.failure?.message ?? 'no answer';
  const { status } = last.response;
  return status === 429 || status === 503 ? `the target answered ${status}` : undefined;
}
