import { join } from 'node:path';
import { brokerAccess } from '../../contracts/broker/access.ts';
import { environmentNamed, recordDeployment } from '../../contracts/broker/deployments.ts';
import { pactsToVerify, requireNoPact } from '../../contracts/broker/for-verification.ts';
import { Broker } from '../../contracts/broker/hal-client.ts';
import { BrokerFailed } from '../../contracts/broker/hal-resource.ts';
import { NoProviderVersion, providerVersionOf } from '../../contracts/provider-version.ts';
import type { ProviderNames } from '../../contracts/providers.ts';
import { UsageError } from '../../input/usage-error.ts';
import { EXIT, type ExitCode, worst } from '../../report/verdict.ts';
import { checkTarget } from '../check-target.ts';
import { describeTarget } from '../prepare.ts';
import { print, printError } from '../print.ts';
import { verifyContracts } from '../verify-contracts.ts';
import { type BrokerRequest, providersOf } from './broker-pacts.ts';
import { observedBranch, readCheckResults, targetLine } from './published-target.ts';
import { selectorsOf } from './select-pacts.ts';

export interface ProviderJobRequest {
  readonly target: string;
  readonly profile: string;
  readonly names: ProviderNames;
  readonly environment: string;
  readonly applicationInstance: string | undefined;
  readonly report: string;
  readonly results: string | undefined;
  readonly knownDeviations: string | undefined;
  readonly waitExpiry: boolean;
  readonly broker: Pick<
    BrokerRequest,
    'brokerBaseUrl' | 'selectors' | 'wipSince' | 'noPending' | 'providerBranch' | 'buildUrl'
  >;
  readonly signal: AbortSignal;
}

/**
 * The job of a service: checks it, verifies the consumers' pacts, publishes the results under the derived version, and records
 * that version for the environment. In that order, so that no environment holds a version without results. Never stops early, so
 * that the broker learns of a broken service.
 *
 * @returns the worst of the exit codes
 * @throws UsageError before anything is sent
 */
export async function runProviderJob(request: ProviderJobRequest): Promise<ExitCode> {
  const { summary } = await describeTarget({ ...request, defects: [] });
  print(`${targetLine(summary)}\n`);
  const exitCode = await steps(request);
  print(`${targetLine(summary)}\n`);
  return exitCode;
}

async function steps(request: ProviderJobRequest): Promise<ExitCode> {
  const { target, profile, names, environment, applicationInstance, report, broker, signal } = request;
  const providerBranch = broker.providerBranch ?? observedBranch(environment);
  const unready = await whyUnready(request, providerBranch);
  if (unready !== undefined) return ended(`${unready}. Nothing was sent to the service`, EXIT.inconclusive);

  const made = request.results === undefined;
  if (made) heading('Check the service');
  const checked = made
    ? await checkTarget({ ...request, defects: [], report, proposeDeviations: undefined })
    : EXIT.conforms;
  if (checked === EXIT.usage) return checked;
  const results = request.results ?? join(report, 'results.json');
  const derived = versionFrom(results, made);
  if ('why' in derived)
    return ended(
      `${derived.why}. Nothing was verified, published or recorded`,
      worst([checked, EXIT.inconclusive]),
    );

  heading('Verify the pacts, and publish the results');
  const { exitCode: verified, published } = await verifyContracts({
    ...{ target, profile, defects: [], report, names, json: false, pacts: [] },
    untilInterrupted: (work) => work(signal),
    broker: {
      ...broker,
      ...{ providerBranch, pactUrls: [], publish: true, results, jobFor: environment },
      ...{ consumer: undefined, consumerVersion: undefined, consumerBranch: undefined },
      ...{ version: undefined, deployedIn: undefined, applicationInstance: undefined },
    },
  });
  if (!published || signal.aborted || verified === EXIT.broken || verified === EXIT.usage) {
    const why = signal.aborted ? 'the job was interrupted' : 'not every pact that counts has a result';
    return ended(`nothing was recorded: ${why}`, worst([checked, verified, EXIT.inconclusive]));
  }

  heading(`Record the deployment in ${environment}`);
  const where = `${environment}${applicationInstance === undefined ? '' : ` (${applicationInstance})`}`;
  const { version } = derived;
  const unrecorded = await whyFailed(async () => {
    const client = new Broker(brokerAccess(process.env, broker.brokerBaseUrl));
    for (const provider of providersOf(names)) {
      const deployment = { provider, version, branch: providerBranch, environment };
      await recordDeployment(client, { ...deployment, instance: applicationInstance });
      print(`recorded: ${provider} ${version} is deployed to ${where}\n`);
    }
  });
  const all = worst([checked, verified]);
  return unrecorded === undefined ? all : ended(unrecorded, worst([all, EXIT.inconclusive]));
}

function whyUnready(
  { broker: asked, environment, names }: ProviderJobRequest,
  providerBranch: string,
): Promise<string | undefined> {
  const broker = new Broker(brokerAccess(process.env, asked.brokerBaseUrl));
  const { wipSince } = asked;
  const selectors = selectorsOf({ ...asked, consumer: undefined, consumerBranch: undefined });
  return whyFailed(async () => {
    await environmentNamed(broker, environment);
    const lists = await Promise.all(
      providersOf(names).map(async (provider) => {
        const pacts = await pactsToVerify(broker, provider, { selectors, providerBranch, wipSince });
        if (pacts.length === 0) await requireNoPact(broker, provider, asked.selectors.length > 0);
        return pacts;
      }),
    );
    const [pact] = lists.flat();
    await broker.requireWriting(pact?.resultsAddress ?? (await broker.link('pb:pacticipants')));
  });
}

async function whyFailed(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof BrokerFailed) return error.message;
    throw error;
  }
}

/** @param made true if this job ran the check: then a missing report was withheld, and the check has said why */
function versionFrom(
  results: string,
  made: boolean,
): { readonly version: string } | { readonly why: string } {
  try {
    return { version: providerVersionOf(readCheckResults(results)) };
  } catch (error) {
    if (error instanceof NoProviderVersion || (made && error instanceof UsageError))
      return { why: error.message };
    throw error;
  }
}

function heading(text: string): void {
  print(`\n== ${text}\n\n`);
}

function ended(why: string, exitCode: ExitCode): ExitCode {
  printError(`${why}\n`);
  return exitCode;
}
