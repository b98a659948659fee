import { type KindsOf, requireKinds } from '../../document/input/require-kinds.ts';
import { conclude, type ExitCode, type RunOutcome } from '../../report/verdict.ts';
import { namedTarget, type TargetOption } from '../shared/options.ts';
import { sweepRuns } from './verb.ts';

/** Options of a sweep. Defaults are those of the command line. */
export interface SweepOptions {
  /** Folder of a run's report. Default: every folder below `report` that a run has written. */
  readonly report?: string;
  /** Unassign all own users, also those of a run that is under way. */
  readonly yes?: boolean;
  /** Environment for the variables that the configuration names. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The result of a sweep. */
export interface SweepResults {
  readonly verdict: RunOutcome['verdict'];
  /** 0: own users are unassigned. 1: the service still lists one. 3: users stay assigned and nothing was changed, or no answer. */
  readonly exitCode: ExitCode;
  /** One sentence for each project. */
  readonly lines: readonly string[];
  /** The reasons of another exit code than 0. */
  readonly because: readonly string[];
}

const KINDS: KindsOf<SweepOptions> = { report: 'string', yes: 'boolean', env: 'object' };

/**
 * Unassigns the users that a run has left assigned, as `sweep` does. Prints nothing.
 *
 * @param target the path of a configuration file, or a configuration
 * @throws TypeError for an unknown option; UsageError, ConfigurationError before anything is sent
 */
export async function sweep(
  target: Exclude<TargetOption, 'emulator'>,
  options: SweepOptions = {},
): Promise<SweepResults> {
  requireKinds('sweep', options, KINDS);
  const ended = await sweepRuns({ yes: false, ...options, ...namedTarget(target) });
  const ends = ended.map(({ end, secrets }) => secrets.redactAll(end));
  const { verdict, exitCode, because } = conclude({
    troubles: ends.flatMap(({ troubles = [] }) => troubles),
    violations: ends.flatMap(({ violations = [] }) => violations),
    gaps: ends.flatMap(({ gaps = [] }) => gaps),
    evaluatedCount: Math.min(...ends.map(({ evaluatedCount = 1 }) => evaluatedCount)),
  });
  return { verdict, exitCode, lines: ends.flatMap(({ lines = [] }) => lines), because };
}
