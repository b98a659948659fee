import type { Broker } from './hal-client.ts';
import { BrokerFailed, linkIn, linksIn, type Resource } from './hal-resource.ts';
import type { PactSelector } from './selectors.ts';

export interface VerifiablePact {
  readonly source: string;
  readonly text: string;
  readonly consumer: string;
  readonly provider: string;
  readonly resultsAddress: string;
  readonly why: readonly string[];
  /** No version on the provider's branch has verified it yet, so a failure fails no job of the provider. */
  readonly pending: boolean;
}

export interface WantedPacts {
  readonly selectors: readonly PactSelector[];
  readonly providerBranch: string;
  /** Includes work-in-progress pacts since this date (`2026-01-31`). */
  readonly wipSince: string | undefined;
}

/**
 * Returns the pacts to verify for a provider. Content that several versions share occurs once.
 *
 * @returns none if the broker does not know the provider
 * @throws BrokerFailed
 */
export async function pactsToVerify(
  broker: Broker,
  provider: string,
  { selectors, providerBranch, wipSince }: WantedPacts,
): Promise<readonly VerifiablePact[]> {
  const address = await broker.link('pb:provider-pacts-for-verification', { provider });
  const list = await broker.find(address, {
    includePendingStatus: true,
    providerVersionBranch: providerBranch,
    consumerVersionSelectors: selectors,
    includeWipPactsSince: wipSince,
  });
  const pacts = list === undefined ? [] : broker.embedded(list, 'pacts');
  return Promise.all(
    pacts.map(async (pact) => ({
      ...(await pactAt(broker, broker.linkOf(pact, 'self'))),
      ...statusOf(pact),
    })),
  );
}

function statusOf({ verificationProperties }: Resource): Pick<VerifiablePact, 'why' | 'pending'> {
  const { pending, notices } = (verificationProperties ?? {}) as {
    readonly pending?: unknown;
    readonly notices?: unknown;
  };
  const texts = (Array.isArray(notices) ? notices : []).flatMap(
    (notice: { when?: unknown; text?: unknown }) =>
      notice.when === 'before_verification' && typeof notice.text === 'string' ? [notice.text] : [],
  );
  return { pending: pending === true, why: texts };
}

export async function pactAt(broker: Broker, address: string): Promise<VerifiablePact> {
  const pact = await broker.get(address);
  return {
    source: linkIn(pact, 'self') ?? address,
    text: JSON.stringify(pact),
    consumer: nameIn(pact.consumer),
    provider: nameIn(pact.provider),
    resultsAddress: broker.expected(linkIn(pact, 'pb:publish-verification-results')),
    why: [],
    pending: false,
  };
}

export async function pactsOfVersion(
  broker: Broker,
  consumer: string,
  version: string,
): Promise<readonly VerifiablePact[]> {
  const found = await broker.find(
    await broker.link('pb:pacticipant-version', { pacticipant: consumer, version }),
  );
  if (found === undefined) {
    throw new BrokerFailed(
      `the broker at ${broker.url} does not know ${consumer} ${version} (404): publish its pacts first`,
    );
  }
  const addresses = linksIn(found, 'pb:pact-versions').map(({ href }) => href);
  const pacts = await Promise.all(addresses.map((address) => pactAt(broker, address)));
  return pacts.map((pact) => ({ ...pact, why: [`it is the pact of ${consumer} ${version}`] }));
}

function nameIn(party: unknown): string {
  const { name } = (party ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' ? name : '';
}
