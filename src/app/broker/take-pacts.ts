import { brokerAccess } from '../../contracts/broker/access.ts';
import { HERE } from '../../contracts/broker/build.ts';
import { ciBuild } from '../../contracts/broker/ci.ts';
import { deployedVersion } from '../../contracts/broker/deployments.ts';
import {
  leftOut,
  pactAt,
  pactsOfVersion,
  pactsToVerify,
  type VerifiablePact,
} from '../../contracts/broker/for-verification.ts';
import { Broker } from '../../contracts/broker/hal-client.ts';
import { publishVerification, type Told } from '../../contracts/broker/results.ts';
import { DEFAULT_SELECTORS, type PactSelector, readSelectors } from '../../contracts/broker/selectors.ts';
import { BrokerFailed } from '../../contracts/broker/trouble.ts';
import { PactRefused } from '../../contracts/pact/pact.ts';
import { readPact } from '../../contracts/pact/read-pact.ts';
import { providerVersionOf } from '../../contracts/provider-version.ts';
import { AUTHORIZATION_SERVER, type ProviderNames, RESOURCE_API } from '../../contracts/providers.ts';
import type { PactOutcome, PactStanding, Verification } from '../../contracts/verify/outcome.ts';
import type { WantedPact } from '../../contracts/verify/sort-out.ts';
import { UsageError } from '../../input/usage-error.ts';
import type { RunTrouble, TargetSummary } from '../../report/results.ts';
import type { SecretRegistry } from '../../secrets/registry.ts';
import { suiteVersion } from '../suite-version.ts';
import { targetWords } from './target-words.ts';
import { observedBranch, readSeenRun } from './version.ts';

/** What was asked about a broker. */
export interface BrokerRequest {
  /** Else `PACT_BROKER_BASE_URL`. */
  readonly brokerBaseUrl: string | undefined;
  /** Addresses of pacts at the broker, as a webhook hands them over; then nothing is selected. */
  readonly pactUrls: readonly string[];
  /** One consumer alone; undefined: all. */
  readonly consumer: string | undefined;
  /** The version, or branch, of that consumer whose pacts alone count. A branch without a consumer is one more selector. */
  readonly consumerVersion: string | undefined;
  readonly consumerBranch: string | undefined;
  /** In place of main branches and what is deployed or released. */
  readonly selectors: readonly string[];
  /** Work in progress since this day is verified too. */
  readonly wipSince: string | undefined;
  /** Whether the broker is told what came of the pacts. */
  readonly publish: boolean;
  /**
   * The provider's version, the results of a `check` that it is derived from, or the environment whose recorded version it is:
   * one of them to publish. Version and environment together: the version is expected to be the recorded one.
   */
  readonly version: string | undefined;
  readonly results: string | undefined;
  readonly deployedIn: string | undefined;
  /** Which of several installations in the environment. */
  readonly applicationInstance: string | undefined;
  readonly providerBranch: string | undefined;
  readonly buildUrl: string | undefined;
  /** Whether no pact at all is reported, and no trouble: for the job of a service that no consumer has a pact with yet. */
  readonly noPactsYet: boolean;
}

/** What a broker gave to verify. */
export type Taken =
  | {
      readonly pacts: readonly WantedPact[];
      /** Outcomes of what is no pact at all. */
      readonly unreadable: readonly PactOutcome[];
      readonly notes: readonly string[];
    }
  | { readonly trouble: RunTrouble; readonly notes: readonly string[] };

/** Pacts from a broker, and how it is told what came of them. */
export interface BrokerPacts {
  /** Asks for the pacts of both providers; where results are to be published, also whether the credentials may. */
  pacts(): Promise<Taken>;
  /** Publishes what came of each pact, where that was asked for; the lines say what the broker was told. */
  tell(
    verification: Verification,
    secrets: SecretRegistry,
  ): Promise<{ readonly verification: Verification; readonly told: readonly string[] }>;
}

/**
 * Reads what was asked about a broker. Nothing is sent yet.
 *
 * @param target what is to be verified: results of another one say nothing about its version
 * @throws UsageError, NoProviderVersion
 */
