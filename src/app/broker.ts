import { readFileSync } from 'node:fs';
import { UsageError } from '../cli/usage-error.ts';
import { BrokerUsage, brokerAccess } from '../contracts/broker/access.ts';
import type { BrokerAnswer } from '../contracts/broker/answer.ts';
import { type Build, detectBuild } from '../contracts/broker/build.ts';
import { canIDeploy } from '../contracts/broker/can-i-deploy.ts';
import { readPactFiles } from '../contracts/broker/pact-files.ts';
import { publishPacts } from '../contracts/broker/publish.ts';
import { recordDeployment } from '../contracts/broker/record-deployment.ts';
import { NoProviderVersion, providerVersionOf, type SeenRun } from '../contracts/provider-version.ts';
import type { Results } from '../report/results.ts';
import type { ExitCode } from '../report/verdict.ts';

/** What was asked of `contracts publish`. */
export interface PublishRequest {
  readonly paths: readonly string[];
  readonly version: string | undefined;
  readonly branch: string | undefined;
  readonly buildUrl: string | undefined;
  readonly brokerBaseUrl: string | undefined;
}

/** What was asked of `contracts can-i-deploy`. */
export interface CanIDeployRequest extends VersionRequest {
  readonly pacticipant: string;
  readonly toEnvironment: string;
  readonly retryWhileUnknown: number;
  readonly retryInterval: number;
  readonly brokerBaseUrl: string | undefined;
}

/** What was asked of `contracts record-deployment`. */
export interface RecordDeploymentRequest extends VersionRequest {
  readonly pacticipant: string;
  readonly environment: string;
  readonly applicationInstance: string | undefined;
  readonly brokerBaseUrl: string | undefined;
}

/** Where a version comes from: the command line, a run of `check`, or the commit. */
interface VersionRequest {
  readonly version: string | undefined;
  readonly results: string | undefined;
}

/** The verb `contracts publish`. Returns the exit code. @throws UsageError before anything is sent */
export function runPublish(request: PublishRequest): Promise<ExitCode> {
  return answered(request, async () => {
    const access = brokerAccess(process.env, request.brokerBaseUrl);
    const files = readPactFiles(request.paths);
    return publishPacts(access, files, buildOf(request));
  });
}

/** The verb `contracts can-i-deploy`. Returns the exit code. @throws UsageError before anything is sent */
export function runCanIDeploy(request: CanIDeployRequest): Promise<ExitCode> {
  return answered(request, async () =>
    canIDeploy(brokerAccess(process.env, request.brokerBaseUrl), {
      pacticipant: request.pacticipant,
      version: versionOf(request),
      environment: request.toEnvironment,
      retries: request.retryWhileUnknown,
      intervalSeconds: request.retryInterval,
    }),
  );
}

/** The verb `contracts record-deployment`. Returns the exit code. @throws UsageError before anything is sent */
export function runRecordDeployment(request: RecordDeploymentRequest): Promise<ExitCode> {
  return answered(request, async () =>
    recordDeployment(brokerAccess(process.env, request.brokerBaseUrl), {
      pacticipant: request.pacticipant,
      version: versionOf(request),
      environment: request.environment,
      instance: request.applicationInstance,
    }),
  );
}

/** CI systems hand over an unset variable as an empty text, and Pact's program takes a leading hyphen for an option. */
function requireTexts(request: object): void {
  for (const [option, value] of Object.entries(request)) {
    if (typeof value !== 'string' || (value.trim() === value && /^[^-]/.test(value) && !/[\r\n]/.test(value)))
      continue;
    const flag = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(
      `--${flag}: expected a text on one line that begins with no hyphen or blank, got ${JSON.stringify(value)}`,
    );
  }
}

async function answered(request: object, ask: () => Promise<BrokerAnswer>): Promise<ExitCode> {
  requireTexts(request);
  try {
    const { exitCode, lines } = await ask();
    const stream = exitCode === 0 ? process.stdout : process.stderr;
    stream.write(`${lines.join('\n')}\n`);
    return exitCode;
  } catch (error) {
    if (error instanceof BrokerUsage || error instanceof NoProviderVersion)
      throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** What was given goes before what was found; where all that matters was given, nothing is looked for. */
function buildOf({ version, branch, buildUrl }: PublishRequest): Build {
  const found = version === undefined ? detectBuild() : foundBesides(version);
  return { ...found, branch: branch ?? found.branch, buildUrl: buildUrl ?? found.buildUrl };
}

function foundBesides(version: string): Build {
  try {
    return { ...detectBuild(), version };
  } catch {
    return { version };
  }
}

function versionOf({ version, results }: VersionRequest): string {
  if (version !== undefined && results !== undefined)
    throw new UsageError('--version and --results: give one, both say which version');
  if (results !== undefined) return providerVersionOf(readSeenRun(results));
  return version ?? detectBuild().version;
}

/**
 * A `results.json`, as far as it says which version of the provider was seen.
 *
 * @throws UsageError where there is none to be had
 */
export function readSeenRun(file: string): SeenRun & Pick<Results, 'target'> {
  let run: SeenRun & Pick<Results, 'target'>;
  try {
    run = JSON.parse(readFileSync(file, 'utf8')) as typeof run;
  } catch (error) {
    throw new UsageError(`--results: ${file} cannot be read as the results.json of \`check\``, {
      cause: error,
    });
  }
  if (!Array.isArray(run.requirements) || !Array.isArray(run.observations))
    throw new UsageError(`--results: ${file} is not the results.json of \`check\``);
  return run;
}
