import { brokerAccess } from '../../contracts/broker/access.ts';
import { ciBuild, HERE } from '../../contracts/broker/build.ts';
import {
  deployedVersion,
  environmentNamed,
  environmentsWith,
  recordDeployment,
} from '../../contracts/broker/deployments.ts';
import { contentOf, contentsDeployed, requireNoPact } from '../../contracts/broker/for-verification.ts';
import { Broker } from '../../contracts/broker/hal-client.ts';
import { BrokerFailed } from '../../contracts/broker/hal-resource.ts';
import { type PublishOutcome, publishVerification } from '../../contracts/broker/publish.ts';
import { readPact } from '../../contracts/pact/read-pact.ts';
import { NoProviderVersion, providerVersionOf } from '../../contracts/provider-version.ts';
import { AUTHORIZATION_SERVER, type ProviderNames, RESOURCE_API } from '../../contracts/providers.ts';
import {
  type PactOutcome,
  pactVerdict,
  type Verification,
  type WantedPact,
} from '../../contracts/verify/outcome.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import type { RunTrouble, TargetSummary } from '../../report/results.ts';
import { isStamped } from '../../target/drill.ts';
import { suiteVersion } from '../own-package.ts';
import { observedBranch, readCheckResults, targetText } from './published-target.ts';
import { type PactSelection, type SelectedPact, selectorsOf, selectPacts } from './select-pacts.ts';

export interface BrokerRequest extends Omit<PactSelection, 'providers' | 'providerBranch'> {
  readonly brokerBaseUrl: string | undefined;
  readonly providerBranch: string | undefined;
  readonly publish: boolean;
  /**
   * To publish, give one of: the version, the results of a `check`, or the environment. With version and environment,
   * the recorded version must match.
   */
  readonly version: string | undefined;
  readonly results: string | undefined;
  readonly deployedIn: string | undefined;
  readonly applicationInstance: string | undefined;
  readonly buildUrl: string | undefined;
  /**
   * Environment to record the published version in. Then no pact at all is no gap, and deployed pacts that fail are
   * reported.
   */
  readonly recordDeployment: string | undefined;
}

export type Taken = { readonly notes: readonly string[] } & (
  | { readonly pacts: readonly WantedPact[] }
  | { readonly trouble: RunTrouble }
  | { readonly done: string }
);

export interface PublishedVerification {
  readonly verification: Verification;
  readonly notices: readonly string[];
}

export interface BrokerPacts {
  /** Fetches the pacts of both providers. Before publishing, checks that the credentials may publish. */
  pacts(): Promise<Taken>;
  /** Publishes the results. If every pact that counts has one, records the version in the environment. */
  publish(verification: Verification, secrets: SecretRegistry): Promise<PublishedVerification>;
}

