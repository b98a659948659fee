import { UsageError } from '../cli/usage-error.ts';
import { brokerAccess } from '../contracts/broker/access.ts';
import { deployedVersion } from '../contracts/broker/deployed-versions.ts';
import { BrokerFailed } from '../contracts/broker/hal-client.ts';
import {
  pactsToVerify,
  publishVerification,
  type Told,
  type VerifiablePact,
} from '../contracts/broker/verification.ts';
import type { Pact } from '../contracts/pact/pact.ts';
import { readPact } from '../contracts/pact/read-pact.ts';
import { providerVersionOf } from '../contracts/provider-version.ts';
import { AUTHORIZATION_SERVER, type ProviderNames, RESOURCE_API } from '../contracts/providers.ts';
import type { PactOutcome, Verification } from '../contracts/verify/outcome.ts';
import type { RunTrouble, TargetSummary } from '../report/results.ts';
import type { SecretRegistry } from '../secrets/registry.ts';
import { readSeenRun } from './broker.ts';
import { suiteVersion } from './suite-version.ts';

/** What was asked about a broker. */
export interface BrokerRequest {
  /** Else `PACT_BROKER_BASE_URL`. */
  readonly brokerBaseUrl: string | undefined;
  /** One consumer alone; undefined: all. */
  readonly consumer: string | undefined;
  /** A branch whose pacts are wanted too, besides those of main branches and of what is deployed. */
  readonly consumerBranch: string | undefined;
  /** Whether the broker is told what came of the pacts. */
  readonly publish: boolean;
  /**
   * The provider's version, the results of a `check` that it is derived from, or the environment whose version it is, as the
   * broker was told; one of them to publish.
   */
  readonly versionNumber: string | undefined;
  readonly results: string | undefined;
  readonly deployedIn: string | undefined;
  readonly providerBranch: string | undefined;
  readonly buildUrl: string | undefined;
}

/** Pacts from a broker, and how it is told what came of them. */
export interface BrokerPacts {
  /** Asks for the pacts of both providers. */
  pacts(): Promise<{ readonly pacts: readonly Pact[] } | { readonly trouble: RunTrouble }>;
  /** Publishes what came of each pact, where that was asked for; the lines say what the broker was told. */
  tell(
    verification: Verification,
    secrets: SecretRegistry,
  ): Promise<{ readonly verification: Verification; readonly told: readonly string[] }>;
}

/**
 * Reads what was asked about a broker. Nothing is sent yet.
 *
 * @param target who is to be verified: results of another one say nothing about its version
 * @throws UsageError, BrokerUsage, NoProviderVersion
 */
export function takeFromBroker(
  request: BrokerRequest,
  names: ProviderNames,
  target: Pick<TargetSummary, 'kind' | 'name'>,
): BrokerPacts {
  const access = brokerAccess(process.env, request.brokerBaseUrl);
  const providerVersion = request.publish ? versionOf(request, target) : undefined;
  const providers = new Set([names.auth ?? AUTHORIZATION_SERVER, names.api ?? RESOURCE_API]);
  const found = new Map<string, VerifiablePact>();
  const versions = new Map<string, string>();
  return {
    async pacts() {
      try {
        for (const provider of providers) {
          const { consumer, consumerBranch } = request;
          const pacts = await pactsToVerify(access, provider, { consumer, consumerBranch });
          for (const pact of pacts) found.set(pact.source, pact);
          if (pacts.length > 0 && request.publish) {
            const { deployedIn } = request;
            const known = providerVersion ?? (await deployedVersion(access, provider, deployedIn ?? ''));
            versions.set(provider, known);
          }
        }
      } catch (error) {
        return { trouble: troubleIn(error) };
      }
      if (found.size > 0)
        return { pacts: [...found.values()].map(({ text, source }) => readPact(text, source)) };
      const message = `the broker has no pact to verify for ${[...providers].join(' and ')}: publish one first, from a main branch, or see the names`;
      return { trouble: { kind: 'inconclusive', message } };
    },
    async tell(verification, secrets) {
      if (!request.publish) return { verification, told: [] };
      const { providerBranch, buildUrl } = request;
      const suite = { providerBranch, buildUrl, suiteVersion: await suiteVersion() };
      const told: string[] = [];
      const troubles: RunTrouble[] = [];
      for (const outcome of verification.pacts) {
        const pact = found.get(outcome.source);
        const version = versions.get(outcome.provider);
        if (pact === undefined || version === undefined) continue;
        const verifier = { ...suite, providerVersion: version };
        try {
          const answer = await publishVerification(access, pact, outcome, verifier, secrets);
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

const TOLD: Readonly<Record<Told, (outcome: PactOutcome, version: string) => string>> = {
  published: ({ consumer, provider }, version) => `${consumer}: published for ${provider} ${version}`,
  'not-run': ({ consumer, provider }) =>
    `${consumer}: nothing is published for ${provider}, for not every interaction could be judged`,
  leak: ({ consumer, provider }) =>
    `${consumer}: nothing is published for ${provider}, for it would have held a secret; this is a bug of the suite`,
};

/** @returns undefined where the broker is to be asked for it */
function versionOf(
  { versionNumber, results, deployedIn }: BrokerRequest,
  target: Pick<TargetSummary, 'kind' | 'name'>,
): string | undefined {
  if ([versionNumber, results, deployedIn].filter((given) => given !== undefined).length !== 1) {
    throw new UsageError(
      '--publish: expected the version of the provider, one of --results with the results.json of a `check` of this target, --deployed-in with the environment that it runs in, and --version-number',
    );
  }
  if (deployedIn !== undefined) return undefined;
  if (results === undefined) {
    const version = versionNumber?.trim() ?? '';
    if (version !== '') return version;
    throw new UsageError('--version-number: expected a version, got an empty text');
  }
  const run = readSeenRun(results);
  const version = providerVersionOf(run);
  const { target: seen } = run;
  if (seen.kind === target.kind && seen.name === target.name) return version;
  throw new UsageError(
    `--results: ${results} is about ${seen.name} (${seen.kind}), but ${target.name} (${target.kind}) is verified: check that one`,
  );
}

function troubleIn(error: unknown): RunTrouble {
  if (!(error instanceof BrokerFailed)) throw error;
  return { kind: 'inconclusive', message: error.message };
}
