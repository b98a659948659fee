import type { DefectId } from '../../../generated/defect-ids.d.ts';
import type { PactOutcome } from '../../contracts/verify/pact-outcome.ts';
import { type KindsOf, requireKinds } from '../../document/input/require-kinds.ts';
import type { RunTrouble } from '../../report/results.ts';
import { EXIT, type RunOutcome } from '../../report/verdict.ts';
import { namedTarget, type ProfileName, type TargetOption } from '../shared/options.ts';
import { whyWithheld } from '../shared/write-files.ts';

/** Options of a verification. Defaults are those of the command line. */
export interface VerifyContractsOptions {
  /** Pacts, or folders of pacts. Default: those of the suite's reference client. */
  readonly pacts?: readonly string[];
  readonly profile?: ProfileName;
  /** The emulator's defects to switch on. */
  readonly defects?: readonly DefectId[];
  /** On a live target: the folder for the list of users that the run assigned. Default: `report/contracts`. */
  readonly report?: string;
  /** Environment for the variables that a configuration names. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborting it ends the verification: own users are unassigned, and the rest did not run. */
  readonly signal?: AbortSignal;
}

/** The result of a verification, as `contracts verify --json` prints it. */
export interface ContractResults {
  readonly verdict: RunOutcome['verdict'];
  readonly exitCode: RunOutcome['exitCode'];
  /** The reasons of the verdict; empty if every pact verified. */
  readonly because: readonly string[];
  readonly pacts: readonly PactOutcome[];
  readonly troubles: readonly RunTrouble[];
  /** Findings about the target beside the pacts, one sentence each. They affect no verdict. */
  readonly alsoSeen: readonly string[];
}

const KINDS: KindsOf<VerifyContractsOptions> = {
  pacts: 'object',
  profile: 'string',
  defects: 'object',
  report: 'string',
  env: 'object',
  signal: 'object',
};

/**
 * Verifies pacts against a target, as `contracts verify` does, without a broker. Prints nothing.
 *
 * @param target `emulator`, the path of a configuration file, or a configuration
 * @returns the result, redacted
 * @throws TypeError for an unknown option; UsageError, ConfigurationError and similar errors before anything is sent
 */
export async function verifyContracts(
  target: TargetOption = 'emulator',
  options: VerifyContractsOptions = {},
): Promise<ContractResults> {
  requireKinds('verifyContracts', options, KINDS);
  const { pacts = [], report = 'report/contracts' } = options;
  const { signal = new AbortController().signal } = options;
  // Loaded only here: a program that verifies no pact starts fast.
  const { verifyAll } = await import('./verify.ts');
  const { verification, outcome, secrets } = await verifyAll('verifyContracts', {
    ...options,
    ...namedTarget(target),
    pacts,
    report,
    broker: undefined,
    json: true,
    silent: true,
    untilInterrupted: (work) => work(signal),
  });
  const { pacts: verified, troubles, alsoSeen = [] } = verification;
  const { verdict, exitCode, because } = outcome;
  const results = secrets.redactAll({ verdict, exitCode, because, pacts: verified, troubles, alsoSeen });
  const message = whyWithheld('the results', JSON.stringify(results), secrets);
  if (message === undefined) return results;
  return {
    verdict: 'broken',
    exitCode: EXIT.broken,
    because: [message],
    pacts: [],
    troubles: [{ kind: 'broken', message }],
    alsoSeen: [],
  };
}
