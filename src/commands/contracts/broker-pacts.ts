import { brokerAccess } from '../../contracts/broker/access.ts';
import { ciBuild, HERE } from '../../contracts/broker/build.ts';
import {
  type PactSelection,
  selectorsOf,
  selectPacts,
  type VerifiablePact,
} from '../../contracts/broker/for-verification.ts';
import { Broker } from '../../contracts/broker/hal-client.ts';
import { BrokerFailed } from '../../contracts/broker/hal-resource.ts';
import { type PublishOutcome, publishVerification, type Verifier } from '../../contracts/broker/publish.ts';
import { readPact } from '../../contracts/pact/read-pact.ts';
import { providerVersionOf } from '../../contracts/provider-version.ts';
import { AUTHORIZATION_SERVER, RESOURCE_API } from '../../contracts/providers.ts';
import type { Verification, WantedPact } from '../../contracts/verify/outcome.ts';
import type { PactOutcome } from '../../contracts/verify/pact-outcome.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import type { RunTrouble, TargetSummary } from '../../report/results.ts';
import { suiteVersion } from '../shared/own-package.ts';
import { readCheckResults } from '../shared/read-results.ts';

/** Which pacts of a broker to verify, and what to publish. */
export interface BrokerRequest extends Omit<PactSelection, 'providerVersionBranch'> {
  readonly providerVersionBranch: string | undefined;
  readonly publish: boolean;
  /** To publish, give the provider's version or the results of a `check`. */
  readonly providerAppVersion: string | undefined;
  readonly results: string | undefined;
}

/** A verification, with what to say about it. */
export interface Verified {
  readonly verification: Verification;
  readonly notices: readonly string[];
  /** Version of the provider to publish under. */
  readonly providerVersion?: string | undefined;
}

/** Fetches the pacts of both providers, verifies them, and publishes the results if the request says so. */
export async function verifyBrokerPacts(
  request: BrokerRequest,
  target: TargetSummary,
  secrets: SecretRegistry,
  verify: (wanted: readonly WantedPact[]) => Promise<Verification>,
): Promise<Verified> {
  const broker = new Broker(brokerAccess(process.env));
  const selection: PactSelection = {
    ...request,
    provider: request.provider.length === 0 ? [AUTHORIZATION_SERVER, RESOURCE_API] : request.provider,
    providerVersionBranch: request.providerVersionBranch ?? 'observed',
  };
  selectorsOf(selection);
  const { version: providerVersion, underivable } = request.publish ? versionOf(request, target) : {};
  const without = (message: string, notices: readonly string[] = []): Verified => ({
    verification: { pacts: [], troubles: [{ kind: 'inconclusive', message }] },
    notices,
    providerVersion,
  });
  if (underivable !== undefined) return without(underivable);
  let selected: Awaited<ReturnType<typeof selectPacts>>;
  let wanted: readonly WantedPact[];
  try {
    selected = await selectPacts(broker, selection);
    const [first] = selected.pacts;
    if (first === undefined) return without(nothingToVerify(broker, selection), selected.notes);
    // Before anything is verified, the credentials must be able to publish.
    if (request.publish) await broker.requireWriting(first.resultsAddress);
    wanted = selected.pacts.map(({ pending, why, ...pact }) => ({
      pact: readPact(pact.text, pact.source, pact),
      standing: pending ? 'pending' : 'counts',
      why,
    }));
  } catch (error) {
    return without(troubleIn(error).message);
  }
  const { alsoSeen = [], ...verification } = await verify(wanted);
  const verifier = providerVersion && {
    providerVersion,
    providerBranch: selection.providerVersionBranch,
    buildUrl: ciBuild(HERE)?.buildUrl || undefined,
    suiteVersion: suiteVersion(),
  };
  const published = verifier
    ? await publishAll(broker, selected.pacts, verification.pacts, verifier, secrets)
    : { notices: [], troubles: [] };
  return {
    verification: { ...verification, troubles: [...verification.troubles, ...published.troubles] },
    notices: [...selected.notes, ...published.notices, ...alsoSeen],
    providerVersion,
  };
}

/** Publishes the result of each pact. One that cannot be published stops no other. */
async function publishAll(
  broker: Broker,
  pacts: readonly VerifiablePact[],
  outcomes: readonly PactOutcome[],
  verifier: Verifier,
  secrets: SecretRegistry,
): Promise<{ readonly notices: readonly string[]; readonly troubles: readonly RunTrouble[] }> {
  const notices: string[] = [];
  const troubles: RunTrouble[] = [];
  for (const outcome of outcomes) {
    const pact = pacts.find(({ source }) => source === outcome.source);
    if (pact === undefined) continue;
    try {
      const answer = await publishVerification(broker, pact, outcome, verifier, secrets);
      const message = PUBLISH_LINES[answer](outcome, verifier.providerVersion);
      notices.push(message);
      if (answer === 'leak') troubles.push({ kind: 'broken', message });
    } catch (error) {
      troubles.push(troubleIn(error));
    }
  }
  return { notices, troubles };
}

function nothingToVerify(broker: Broker, selection: PactSelection): string {
  const { consumer, consumerAppVersion, provider } = selection;
  const whose = consumer === undefined ? '' : ` of ${consumer}`;
  const which = consumerAppVersion === undefined ? '' : ` ${consumerAppVersion}`;
  return `the broker at ${broker.url} has no pact${whose}${which} to verify for ${provider.join(' and ')}: publish one first, select others (--consumer-version-selector, --include-wip-pacts-since), or give the provider's name in the pacts (--provider)`;
}

const PUBLISH_LINES: Readonly<Record<PublishOutcome, (outcome: PactOutcome, version: string) => string>> = {
  published: ({ consumer, provider }, version) => `${consumer}: published for ${provider} ${version}`,
  'not-run': ({ consumer, provider }) =>
    `${consumer}: nothing is published for ${provider}: not every interaction could be evaluated`,
  leak: ({ consumer, provider }) =>
    `${consumer}: nothing is published for ${provider}: it would have held a secret; this is a bug of the suite`,
};

function versionOf(
  { providerAppVersion: version, results }: BrokerRequest,
  target: TargetSummary,
): { readonly version?: string | undefined; readonly underivable?: string } {
  if ((version === undefined) === (results === undefined)) {
    throw new UsageError(
      '--publish: expected the version of the provider. Add one of --results with the results.json of a `check` of this target, and --provider-app-version',
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
  if (run.target.defects.length > 0) {
    throw new UsageError(
      `--results: ${results} is about an emulator with defects (${run.target.defects.join(', ')}), of which no result is published`,
    );
  }
  return providerVersionOf(run);
}

function troubleIn(error: unknown): RunTrouble {
  if (!(error instanceof BrokerFailed)) throw error;
  return { kind: 'inconclusive', message: error.message };
}

/**
 * Identifies a live target by its addresses, because names may repeat, and an emulator by its profile, because its
 * addresses change in every run.
 */
function targetText({ kind, name, authUrl, baseUrl }: TargetSummary): string {
  return kind === 'emulator' ? `the emulator (profile ${name})` : `${authUrl} and ${baseUrl}`;
}

/** Returns the first and last line of the output of verbs that write to a broker. */
export function targetLine(target: TargetSummary): string {
  const { kind, name } = target;
  return `target: ${kind === 'emulator' ? '' : `${name}, `}${targetText(target)}`;
}
