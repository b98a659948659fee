import type { DefectId } from '../../../generated/defect-ids.d.ts';
import { type KindsOf, requireKinds } from '../../document/input/require-kinds.ts';
import type { Profile } from '../../document/profiles/profile.ts';
import type { Risk } from '../../document/types.ts';
import type { RunOutcome } from '../../report/verdict.ts';
import { namedTarget, type ProfileName, type TargetOption } from '../shared/options.ts';
import { concludeObservation, runObservation } from './run.ts';

/** Options of an observation. Defaults are those of the command line. */
export interface ObserveOptions {
  readonly profile?: ProfileName;
  /** The emulator's defects to switch on. */
  readonly defects?: readonly DefectId[];
  /** Accepted risks on a live target. */
  readonly risks?: readonly Exclude<Risk, 'slow'>[];
  /** Open points. Default: all. */
  readonly probes?: readonly string[];
  /** On a live target without a clock: wait until tokens expire, 7200 seconds. */
  readonly waitExpiry?: boolean;
  /** On a live target: the folder for the list of users that the run assigned. Default: `report/observe`. */
  readonly report?: string;
  /** Environment for the variables that a configuration names. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborting it ends the run: own users are unassigned, and there is no profile. */
  readonly signal?: AbortSignal;
}

/** The result of an observation. */
export interface ObserveResults extends Pick<RunOutcome, 'verdict' | 'exitCode' | 'because'> {
  /** The answers to the open points, as `observe` writes them; absent after a trouble. */
  readonly profile?: Profile;
  /** Findings of the monitor about requirements. They affect no exit code. */
  readonly alsoSeen: readonly string[];
}

const KINDS: KindsOf<ObserveOptions> = {
  profile: 'string',
  defects: 'object',
  risks: 'object',
  probes: 'object',
  waitExpiry: 'boolean',
  report: 'string',
  env: 'object',
  signal: 'object',
};

/**
 * Records the answers of a target where the document is silent, as `observe` does. Prints nothing, and writes no profile.
 *
 * @param target `emulator`, the path of a configuration file, or a configuration
 * @throws TypeError for an unknown option; UsageError, ConfigurationError before anything is sent
 */
export async function observe(
  target: TargetOption = 'emulator',
  options: ObserveOptions = {},
): Promise<ObserveResults> {
  requireKinds('observe', options, KINDS);
  const observed = await runObservation({
    report: 'report/observe',
    ...options,
    ...namedTarget(target),
    quiet: true,
  });
  const { record, troubles, seen, secrets } = observed;
  const { verdict, exitCode, because } = concludeObservation(observed, troubles);
  const profile = troubles.length === 0 ? record?.profile : undefined;
  return { verdict, exitCode, because, profile, alsoSeen: seen.map((text) => secrets.redact(text)) };
}
