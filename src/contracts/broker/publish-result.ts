import type { SecretRegistry } from '../../secrets/registry.ts';
import { type InteractionOutcome, type PactOutcome, pactVerdict } from '../verify/outcome.ts';
import { putOnBranch } from './deployments.ts';
import type { VerifiablePact } from './for-verification.ts';
import type { Broker } from './hal-client.ts';

export interface Verifier {
  readonly providerVersion: string;
  /** Branch of the provider version; the broker derives pending and work in progress from it. */
  readonly providerBranch: string;
  readonly buildUrl: string | undefined;
  readonly suiteVersion: string;
}

export type PublishOutcome = 'published' | 'not-run' | 'leak';

/**
 * Publishes the result of one pact, under the provider's version. Publishes nothing if an interaction did not run: neither
 * success nor failure would be true, and a failure blocks deployments.
 *
 * @param secrets of the run; a result that holds one is not sent
 * @throws BrokerFailed
 */
export async function publishVerification(
  broker: Broker,
  pact: Pick<VerifiablePact, 'resultsAddress'>,
  outcome: PactOutcome,
  verifier: Verifier,
  secrets: SecretRegistry,
): Promise<PublishOutcome> {
  const verdict = pactVerdict(outcome);
  if (verdict === 'not-run') return 'not-run';
  const { providerVersion, providerBranch, buildUrl, suiteVersion } = verifier;
  const body = {
    success: verdict === 'verified',
    providerApplicationVersion: providerVersion,
    buildUrl,
    testResults: outcome.interactions.map(testResult),
    verifiedBy: { implementation: 'legacy-api-conformance', version: suiteVersion },
  };
  if (secrets.find(JSON.stringify(body)).length > 0) return 'leak';
  await putOnBranch(broker, outcome.provider, providerVersion, providerBranch);
  await broker.send(pact.resultsAddress, {
    method: 'POST',
    body,
    repeatable: false,
    done: (answer) => answer?.success === body.success,
  });
  return 'published';
}

function testResult({ id, description, result, mismatches }: InteractionOutcome) {
  return {
    interactionId: id,
    interactionDescription: description,
    success: result === 'verified',
    ...(mismatches.length === 0 ? {} : { mismatches }),
  };
}