export function takeFromBroker(
  request: BrokerRequest,
  names: ProviderNames,
  target: TargetSummary,
): BrokerPacts {
  const broker = new Broker(brokerAccess(process.env, request.brokerBaseUrl));
  const asked: Asked = {
    broker,
    request,
    providers: [...new Set([names.auth ?? AUTHORIZATION_SERVER, names.api ?? RESOURCE_API])],
    providerBranch: request.providerBranch ?? observedBranch(request.deployedIn),
    selectors: selectorsOf(request),
    version: request.publish ? versionOf(request, target) : undefined,
  };
  let found: readonly VerifiablePact[] = [];
  const versions = new Map<string, string>();
  return {
    async pacts() {
      try {
        const { pacts, notes } = await wantedPacts(asked);
        found = pacts.map(({ pact }) => pact);
        const counted = pacts.flatMap(({ pact, standing }) => (standing === 'beside' ? [] : [pact]));
        if (request.publish) await readyToPublish(asked, counted, versions);
        if (pacts.some(({ standing }) => standing !== 'beside') || (pacts.length === 0 && request.noPactsYet))
          return { pacts: pacts.flatMap(readable), unreadable: pacts.flatMap(unreadable), notes };
        return { trouble: { kind: 'inconclusive', message: nothingToVerify(asked) }, notes };
      } catch (error) {
        return { trouble: troubleIn(error), notes: [] };
      }
    },
    async tell(verification, secrets) {
      if (!request.publish) return { verification, told: [] };
      const suite = {
        providerBranch: asked.providerBranch,
        buildUrl: request.buildUrl ?? buildUrlHere(),
        suiteVersion: await suiteVersion(),
      };
      const told: string[] = [];
      const troubles: RunTrouble[] = [];
      for (const outcome of verification.pacts.filter(({ standing }) => standing !== 'beside')) {
        const pact = found.find(({ source }) => source === outcome.source);
        const version = versions.get(outcome.provider);
        if (pact === undefined || version === undefined) continue;
        try {
          const verifier = { ...suite, providerVersion: version };
          const answer = await publishVerification(broker, pact, outcome, verifier, secrets);
          told.push(TOLD[answer](outcome, version));
          if (answer === 'leak') troubles.push({ kind: 'broken', message: TOLD.leak(outcome, version) });
        } catch (error) {
          troubles.push(troubleIn(error));
        }
      }
      return { verification: { ...verification, troubles: [...verification.troubles, ...troubles] }, told };
    },
  };
}

/** What was asked, read. */
interface Asked {
  readonly broker: Broker;
  readonly request: BrokerRequest;
  readonly providers: readonly string[];
  readonly providerBranch: string;
  readonly selectors: readonly PactSelector[];
  /** Undefined where the broker is to be asked for it. */
  readonly version: string | undefined;
}

type Found = { readonly pact: VerifiablePact; readonly standing: PactStanding };

/** A consumer's pipeline asks about one version of its own; a provider's job about whatever it has to keep. */
async function wantedPacts(asked: Asked): Promise<{ pacts: readonly Found[]; notes: readonly string[] }> {
  const { broker, request } = asked;
  const { consumer, consumerBranch, consumerVersion } = request;
  if (request.pactUrls.length > 0) {
    const pacts = await Promise.all(request.pactUrls.map((address) => pactAt(broker, address)));
    const version = consumerVersion === undefined ? '' : `: version ${consumerVersion}`;
    const branch = consumerBranch === undefined ? '' : ` from branch ${consumerBranch}`;
    const why = [`a webhook asks for it${version}${branch}`];
    return { pacts: pacts.map((pact) => ({ pact: { ...pact, why }, standing: 'counts' })), notes: [] };
  }
  if (consumer !== undefined && (consumerVersion !== undefined || consumerBranch !== undefined))
    return ofConsumer(asked, consumer);
  const notes: string[] = [];
  const pacts: Found[] = [];
  for (const provider of asked.providers) {
    const wanted = await pactsToVerify(broker, provider, { ...asked, wipSince: request.wipSince });
    pacts.push(
      ...wanted.map((pact) => ({
        pact,
        // A consumer that asks about its own pacts wants to know, pending or not.
        standing: pact.pending && consumer === undefined ? ('pending' as const) : ('counts' as const),
      })),
    );
    if (wanted.length === 0) notes.push(`${provider}: no pact to verify yet`);
    if (consumer === undefined) notes.push(...(await leftOut(broker, provider, wanted)));
  }
  return { pacts, notes };
}

/** The pacts of the version that was asked about count; the others of the consumer are reported. */
async function ofConsumer(asked: Asked, consumer: string) {
  const { broker, request, providers } = asked;
  const { consumerVersion, consumerBranch } = request;
  const pacts: Found[] = [];
  const ofVersion =
    consumerVersion === undefined ? undefined : await pactsOfVersion(broker, consumer, consumerVersion);
  for (const provider of providers) {
    const own =
      ofVersion?.filter((pact) => pact.provider === provider) ??
      (await pactsToVerify(broker, provider, {
        ...asked,
        selectors: [{ consumer, branch: consumerBranch ?? '' }],
        wipSince: undefined,
      }));
    pacts.push(...own.map((pact) => ({ pact, standing: 'counts' as const })));
    const known = new Set(own.map(contentOf));
    const all = await pactsToVerify(broker, provider, { ...asked, wipSince: undefined });
    const others = all.filter((pact) => !known.has(contentOf(pact)));
    pacts.push(...others.map((pact) => ({ pact, standing: 'beside' as const })));
  }
  return { pacts, notes: [] };
}

/** The digest of a pact's content, out of the address for its results: several versions may share one. */
function contentOf({ resultsAddress }: VerifiablePact): string {
  return /\/pact-version\/([^/]+)/.exec(resultsAddress)?.[1] ?? resultsAddress;
}

