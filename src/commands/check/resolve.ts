import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from '../../document/input/usage-error.ts';
import type { WholeProfile } from '../../emulator/profile.ts';
import { CHECKS } from '../../evaluation/checks/index.ts';
import type { Check } from '../../evaluation/language/check.ts';
import { SMOKE_CHECKS } from '../../evaluation/run/lane.ts';
import type { RunPlan } from '../../evaluation/run/prepare-target.ts';
import type { RunOptions } from '../../evaluation/run/run-checks.ts';
import { observingIn } from '../../record/observe/observe.ts';
import type { ListedDeviation } from '../../report/policy.ts';
import type { TargetSummary } from '../../report/results.ts';
import type { Configuration } from '../../service/configuration/configuration.ts';
import { DRILL_VARIABLE } from '../../service/open-target.ts';
import { explorePlan } from '../explore/plan.ts';
import { loadKnownDeviations } from '../shared/known-deviations.ts';
import { suiteVersion } from '../shared/own-package.ts';
import { describeTarget, type TargetRequest } from '../shared/prepare.ts';
import { frozenProfile, readProfile } from '../shared/read-profile.ts';
import { risksFrom, type Selection, select, withoutCarelessChecks } from '../shared/select.ts';
import { budgetProblem } from './forecast.ts';
import type { WrittenOptions } from './options.ts';

/** All that a run of `check` needs to know, from its options and files. */
export interface CheckPlan {
  readonly selection: Selection;
  readonly checks: readonly Check[];
  readonly run: RunPlan;
  readonly limits: Pick<RunOptions, 'lanes' | 'checkDeadlineMs'>;
  readonly intended: TargetSummary;
  /** Absent for the emulator. */
  readonly configuration?: Configuration | undefined;
  readonly frozen: WholeProfile | undefined;
  /** The emulator follows the frozen profile itself. */
  readonly onItself: boolean;
  readonly known: readonly ListedDeviation[];
  readonly strict: boolean;
}

export interface RequestedCheck extends WrittenOptions, Pick<TargetRequest, 'given'> {
  readonly report?: string;
}

/** Timeout of one check in milliseconds. Live targets are paced and need more. */
export const CHECK_DEADLINE_MS = { emulator: 60_000, live: 600_000 } as const;

/**
 * Resolves the options of a check, once. Sends nothing.
 *
 * @throws UsageError, ConfigurationError and similar errors: exit 2
 */
export async function planCheck(target: string, options: RequestedCheck): Promise<CheckPlan> {
  const { profile, defects = [], env = process.env, strict = false } = options;
  const whole = select(wanted(target, options));
  const described = await describeTarget({ target, profile, defects, env, given: options.given });
  const { configuration, choice, summary } = described;
  const selection =
    configuration?.care === 'careful' ? withoutCarelessChecks(whole, options.only ?? []) : whole;
  const tooMuch = configuration && budgetProblem(configuration, selection.ids);
  if (tooMuch !== undefined) throw new UsageError(`${target}: ${tooMuch}`);
  const live = configuration !== undefined;
  if (live && (options.workers ?? 1) > 1)
    throw new UsageError(`--workers: expected 1 on a live target, got ${options.workers}`);
  const frozen = options.like === undefined ? undefined : await frozenProfile('--like', options.like);
  const isOwn = async () => (await readProfile('--profile', choice.profile)).digest === frozen?.digest;
  const onItself = !live && frozen?.digest !== undefined && (await isOwn());
  // An aspect that needs time is always allowed: it needs a clock, or `waitExpiry`.
  const risks = new Set([
    ...risksFrom(options.risks ?? [], !live, ['none', 'refusals', 'revokes']),
    'slow' as const,
  ]);
  const known = loadKnownDeviations(options.knownDeviations, target);
  // A partial run is not explored unless the user asks.
  const unasked = selection.selection === 'complete' ? {} : { explore: 0 };
  const asked = { ...unasked, ...options };
  const explore = explorePlan(asked, configuration, risks.has('revokes'), suiteVersion());
  return {
    selection,
    checks: CHECKS.filter(({ id }) => selection.ids.includes(id)),
    run: {
      ...choice,
      drill: Boolean(env[DRILL_VARIABLE]),
      waitExpiry: options.waitExpiry,
      smoke: options.smoke,
      report: options.report && resolve(options.report),
      observe: frozen && observingIn(risks),
      explore,
    },
    limits: {
      lanes: live ? 1 : (options.workers ?? availableParallelism()),
      checkDeadlineMs: CHECK_DEADLINE_MS[summary.kind],
    },
    intended: summary,
    configuration,
    frozen,
    onItself,
    known,
    strict,
  };
}

function wanted(target: string, options: WrittenOptions): readonly string[] {
  const { only = [], smoke, like, explore = 0, replay, waitExpiry } = options;
  if (!smoke) return only;
  if (target === 'emulator') throw new UsageError('--smoke: expected a live target (--target FILE)');
  if (only.length > 0) throw new UsageError('--smoke: chooses its own checks, so it excludes --only');
  const more = { '--like': like, '--explore': explore > 0, '--replay': replay, '--wait-expiry': waitExpiry };
  for (const [option, value] of Object.entries(more)) {
    if (value) throw new UsageError(`--smoke: one flow with few requests, so it excludes ${option}`);
  }
  return SMOKE_CHECKS;
}
