import { isJsonObject } from '../../document/input/plain-data.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { nameIn } from '../pact/read-pact.ts';
import type { Broker } from './hal-client.ts';
import { BrokerFailed, brokerNotices, linkIn, linksIn, type Resource } from './hal-resource.ts';

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

/**
 * Returns the pacts to verify for a provider. Content that several versions share occurs once.
 *
 * @returns none if the broker does not know the provider
 * @throws BrokerFailed
 */
async function pactsToVerify(
  broker: Broker,
  provider: string,
  selection: PactSelection,
): Promise<readonly VerifiablePact[]> {
  const address = await broker.link('pb:provider-pacts-for-verification', { provider });
  const list = await broker.find(address, {
    includePendingStatus: true,
    providerVersionBranch: selection.providerVersionBranch,
    consumerVersionSelectors: selectorsOf(selection),
    includeWipPactsSince: selection.includeWipPactsSince,
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
  const status = isJsonObject(verificationProperties) ? verificationProperties : {};
  const before = brokerNotices(status).filter(({ when }) => when === 'before_verification');
  return { pending: status.pending === true, why: before.map(({ text }) => text) };
}

async function pactAt(broker: Broker, address: string): Promise<VerifiablePact> {
  const pact = await broker.get(address);
  return {
    source: linkIn(pact, 'self') ?? address,
    text: JSON.stringify(pact),
    consumer: nameIn(pact.consumer) ?? '',
    provider: nameIn(pact.provider) ?? '',
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

type PactSelector = Readonly<Partial<Record<SelectorKey, string | true>>>;

const FLAGS = [
  'mainBranch',
  'matchingBranch',
  'latest',
  'deployed',
  'released',
  'deployedOrReleased',
] as const;
const TEXTS = ['branch', 'fallbackBranch', 'tag', 'fallbackTag', 'environment', 'consumer'] as const;

type SelectorKey = (typeof FLAGS)[number] | (typeof TEXTS)[number];

/** A selector needs one of these; the other keys only narrow it. */
const SELECTING: readonly SelectorKey[] = [...FLAGS, 'branch', 'tag', 'environment'];

const DEFAULT_SELECTORS: readonly PactSelector[] = [{ mainBranch: true }, { deployedOrReleased: true }];

/**
 * Reads a selector from the command line: Pact's keys with commas between them (`mainBranch`, `deployed,environment=staging`,
 * `branch=topic,fallbackBranch=main`).
 *
 * @throws UsageError
 */
export function readSelector(text: string): PactSelector {
  const value = Object.fromEntries(
    text.split(',').map((pair) => {
      const [key = '', ...rest] = pair.split('=');
      return [key.trim(), rest.length === 0 ? true : rest.join('=').trim()];
    }),
  );
  const wrong = (what: string) => new UsageError(`the selector ${JSON.stringify(text)}: ${what}`);
  for (const [key, one] of Object.entries(value)) {
    const flag = FLAGS.some((name) => name === key);
    if (!flag && !TEXTS.some((name) => name === key))
      throw wrong(`${JSON.stringify(key)} is none of its keys; they are ${[...FLAGS, ...TEXTS].join(', ')}`);
    if (flag && one !== true) throw wrong(`${key} takes no value`);
    if (!flag && (typeof one !== 'string' || one === ''))
      throw wrong(`${key} wants a text, as in ${key}=NAME`);
  }
  if (!SELECTING.some((key) => key in value)) throw wrong(`expected one of ${SELECTING.join(', ')}`);
  return value as PactSelector;
}

/** Named as the options that say it. */
export interface PactSelection {
  readonly provider: readonly string[];
  readonly providerVersionBranch: string;
  /** Pact URLs from a webhook; replaces the selection. */
  readonly pactUrls: readonly string[];
  readonly consumer: string | undefined;
  readonly consumerAppVersion: string | undefined;
  readonly consumerVersionSelector: readonly string[];
  /** Includes work-in-progress pacts since this date (`2026-01-31`). */
  readonly includeWipPactsSince: string | undefined;
  readonly noPending: boolean;
}

export function selectorsOf({ consumer, consumerVersionSelector }: PactSelection): readonly PactSelector[] {
  const read = consumerVersionSelector.map(readSelector);
  const all = read.length === 0 ? DEFAULT_SELECTORS : read;
  return consumer === undefined ? all : all.map((selector) => ({ consumer, ...selector }));
}

/**
 * Returns the pacts to verify, and a note for each provider without one. A consumer's pipeline asks about one of its versions; a
 * provider's job about every pact that it must honour. @throws BrokerFailed
 */
export async function selectPacts(
  broker: Broker,
  selection: PactSelection,
): Promise<{ readonly pacts: readonly VerifiablePact[]; readonly notes: readonly string[] }> {
  const { consumer, consumerAppVersion, pactUrls } = selection;
  if (pactUrls.length > 0) {
    const pacts = await Promise.all(pactUrls.map((address) => pactAt(broker, address)));
    return { pacts: pacts.map((pact) => ({ ...pact, why: ['a webhook asks for it'] })), notes: [] };
  }
  if (consumer !== undefined && consumerAppVersion !== undefined) {
    const pacts = await pactsOfVersion(broker, consumer, consumerAppVersion);
    return { pacts: pacts.filter(({ provider }) => selection.provider.includes(provider)), notes: [] };
  }
  // A consumer asks about its own pacts, pending or not.
  const mayPend = consumer === undefined && !selection.noPending;
  const notes: string[] = [];
  const pacts: VerifiablePact[] = [];
  for (const provider of selection.provider) {
    const found = await pactsToVerify(broker, provider, selection);
    pacts.push(...found.map((pact) => ({ ...pact, pending: pact.pending && mayPend })));
    if (found.length === 0) notes.push(`${provider}: no pact to verify yet`);
  }
  return { pacts, notes };
}
