import { canIDeploy } from '../../contracts/broker/can-i-deploy.ts';
import {
  createEnvironment,
  createOrUpdatePacticipant,
  deleteBranch,
  type NewEnvironment,
  type PacticipantFacts,
} from '../../contracts/broker/housekeeping.ts';
import { type Placement, record, recordEnd } from '../../contracts/broker/record.ts';
import { UsageError } from '../../input/usage-error.ts';
import { EXIT, type ExitCode } from '../../report/verdict.ts';
import { printError } from '../print.ts';
import { answered, type BrokerVerbRequest } from './answered.ts';
import { observedBranch, type VersionRequest, versionOf } from './version.ts';

/** What was asked of `contracts can-i-deploy`. */
export interface CanIDeployRequest extends BrokerVerbRequest, VersionRequest {
  /** An environment, or a tag; one of both. */
  readonly toEnvironment: string | undefined;
  readonly to: string | undefined;
  readonly retryWhileUnknown: number;
  readonly retryInterval: number;
  /** Whether the exit code is 0 whatever the answer. */
  readonly dryRun: boolean;
}

/** The verb `contracts can-i-deploy`. Returns the exit code. @throws UsageError before anything is sent */
export async function runCanIDeploy(request: CanIDeployRequest): Promise<ExitCode> {
  const { toEnvironment: environment, to: tag } = request;
  if ((environment === undefined) === (tag === undefined))
    throw new UsageError('expected one of --to-environment and --to (a tag): both say where to');
  const exitCode = await answered(request, (broker) =>
    canIDeploy(broker, {
      pacticipant: request.pacticipant,
      version: versionOf(request),
      to: environment === undefined ? { tag: tag ?? '' } : { environment },
      retries: request.retryWhileUnknown,
      intervalSeconds: request.retryInterval,
    }),
  );
  if (!request.dryRun || exitCode === EXIT.conforms) return exitCode;
  printError(`--dry-run: exit 0; without it exit ${exitCode}\n`);
  return EXIT.conforms;
}

/** What was asked of `contracts record-deployment` or `record-release`. */
export interface RecordDeploymentRequest extends BrokerVerbRequest, VersionRequest {
  readonly environment: string;
  readonly applicationInstance: string | undefined;
}

/** The verbs `contracts record-deployment` and `record-release`. Returns the exit code. @throws UsageError before anything is sent */
export function runRecord(placement: Placement, request: RecordDeploymentRequest): Promise<ExitCode> {
  const { pacticipant, environment, applicationInstance: instance, results } = request;
  // Only a version that was derived from a run may be new: any other is a typing error.
  const createOn = results === undefined ? undefined : observedBranch(environment);
  return answered(request, async (broker) =>
    record(broker, placement, { pacticipant, version: versionOf(request), environment, instance, createOn }),
  );
}

/** What was asked of `contracts record-undeployment` or `record-support-ended`. */
export interface RecordEndRequest extends BrokerVerbRequest {
  readonly pacticipant: string;
  readonly environment: string;
  /** Undefined: whatever runs there. */
  readonly version: string | undefined;
  readonly applicationInstance: string | undefined;
}

/** The verbs `contracts record-undeployment` and `record-support-ended`. Returns the exit code. @throws UsageError before anything is sent */
export function runRecordEnd(placement: Placement, request: RecordEndRequest): Promise<ExitCode> {
  const { applicationInstance: instance } = request;
  return answered(request, (broker) => recordEnd(broker, placement, { ...request, instance }));
}

/** The verb `contracts create-environment`. Returns the exit code. @throws UsageError before anything is sent */
export function runCreateEnvironment(request: BrokerVerbRequest & NewEnvironment): Promise<ExitCode> {
  return answered(request, (broker) => createEnvironment(broker, request));
}

/** The verb `contracts create-or-update-pacticipant`. Returns the exit code. @throws UsageError before anything is sent */
export function runCreateOrUpdatePacticipant(
  request: BrokerVerbRequest & PacticipantFacts,
): Promise<ExitCode> {
  const { name, mainBranch, displayName, repositoryUrl } = request;
  return answered(request, (broker) =>
    createOrUpdatePacticipant(broker, { name, mainBranch, displayName, repositoryUrl }),
  );
}

/** The verb `contracts delete-branch`. Returns the exit code. @throws UsageError before anything is sent */
export function runDeleteBranch(
  request: BrokerVerbRequest & { readonly pacticipant: string; readonly branch: string },
): Promise<ExitCode> {
  return answered(request, (broker) => deleteBranch(broker, request.pacticipant, request.branch));
}
