import {
  pactAt,
  pactsOfVersion,
  pactsToVerify,
  type VerifiablePact,
} from '../../contracts/broker/for-verification.ts';
import type { Broker } from '../../contracts/broker/hal-client.ts';
import { DEFAULT_SELECTORS, type PactSelector, readSelector } from '../../contracts/broker/selectors.ts';
import type { PactStanding } from '../../contracts/verify/outcome.ts';

export interface PactSelection {
  readonly providers: readonly string[];
  readonly providerBranch: string;
  /** Pact URLs from a webhook; replaces the selection. */
  readonly pactUrls: readonly string[];
  readonly consumer: string | undefined;
  /** Restricts that consumer to this version. */
  readonly consumerVersion: string | undefined;
  readonly selectors: readonly string[];
  readonly wipSince: string | undefined;
  readonly noPending: boolean;
}

export type SelectedPact = { readonly pact: VerifiablePact; readonly standing: PactStanding };

export interface SelectedPacts {
  readonly pacts: readonly SelectedPact[];
  readonly notes: readonly string[];
}

export function selectorsOf({
  consumer,
  selectors,
}: Pick<PactSelection, 'selectors' | 'consumer'>): readonly PactSelector[] {
  const read = selectors.map(readSelector);
  const all = read.length === 0 ? DEFAULT_SELECTORS : read;
  return consumer === undefined ? all : all.map((selector) => ({ consumer, ...selector }));
}

/**
 * A consumer's pipeline asks about one of its versions; a provider's job about every pact that it must honour. @throws
 * BrokerFailed
 */
export async function selectPacts(broker: Broker, selection: PactSelection): Promise<SelectedPacts> {
  const { consumer, consumerVersion, pactUrls, providers, providerBranch, wipSince } = selection;
  if (pactUrls.length > 0) {
    const pacts = await Promise.all(pactUrls.map((address) => pactAt(broker, address)));
    const why = ['a webhook asks for it'];
    return { pacts: pacts.map((pact) => ({ pact: { ...pact, why }, standing: 'counts' })), notes: [] };
  }
  if (consumer !== undefined && consumerVersion !== undefined) {
    const pacts = await pactsOfVersion(broker, consumer, consumerVersion);
    const own = pacts.filter(({ provider }) => providers.includes(provider));
    return { pacts: own.map((pact) => ({ pact, standing: 'counts' })), notes: [] };
  }
  const selectors = selectorsOf(selection);
  const notes: string[] = [];
  const pacts: SelectedPact[] = [];
  for (const provider of providers) {
    const wanted = await pactsToVerify(broker, provider, { selectors, providerBranch, wipSince });
    // A consumer asks about its own pacts, pending or not.
    const pending = consumer === undefined && !selection.noPending;
    pacts.push(
      ...wanted.map((pact) => ({
        pact,
        standing: pact.pending && pending ? ('pending' as const) : ('counts' as const),
      })),
    );
    if (wanted.length === 0) notes.push(`${provider}: no pact to verify yet`);
  }
  return { pacts, notes };
}
