import { resolve } from 'node:path';
import { UsageError } from '../../document/input/usage-error.ts';
import { CollectedRun } from '../../evaluation/run/collected-run.ts';
import { exploreEmulator } from '../../evaluation/run/exploring.ts';
import { runChecks } from '../../evaluation/run/run-checks.ts';
import type { ExitCode } from '../../report/verdict.ts';
import { connectingLive } from '../shared/connection.ts';
import { reportRun } from '../shared/report-results.ts';
import { runOfExploration } from '../shared/run-of.ts';
import { risksFrom } from '../shared/selection.ts';
import { resolveTarget, type TargetRequest } from '../shared/target.ts';
import { withinBudget } from '../shared/time-limits.ts';
import { requireReportFolder } from '../shared/write-files.ts';
import type { ExploreOptions } from './options.ts';
import { explorePlan } from './plan.ts';

/** The options of `explore`. */
export interface ExploreRequest extends ExploreOptions, TargetRequest {
  readonly strict: boolean;
  readonly risks: readonly string[];
  readonly report: string;
  readonly json: boolean;
  readonly signal: AbortSignal;
}

/**
 * The verb `explore`. Returns its exit code.
 *
 * @throws UsageError, ConfigurationError before anything is sent
 */
export async function exploreTarget(request: ExploreRequest): Promise<ExitCode> {
  const { signal, report, strict } = request;
  const { configuration, choice, summary } = await resolveTarget(request);
  const live = configuration !== undefined;
  const risks = risksFrom(request.risks, !live);
  const plan = explorePlan(request, configuration, risks.has('revokes'));
  if (plan === undefined)
    throw new UsageError(
      '--requests: expected a number on a live target, such as --requests 300, because exploring changes data there; got none',
    );
  requireReportFolder(report);
  const startedAt = new Date();
  let collected = new CollectedRun();
  if (live) {
    const { done, late } = await withinBudget(configuration, { signal }, (stop) =>
      runChecks({ ...choice, report: resolve(report), explore: plan }, [], {
        workers: 1,
        listener: {},
        connectTo: connectingLive(),
        signal: stop,
      }),
    );
    collected = done;
    for (const trouble of late) collected.trouble(trouble);
  } else {
    const { explored, seen } = await exploreEmulator(choice, plan, collected.secrets, signal);
    collected.explored(explored);
    if (seen !== undefined) collected.note(seen);
  }
  const run = runOfExploration(collected, {
    strict,
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
    intended: summary,
  });
  const { secrets } = collected;
  return (await reportRun({ run, secrets }, request)).exitCode;
}
