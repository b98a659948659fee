import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from '../../document/input/usage-error.ts';
import type { WholeProfile } from '../../emulator/policy/profile.ts';
import { CHECKS } from '../../evaluation/checks/index.ts';
import type { Check } from '../../evaluation/language/check.ts';
import type { RunPlan } from '../../evaluation/run/prepare-target.ts';
import { SMOKE_CHECKS } from '../../evaluation/run/smoke-checks.ts';
import { openPointsObserver } from '../../record/observe/observe.ts';
import type { ListedDeviation } from '../../report/policy.ts';
import type { TargetSummary } from '../../report/results.ts';
import type { Configuration } from '../../service/configuration/configuration.ts';
import { DRILL_VARIABLE } from '../../service/open-target.ts';
import { explorePlan } from '../explore/plan.ts';
import { loadKnownDeviations, requireNoSuchFile } from '../shared/known-deviations.ts';
import type { Unchecked } from '../shared/options.ts';
import { suiteVersion } from '../shared/own-package.ts';
import { frozenProfile, readProfile } from '../shared/read-profile.ts';
import type { ReportOptions } from '../shared/report-results.ts';
import { risksFrom, type Selection, selectRequirements, withoutCarelessChecks } from '../shared/selection.ts';
import { type ResolvedTarget, resolveTarget, type TargetRequest } from '../shared/target.ts';
import { requireReportFolder, requireWritableFile } from '../shared/write-files.ts';
import { budgetProblem } from './forecast.ts';
import { type History, loadHistory } from './history.ts';
import type { CheckOptions } from './options.ts';

/** All that a caller may write. A program writes {@link CheckOptions}; the command line has a report and a history, besides. */
export interface CheckRequest
  extends Unchecked<CheckOptions>,
    Pick<TargetRequest, 'target' | 'given'>,
    Partial<ReportOptions> {
  /** File for the failures of this run, as known deviations to agree on. */
  readonly proposeDeviations?: string | undefined;
  /** File of earlier results. With it, failed checks run a second time. */
  readonly history?: string | undefined;
}

/** A check whose options and files are read: nothing is left to refuse. */
export interface ResolvedCheck {
  readonly selection: Selection;
  readonly checks: readonly Check[];
  readonly plan: RunPlan;
  /** Number of emulators in parallel; 1 for a live target. */
  readonly workers: number;
  readonly checkDeadlineMs: number;
  readonly intended: TargetSummary;
  /** Absent for the emulator. */
  readonly configuration: Configuration | undefined;
  readonly frozen: WholeProfile | undefined;
  /** The emulator follows the frozen profile itself. */
  readonly onItself: boolean;
  readonly known: readonly ListedDeviation[];
  readonly strict: boolean;
  /** Absent without a history, and for a drill, whose results are not the service's. */
  readonly history: History | undefined;
}

/** Timeout of one check in milliseconds. Live targets are paced and need more. */
export const CHECK_DEADLINE_MS = { emulator: 60_000, live: 600_000 } as const;

/**
 * Resolves the options of a check, once. Sends nothing.
 *
 * @throws UsageError, ConfigurationError and similar errors: exit 2
 */
export async function resolveCheck(request: CheckRequest): Promise<ResolvedCheck> {
  const { target, only = [], env = process.env, report, strict = false } = request;
  refuseUnwritable(request);
  const whole = selectRequirements(request.smoke ? smokeChecks(request) : only);
  const resolved = await resolveTarget(request);
  const { configuration, choice, summary } = resolved;
  const live = configuration !== undefined;
  const selection = configuration?.care === 'careful' ? withoutCarelessChecks(whole, only) : whole;
  const tooMuch = configuration && budgetProblem(configuration, selection.ids);
  if (tooMuch !== undefined) throw new UsageError(`${target}: ${tooMuch}`);
  const { workers = live ? 1 : availableParallelism() } = request;
  if (live && workers > 1) throw new UsageError(`--workers: expected 1 on a live target, got ${workers}`);
  const { frozen, onItself } = await comparedProfile(request, resolved);
  // An aspect that needs time is always allowed: it needs a clock, or `waitExpiry`.
  const risks = new Set([
    ...risksFrom(request.risks ?? [], !live, ['none', 'refusals', 'revokes']),
    'slow' as const,
  ]);
  const known = loadKnownDeviations(request.knownDeviations, target);
  // A partial run is not explored unless the user asks.
  const { explore = selection.selection === 'complete' ? undefined : 0 } = request;
  const exploration = explorePlan(
    { ...request, explore },
    configuration,
    risks.has('revokes'),
    suiteVersion(),
  );
  const drill = Boolean(env[DRILL_VARIABLE]);
  const history =
    request.history === undefined || drill
      ? undefined
      : loadHistory(request.history, summary.name, request.smoke ? 'smoke' : 'complete');
  if (report !== undefined) requireReportFolder(report);
  if (request.proposeDeviations !== undefined)
    requireWritableFile('--propose-deviations', request.proposeDeviations);
  return {
    selection,
    checks: CHECKS.filter(({ id }) => selection.ids.includes(id)),
    plan: {
      ...choice,
      drill,
      waitExpiry: request.waitExpiry,
      smoke: request.smoke,
      report: report && resolve(report),
      observe: frozen && openPointsObserver(risks),
      explore: exploration,
    },
    workers,
    checkDeadlineMs: CHECK_DEADLINE_MS[summary.kind],
    intended: summary,
    configuration,
    frozen,
    onItself,
    known,
    strict,
    history,
  };
}

/** Reads the profile of `--like`, and finds out if it is the emulator's own. */
async function comparedProfile({ like }: CheckRequest, { configuration, choice }: ResolvedTarget) {
  if (like === undefined) return { frozen: undefined, onItself: false };
  const frozen = await frozenProfile('--like', like);
  const isAnother = configuration !== undefined || frozen.digest === undefined;
  const own = isAnother ? undefined : await readProfile('--profile', choice.profile);
  return { frozen, onItself: own !== undefined && own.digest === frozen.digest };
}

/** Refuses files that this check could not write, as far as its target does not matter. */
function refuseUnwritable({ only = [], history, proposeDeviations }: CheckRequest): void {
  requireNoSuchFile(proposeDeviations);
  if (history === undefined) return;
  if (only.length > 0) throw new UsageError('--history: expected a whole run, or --smoke; leave --only out');
  requireWritableFile('--history', history);
}

function smokeChecks(request: CheckRequest): readonly string[] {
  const { target, only = [], like, explore = 0, replay, waitExpiry } = request;
  if (target === 'emulator') throw new UsageError('--smoke: expected a live target (--target FILE)');
  if (only.length > 0) throw new UsageError('--smoke: chooses its own checks, so it excludes --only');
  const more = { '--like': like, '--explore': explore > 0, '--replay': replay, '--wait-expiry': waitExpiry };
  for (const [option, value] of Object.entries(more)) {
    if (value) throw new UsageError(`--smoke: one flow with few requests, so it excludes ${option}`);
  }
  return SMOKE_CHECKS;
}