export function brokerPacts(
  request: BrokerRequest,
  names: ProviderNames,
  target: TargetSummary,
): BrokerPacts {
  const broker = new Broker(brokerAccess(process.env, request.brokerBaseUrl));
  const selection: PactSelection = {
    ...request,
    providers: providersOf(names),
    providerBranch: request.providerBranch ?? observedBranch(request.deployedIn ?? request.recordDeployment),
  };
  selectorsOf(selection);
  const derived = request.publish ? versionOf(request, target) : {};
  let selected: readonly SelectedPact[] = [];
  const versions = new Map<string, string>();
  return {
    async pacts() {
      if (derived.underivable !== undefined)
        return { trouble: { kind: 'inconclusive', message: derived.underivable }, notes: [] };
      try {
        const { recordDeployment: environment } = request;
        if (environment !== undefined) await environmentNamed(broker, environment);
        const { pacts, notes } = await selectPacts(broker, selection);
        selected = pacts;
        if (environment !== undefined)
          for (const provider of selection.providers)
            if (pacts.every(({ pact }) => pact.provider !== provider))
              await requireNoPact(broker, provider, request.selectors.length > 0);
        const counted = pacts.flatMap(({ pact, standing }) => (standing === 'beside' ? [] : [pact]));
        if (request.publish) {
          const [first] = counted;
          if (first !== undefined) await broker.requireWriting(first.resultsAddress);
          else if (environment !== undefined)
            await broker.requireWriting(await broker.link('pb:pacticipants'));
          for (const provider of new Set(counted.map((pact) => pact.provider))) {
            const found = await versionAt(broker, request, provider, derived.version);
            if ('elsewhere' in found) return { done: found.elsewhere, notes };
            versions.set(provider, found.version);
          }
        }
        if (counted.length > 0)
          return {
            pacts: pacts.map(({ pact, standing }) => ({
              pact: readPact(pact.text, pact.source, pact),
              standing,
              why: pact.why,
            })),
            notes,
          };
        if (pacts.length === 0 && environment !== undefined)
          return { done: 'no consumer has a pact yet, so there is nothing to verify', notes };
        return { trouble: { kind: 'inconclusive', message: nothingToVerify(broker, selection) }, notes };
      } catch (error) {
        return { trouble: troubleIn(error), notes: [] };
      }
    },
    async publish(verification, secrets) {
      if (!request.publish) return { verification, notices: [] };
      const suite = {
        providerBranch: selection.providerBranch,
        buildUrl: request.buildUrl ?? buildUrlHere(),
        suiteVersion: suiteVersion(),
      };
      const notices: string[] = [];
      const troubles: RunTrouble[] = [];
      let complete = true;
      for (const outcome of verification.pacts.filter(({ standing }) => standing !== 'beside')) {
        const pact = selected.find(({ pact: { source } }) => source === outcome.source)?.pact;
        const providerVersion = versions.get(outcome.provider);
        if (pact === undefined || providerVersion === undefined) continue;
        let answer: PublishOutcome | undefined;
        try {
          answer = await publishVerification(broker, pact, outcome, { ...suite, providerVersion }, secrets);
          notices.push(PUBLISH_LINES[answer](outcome, providerVersion));
          if (answer === 'leak')
            troubles.push({ kind: 'broken', message: PUBLISH_LINES.leak(outcome, providerVersion) });
        } catch (error) {
          troubles.push(troubleIn(error));
        }
        complete &&= answer === 'published' || outcome.standing !== 'counts';
      }
      notices.push(...(await deployedAndBroken(broker, request.recordDeployment, selected, verification)));
      complete &&= verification.troubles.length === 0 && troubles.length === 0;
      try {
        notices.push(...(await recorded(broker, request, selection, derived.version, complete)));
      } catch (error) {
        troubles.push(troubleIn(error));
      }
      return {
        verification: { ...verification, troubles: [...verification.troubles, ...troubles] },
        notices,
      };
    },
  };
}

function providersOf({ auth = AUTHORIZATION_SERVER, api = RESOURCE_API }: ProviderNames) {
  return [...new Set([auth, api])];
}

/**
 * Records the version as deployed, after its results: no environment holds a version without results.
 *
 * @throws BrokerFailed
 */
async function recorded(
  broker: Broker,
  { recordDeployment: environment, applicationInstance: instance }: BrokerRequest,
  { providers, providerBranch: branch }: PactSelection,
  version: string | undefined,
  complete: boolean,
): Promise<readonly string[]> {
  if (environment === undefined || version === undefined) return [];
  if (!complete) throw new BrokerFailed('nothing was recorded: not every pact that counts has a result');
  const lines: string[] = [];
  const where = `${environment}${instance === undefined ? '' : ` (${instance})`}`;
  for (const provider of providers) {
    await recordDeployment(broker, { provider, version, branch, environment, instance });
    lines.push(`recorded: ${provider} ${version} is deployed to ${where}`);
  }
  return lines;
}

