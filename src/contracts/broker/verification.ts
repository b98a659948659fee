import type { SecretRegistry } from '../../secrets/registry.ts';
import { type PactOutcome, pactVerdict } from '../verify/outcome.ts';
import type { BrokerAccess } from './access.ts';
import { BrokerFailed, halRequest, linkIn, type Resource } from './hal-client.ts';
import { TROUBLES } from './trouble.ts';

/** A pact that the broker wants to be verified. */
export interface VerifiablePact {
  /** Its address: where it comes from, for messages. */
  readonly source: string;
  /** The document, as JSON. */
  readonly text: string;
  /** Where its result is published. */
  readonly resultsAddress: string;
}

/** Which consumer versions' pacts are wanted. */
export interface Wanted {
  /** One consumer alone; undefined: all. */
  readonly consumer?: string | undefined;
  /** Besides those of main branches and of what is deployed: a branch whose pacts are to be verified too. */
  readonly consumerBranch: string | undefined;
}

/** Who verified. */
export interface Verifier {
  readonly providerVersion: string;
  /** Branch that the provider version is on, if it is on one. */
  readonly providerBranch: string | undefined;
  readonly buildUrl: string | undefined;
  /** Version of the suite; it is told, and decides nothing. */
  readonly suiteVersion: string;
}

/**
 * The pacts that are to be verified for a provider: of each consumer's main branch, of what is deployed anywhere, and of
 * one branch that is asked for. A content that several versions share comes once.
 *
 * @returns none where the broker does not know the provider
 * @throws BrokerFailed
 */
export async function pactsToVerify(
  access: BrokerAccess,
  provider: string,
  { consumer, consumerBranch }: Wanted,
): Promise<readonly VerifiablePact[]> {
  const branch = consumerBranch === undefined ? [] : [{ branch: consumerBranch }];
  const whose = consumer === undefined ? {} : { consumer };
  const list = await halRequest(access, {
    method: 'POST',
    to: `/pacts/provider/${encodeURIComponent(provider)}/for-verification`,
    body: {
      includePendingStatus: false,
      consumerVersionSelectors: [{ mainBranch: true }, { deployedOrReleased: true }, ...branch].map(
        (selector) => ({
          ...selector,
          ...whose,
        }),
      ),
    },
    repeatable: true,
  });
  if (list === undefined) return [];
  return await Promise.all(addressesIn(list, access).map((address) => pactAt(access, address)));
}

function addressesIn(list: Resource, { baseUrl }: BrokerAccess): readonly string[] {
  const { pacts } = (list._embedded ?? {}) as { readonly pacts?: unknown };
  if (!Array.isArray(pacts)) throw new BrokerFailed(TROUBLES.noBroker(baseUrl));
  return pacts.flatMap((pact: Resource) => linkIn(pact, 'self') ?? []);
}

async function pactAt(access: BrokerAccess, address: string): Promise<VerifiablePact> {
  const pact = await halRequest(access, { method: 'GET', to: address, repeatable: true });
  const resultsAddress = pact && linkIn(pact, 'pb:publish-verification-results');
  if (pact === undefined || resultsAddress === undefined)
    throw new BrokerFailed(TROUBLES.noBroker(access.baseUrl));
  return { source: linkIn(pact, 'self') ?? address, text: JSON.stringify(pact), resultsAddress };
}

/** What came of telling the broker about one pact. */
export type Told = 'published' | 'not-run' | 'leak';

/**
 * Publishes what came of one pact, under the provider's version. Nothing is said of a pact of which something did not run:
 * neither success nor failure would be true, and a failure blocks deployments.
 *
 * @param secrets of the run; a result that holds one is not sent
 * @throws BrokerFailed
 */
export async function publishVerification(
  access: BrokerAccess,
  pact: Pick<VerifiablePact, 'resultsAddress'>,
  outcome: PactOutcome,
  verifier: Verifier,
  secrets: SecretRegistry,
): Promise<Told> {
  const verdict = pactVerdict(outcome);
  if (verdict === 'not-run') return 'not-run';
  const { providerVersion, providerBranch, buildUrl, suiteVersion } = verifier;
  const body = {
    success: verdict === 'verified',
    providerApplicationVersion: providerVersion,
    buildUrl,
    testResults: outcome.interactions.map(({ id, description, result, reasons }) => ({
      ...(id === undefined ? { interactionDescription: description } : { interactionId: id }),
      success: result === 'verified',
      ...(reasons.length === 0 ? {} : { mismatches: reasons.map((reason) => ({ description: reason })) }),
    })),
    verifiedBy: { implementation: 'legacy-api-conformance', version: suiteVersion },
  };
  if (secrets.find(JSON.stringify(body)).length > 0) return 'leak';
  if (providerBranch !== undefined) {
    await halRequest(access, {
      method: 'PUT',
      to: `/pacticipants/${[outcome.provider, 'branches', providerBranch, 'versions', providerVersion]
        .map(encodeURIComponent)
        .join('/')}`,
      body: {},
      repeatable: true,
    });
  }
  const created = await halRequest(access, {
    method: 'POST',
    to: pact.resultsAddress,
    body,
    repeatable: false,
  });
  if (created === undefined) throw new BrokerFailed(TROUBLES.status(access.baseUrl, 404));
  return 'published';
}
