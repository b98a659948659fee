import {
  contentOf,
  leftOut,
  pactAt,
  pactsOfVersion,
  pactsToVerify,
  type VerifiablePact,
} from '../../contracts/broker/for-verification.ts';
import type { Broker } from '../../contracts/broker/hal-client.ts';
import { DEFAULT_SELECTORS, type PactSelector, readSelectors } from '../../contracts/broker/selectors.ts';
import type { PactStanding } from '../../contracts/verify/outcome.ts';

export interface PactSelection {
  readonly providers: readonly string[];
  readonly providerBranch: string;
  /** Pact URLs from a webhook; replaces the selection. */
  readonly pactUrls: readonly string[];
  readonly consumer: string | undefined;
  /** Restricts that consumer to this version or branch. A branch without a consumer adds a selector. */
  readonly consumerVersion: string | undefined;
  readonly consumerBranch: string | undefined;
  readonly selectors: readonly string[];
  readonly wipSince: string | undefined;
  readonly noPending: boolean;
}

export type SelectedPact = { readonly pact: VerifiablePact; readonly standing: PactStanding };

export interface SelectedPacts {
  readonly pacts: readonly SelectedPact[];
  readonly notes: readonly string[];
}

export function selectorsOf(
  selection: Pick<PactSelection, 'selectors' | 'consumer' | 'consumerBranch'>,
): readonly PactSelector[] {
  const { consumer, consumerBranch } = selection;
  const read = selection.selectors.flatMap(readSelectors);
  const branch = consumerBranch === undefined || consumer !== undefined ? [] : [{ branch: consumerBranch }];
  const all = [...(read.length === 0 ? DEFAULT_SELECTORS : read), ...branch];
  return consumer === undefined ? all : all.map((selector) => ({ consumer, ...selector }));
}

/**
 * A consumer's pipeline asks about one of its versions; a provider's job about every pact that it must honour. @throws
 * BrokerFailed
 */
export async function selectPacts(broker: Broker, selection: PactSelection): Promise<SelectedPacts> {
  const { consumer, consumerBranch, consumerVersion, pactUrls, providerBranch, wipSince } = selection;
  if (pactUrls.length > 0) {
    const version = consumerVersion === undefined ? '' : `: version ${consumerVersion}`;
    const branch = consumerBranch === undefined ? '' : ` from branch ${consumerBranch}`;
    const why = [`a webhook asks for it${version}${branch}`];
    const pacts = await Promise.all(pactUrls.map((address) => pactAt(broker, address)));
    return { pacts: pacts.map((pact) => ({ pact: { ...pact, why }, standing: 'counts' })), notes: [] };
  }
  if (consumer !== undefined && (consumerVersion !== undefined || consumerBranch !== undefined))
    return { pacts: await ofConsumer(broker, selection, consumer), notes: [] };
  const selectors = selectorsOf(selection);
  const notes: string[] = [];
  const pacts: SelectedPact[] = [];
  for (const provider of selection.providers) {
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
    if (consumer === undefined)
      notes.push(...(await leftOut(broker, provider, wanted, selection.selectors.length > 0)));
  }
  return { pacts, notes };
}

async function ofConsumer(
  broker: Broker,
  selection: PactSelection,
  consumer: string,
): Promise<readonly SelectedPact[]> {
  const { consumerVersion, consumerBranch = '', providers, providerBranch } = selection;
  const selected = (provider: string, selectors: readonly PactSelector[]) =>
    pactsToVerify(broker, provider, { selectors, providerBranch, wipSince: undefined });
  const ofVersion =
    consumerVersion === undefined ? undefined : await pactsOfVersion(broker, consumer, consumerVersion);
  const pacts: SelectedPact[] = [];
  for (const provider of providers) {
    const own =
      ofVersion?.filter((pact) => pact.provider === provider) ??
      (await selected(provider, [{ consumer, branch: consumerBranch }]));
    const contents = new Set(own.map(contentOf));
    const others = (await selected(provider, selectorsOf(selection))).filter(
      (pact) => !contents.has(contentOf(pact)),
    );
    pacts.push(...own.map((pact) => ({ pact, standing: 'counts' as const })));
    pacts.push(...others.map((pact) => ({ pact, standing: 'beside' as const })));
  }
  return pacts;
}
