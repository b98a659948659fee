import { join } from 'node:path';
import { brokerAccess } from '../../contracts/broker/access.ts';
import { environmentNamed, recordDeployment } from '../../contracts/broker/deployments.ts';
import { pactsToVerify, requireNoPact } from '../../contracts/broker/for-verification.ts';
import { Broker } from '../../contracts/broker/hal-client.ts';
import { DEFAULT_SELECTORS, readSelectors } from '../../contracts/broker/selectors.ts';
import { BrokerFailed } from '../../contracts/broker/trouble.ts';
import { NoProviderVersion, providerVersionOf } from '../../contracts/provider-version.ts';
import { AUTHORIZATION_SERVER, type ProviderNames, RESOURCE_API } from '../../contracts/providers.ts';
import { UsageError } from '../../input/usage-error.ts';
import { printable } from '../../report/printable.ts';
import { EXIT, type ExitCode, worst } from '../../report/verdict.ts';
import { checkTarget } from '../check-target.ts';
import { describeTarget } from '../prepare.ts';
import { print } from '../print.ts';
import { verifyContracts } from '../verify-contracts.ts';
import type { BrokerRequest } from './take-pacts.ts';
import { targetLine } from './target-words.ts';
import { observedBranch, readSeenRun } from './version.ts';

/** What was asked of `contracts provider`. */
export interface ProviderJobRequest {
  /** `emulator`, or the path of a configuration file. */
  readonly target: string;
  readonly profile: string;
  readonly names: ProviderNames;
  /** Where the target runs, in the broker's words. */
  readonly environment: string;
  readonly applicationInstance: string | undefined;
  /** Folder of the report of `check`. */
  readonly report: string;
  /** The results.json of a check of this target that was made already; undefined: it is checked. */
  readonly results: string | undefined;
  readonly knownDeviations: string | undefined;
  readonly waitExpiry: boolean;
  readonly broker: Pick<
    BrokerRequest,
    'brokerBaseUrl' | 'selectors' | 'wipSince' | 'providerBranch' | 'buildUrl'
  >;
  readonly signal: AbortSignal;
}

/**
 * The job of a service: checks it, verifies the consumers' pacts, publishes the results under the version that the check
 * derives, and records that version for the environment. In that order, so that at no moment the environment holds a
 * version of which nothing was verified; and to the end, so that the broker learns it when the service breaks.
 *
 * @returns the worst of the exit codes
 * @throws UsageError before anything is sent, when something about the request is wrong
 */
export async function runProviderJob(request: ProviderJobRequest): Promise<ExitCode> {
  const { names, environment, broker } = request;
  const providers = [...new Set([names.auth ?? AUTHORIZATION_SERVER, names.api ?? RESOURCE_API])];
  const providerBranch = broker.providerBranch ?? observedBranch(environment);
  const { summary } = await describeTarget({ ...request, defects: [] });
  process.stdout.write(`${printable(targetLine(summary))}\n`);
  const exitCode = await steps(request, providers, providerBranch);
  process.stdout.write(`${printable(targetLine(summary))}\n`);
  return exitCode;
}

async function steps(
  request: ProviderJobRequest,
  providers: readonly string[],
  providerBranch: string,
): Promise<ExitCode> {
  const { target, profile, names, environment, report, broker } = request;
  const unready = await ready(request, providers, providerBranch);
  if (unready !== undefined) return ended(unready, EXIT.inconclusive);

  if (request.results === undefined) heading('Check: what does the service do?');
  const checked =
    request.results === undefined
      ? await checkTarget({ ...request, defects: [], report, proposeDeviations: undefined })
      : EXIT.conforms;
  if (checked === EXIT.usage) return checked;
  const results = request.results ?? join(report, 'results.json');
  const noVersion = whyNoVersion(results, request.results === undefined);
  if (noVersion !== undefined)
    return ended(
      `${noVersion}. Nothing was verified, published or recorded`,
      worst([checked, EXIT.inconclusive]),
    );

  heading('Verify the pacts, and publish what came of them');
  const verified = await verifyContracts({
    target,
    profile,
    defects: [],
    report,
    names,
    json: false,
    untilInterrupted: (work) => work(request.signal),
    pacts: [],
    broker: {
      ...broker,
      providerBranch,
      pactUrls: [],
      consumer: undefined,
      consumerVersion: undefined,
      consumerBranch: undefined,
      publish: true,
      version: undefined,
      results,
      deployedIn: undefined,
      applicationInstance: undefined,
      noPactsYet: true,
    },
  });
  if (verified === EXIT.broken || verified === EXIT.usage)
    return ended('nothing was recorded: the verification did not come to an end', worst([checked, verified]));

  heading(`Record what runs in ${environment}`);
  const version = providerVersionOf(readSeenRun(results));
  const recorded = await record(request, providers, version, providerBranch);
  return worst([checked, verified, recorded]);
}

async function record(
  { environment, applicationInstance: instance, broker: { brokerBaseUrl } }: ProviderJobRequest,
  providers: readonly string[],
  version: string,
  branch: string,
): Promise<ExitCode> {
  const broker = new Broker(brokerAccess(process.env, brokerBaseUrl));
  try {
    for (const provider of providers) {
      await recordDeployment(broker, { provider, version, branch, environment, instance });
      const where = `${environment}${instance === undefined ? '' : ` (${instance})`}`;
      print(`recorded: ${provider} ${version} is deployed to ${where}\n`);
    }
    return EXIT.conforms;
  } catch (error) {
    if (error instanceof BrokerFailed) return ended(error.message, EXIT.inconclusive);
    throw error;
  }
}

/** What of the broker would stop the job at its end, found out before anything is sent to the target. */
async function ready(
  { broker: { brokerBaseUrl, selectors: selected, wipSince }, environment }: ProviderJobRequest,
  providers: readonly string[],
  providerBranch: string,
): Promise<string | undefined> {
  const broker = new Broker(brokerAccess(process.env, brokerBaseUrl));
  try {
    await environmentNamed(broker, environment);
    const selectors = selected.length === 0 ? DEFAULT_SELECTORS : selected.flatMap(readSelectors);
    const lists = await Promise.all(
      providers.map(async (provider) => {
        const pacts = await pactsToVerify(broker, provider, { selectors, providerBranch, wipSince });
        if (pacts.length === 0) await requireNoPact(broker, provider);
        return pacts;
      }),
    );
    const [pact] = lists.flat();
    await broker.requireWriting(pact?.resultsAddress ?? (await broker.link('pb:pacticipants')));
    return undefined;
  } catch (error) {
    if (error instanceof BrokerFailed) return `${error.message}. Nothing was sent to the service`;
    throw error;
  }
}

/** @param made whether the check was made here: then a report that is not there was withheld, and the check has said why */
function whyNoVersion(results: string, made: boolean): string | undefined {
  try {
    providerVersionOf(readSeenRun(results));
    return undefined;
  } catch (error) {
    if (error instanceof NoProviderVersion || (made && error instanceof UsageError)) return error.message;
    throw error;
  }
}

function heading(text: string): void {
  process.stdout.write(`\n== ${text}\n\n`);
}

function ended(why: string, exitCode: ExitCode): ExitCode {
  process.stderr.write(`${printable(why)}\n`);
  return exitCode;
}