/** Finds out before anything is sent to the target what publishing would fail on. */
async function readyToPublish(
  { broker, request, version }: Asked,
  pacts: readonly VerifiablePact[],
  versions: Map<string, string>,
): Promise<void> {
  const [first] = pacts;
  if (first !== undefined) await broker.requireWriting(first.resultsAddress);
  const { deployedIn, applicationInstance } = request;
  for (const provider of new Set(pacts.map((pact) => pact.provider))) {
    if (deployedIn === undefined) {
      versions.set(provider, version ?? '');
      continue;
    }
    const recorded = await deployedVersion(broker, provider, deployedIn, applicationInstance);
    if (version !== undefined && version !== recorded) {
      const message = `${deployedIn} holds ${provider} ${recorded}, and not ${version}: that version could not be evaluated here`;
      throw new BrokerFailed({ kind: 'unknown', message });
    }
    versions.set(provider, recorded);
  }
}

function readable({ pact, standing }: Found): readonly WantedPact[] {
  const read = attempt(pact);
  return typeof read === 'string' ? [] : [{ pact: read, standing, why: pact.why }];
}

/** A pact of the broker's that is none (it takes `{}`, and messages): what came of it is known already. */
function unreadable({ pact, standing }: Found): readonly PactOutcome[] {
  const problem = attempt(pact);
  if (typeof problem !== 'string') return [];
  const { source, consumer, provider, why } = pact;
  return [
    {
      ...{ source, consumer, provider, standing, why, warnings: [] },
      interactions: [
        {
          description: 'the pact as a whole',
          states: [],
          result: 'failed',
          pending: false,
          reasons: [problem],
          mismatches: [{ description: problem }],
          durationMs: 0,
        },
      ],
    },
  ];
}

function attempt({ text, source }: VerifiablePact) {
  try {
    return readPact(text, source);
  } catch (error) {
    if (!(error instanceof PactRefused)) throw error;
    return error.message;
  }
}

function nothingToVerify({ broker, providers, request }: Asked): string {
  const { consumer, consumerBranch, consumerVersion } = request;
  const whose = consumer === undefined ? '' : ` of ${consumer}`;
  const which =
    consumerVersion !== undefined
      ? ` ${consumerVersion}`
      : consumerBranch === undefined
        ? ''
        : ` from branch ${consumerBranch}`;
  return `the broker at ${broker.url} has no pact${whose}${which} to verify for ${providers.join(' and ')}: publish one first, select others (--consumer-version-selector, --include-wip-pacts-since), or check the names`;
}

const TOLD: Readonly<Record<Told, (outcome: PactOutcome, version: string) => string>> = {
  published: ({ consumer, provider }, version) => `${consumer}: published for ${provider} ${version}`,
  'not-run': ({ consumer, provider }) =>
    `${consumer}: nothing is published for ${provider}: not every interaction could be evaluated`,
  leak: ({ consumer, provider }) =>
    `${consumer}: nothing is published for ${provider}: it would have held a secret; this is a bug of the suite`,
};

/** @throws UsageError */
function selectorsOf({ selectors, consumer, consumerBranch }: BrokerRequest): readonly PactSelector[] {
  const read = selectors.flatMap(readSelectors);
  const branch = consumerBranch === undefined || consumer !== undefined ? [] : [{ branch: consumerBranch }];
  const all = [...(read.length === 0 ? DEFAULT_SELECTORS : read), ...branch];
  return consumer === undefined ? all : all.map((selector) => ({ consumer, ...selector }));
}

/** @returns undefined where the broker is to be asked for it */
function versionOf(
  { version, results, deployedIn }: BrokerRequest,
  target: TargetSummary,
): string | undefined {
  const ways = [version ?? deployedIn, results].filter((given) => given !== undefined);
  if (ways.length !== 1) {
    throw new UsageError(
      '--publish: expected the version of the provider, one of --results with the results.json of a `check` of this target, --deployed-in with the environment that it runs in, and --provider-app-version',
    );
  }
  if (results === undefined) {
    if (version?.trim() === '')
      throw new UsageError('--provider-app-version: expected a version, got an empty text');
    return version;
  }
  const run = readSeenRun(results);
  const derived = providerVersionOf(run);
  const [seen, verified] = [targetWords(run.target), targetWords(target)];
  if (seen !== verified) {
    throw new UsageError(
      `--results: ${results} is about ${seen}, but what is verified is ${verified}: check that one`,
    );
  }
  if ((run.target.defects ?? []).length > 0) {
    throw new UsageError(
      `--results: ${results} is about an emulator with defects (${run.target.defects.join(', ')}), of which no result is published`,
    );
  }
  return derived;
}

function buildUrlHere(): string | undefined {
  try {
    return ciBuild(HERE)?.buildUrl || undefined;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function troubleIn(error: unknown): RunTrouble {
  if (!(error instanceof BrokerFailed)) throw error;
  return { kind: 'inconclusive', message: error.message };
}