/** Returns the version to publish under, or a sentence if the provider runs in another environment than the target. */
async function versionAt(
  broker: Broker,
  { deployedIn, applicationInstance }: BrokerRequest,
  provider: string,
  version: string | undefined,
): Promise<{ readonly version: string } | { readonly elsewhere: string }> {
  if (deployedIn === undefined) return { version: version ?? '' };
  const recorded = await deployedVersion(broker, provider, deployedIn, applicationInstance);
  if (version === undefined || version === recorded) return { version: recorded };
  const elsewhere = await environmentsWith(broker, provider, version);
  if (elsewhere.length === 0)
    throw new BrokerFailed(
      `${deployedIn} holds ${provider} ${recorded}, and not ${version}, which no environment holds: the suite could not evaluate it here`,
    );
  return {
    elsewhere: `not this environment: ${provider} ${version} runs in ${elsewhere.join(' and ')}, and ${deployedIn} holds ${recorded}; the job for that environment verifies the pact`,
  };
}

async function deployedAndBroken(
  broker: Broker,
  environment: string | undefined,
  selected: readonly SelectedPact[],
  { pacts }: Verification,
): Promise<readonly string[]> {
  const broken = pacts.filter((pact) => pact.standing === 'pending' && pactVerdict(pact) === 'failed');
  if (environment === undefined || broken.length === 0) return [];
  const lines: string[] = [];
  for (const provider of new Set(broken.map((pact) => pact.provider))) {
    const deployed = await contentsDeployed(broker, provider, environment);
    const found = broken.filter((outcome) => {
      const pact = selected.find(({ pact: { source } }) => source === outcome.source)?.pact;
      return outcome.provider === provider && pact !== undefined && deployed.has(contentOf(pact));
    });
    lines.push(
      ...found.map(
        ({ consumer }) =>
          `${consumer} is deployed to ${environment}, and ${provider} does not satisfy its pact; the pact is pending, so it fails no job (--no-pending makes it count)`,
      ),
    );
  }
  return lines;
}

function nothingToVerify(broker: Broker, selection: PactSelection): string {
  const { consumer, consumerBranch, consumerVersion, providers } = selection;
  const whose = consumer === undefined ? '' : ` of ${consumer}`;
  const ofBranch = consumerBranch === undefined ? '' : ` from branch ${consumerBranch}`;
  const which = consumerVersion === undefined ? ofBranch : ` ${consumerVersion}`;
  return `the broker at ${broker.url} has no pact${whose}${which} to verify for ${providers.join(' and ')}: publish one first, select others (--consumer-version-selector, --include-wip-pacts-since), or give the provider's name (--auth-provider, --api-provider)`;
}

const PUBLISH_LINES: Readonly<Record<PublishOutcome, (outcome: PactOutcome, version: string) => string>> = {
  published: ({ consumer, provider }, version) => `${consumer}: published for ${provider} ${version}`,
  'not-run': ({ consumer, provider }) =>
    `${consumer}: nothing is published for ${provider}: not every interaction could be evaluated`,
  leak: ({ consumer, provider }) =>
    `${consumer}: nothing is published for ${provider}: it would have held a secret; this is a bug of the suite`,
};

function versionOf(
  { version, results, deployedIn }: BrokerRequest,
  target: TargetSummary,
): { readonly version?: string | undefined; readonly underivable?: string } {
  const ways = [version ?? deployedIn, results].filter((given) => given !== undefined);
  if (ways.length !== 1) {
    throw new UsageError(
      '--publish: expected the version of the provider. Add one of --results with the results.json of a `check` of this target, --deployed-in with the environment that it runs in, and --provider-app-version',
    );
  }
  if (results === undefined) {
    if (version?.trim() === '')
      throw new UsageError('--provider-app-version: expected a version, got an empty text');
    return { version };
  }
  const run = readCheckResults(results);
  const [seen, verified] = [targetText(run.target), targetText(target)];
  if (seen !== verified) {
    throw new UsageError(
      `--results: ${results} is about ${seen}, but what is verified is ${verified}: check that one`,
    );
  }
  if (isStamped(run.target.name)) {
    throw new UsageError(`--results: ${results} is of a drill, of which no result is published`);
  }
  if ((run.target.defects ?? []).length > 0) {
    throw new UsageError(
      `--results: ${results} is about an emulator with defects (${run.target.defects.join(', ')}), of which no result is published`,
    );
  }
  try {
    return { version: providerVersionOf(run) };
  } catch (error) {
    if (!(error instanceof NoProviderVersion)) throw error;
    return { underivable: error.message };
  }
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
