import { resolve } from 'node:path';
import { UsageError } from '../document/input/usage-error.ts';
import { loadCatalogue } from '../document/load-catalogue.ts';
import { CollectedRun } from '../judge/run/collected-run.ts';
import { exploreEmulator } from '../judge/run/exploring.ts';
import type { ExplorePlan } from '../judge/run/prepare-target.ts';
import { runChecks } from '../judge/run/run-checks.ts';
import type { ExitCode } from '../report/verdict.ts';
import type { Configuration } from '../target/configuration/configuration.ts';
import { drillTrouble } from '../target/drill.ts';
import type { TargetChoice } from '../target/open-target.ts';
import { inTime } from './check.ts';
import type { ExploreOptions } from './check-options.ts';
import { reportRun } from './check-target.ts';
import { composeExploration } from './compose.ts';
import { explorePlan } from './explore-plan.ts';
import { suiteVersion } from './own-package.ts';
import { connectingLive, describeTarget, type IntendedTarget, type TargetRequest } from './prepare.ts';
import { risksFrom } from './select.ts';
import { requireReportFolder } from './write-files.ts';

export interface ExploreRequest extends ExploreOptions, TargetRequest {
  readonly strict: boolean;
  readonly risks: readonly string[];
  readonly report: string;
  readonly json: boolean;
  readonly signal: AbortSignal;
}

export async function exploreTarget(request: ExploreRequest): Promise<ExitCode> {
  const intended = await describeTarget(request);
  const { configuration } = intended;
  const version = suiteVersion();
  const catalogue = loadCatalogue();
  const live = configuration !== undefined;
  const risks = risksFrom(request.risks, !live);
  const plan = explorePlan(request, configuration, risks.has('revokes'));
  if (plan === undefined)
    throw new UsageError(
      '--requests: expected a number on a live target, such as --requests 300, because exploring changes data there; got none',
    );
  requireReportFolder(request.report);
  const startedAt = new Date();
  const collected = live
    ? await exploredLive(request, configuration, intended.choice, plan)
    : await exploredEmulator(request, intended, plan);
  for (const trouble of drillTrouble(intended.choice.drill)) collected.trouble(trouble);
  const run = composeExploration(catalogue, collected, {
    suiteVersion: version,
    strict: request.strict,
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
    intended: intended.summary,
  });
  const { secrets } = collected;
  return (await reportRun({ run, secrets }, request)).exitCode;
}

async function exploredEmulator(
  { signal }: ExploreRequest,
  { choice }: IntendedTarget,
  plan: ExplorePlan,
): Promise<CollectedRun> {
  const run = new CollectedRun();
  const { explored, seen } = await exploreEmulator(choice, plan, run.secrets, signal);
  run.explored(explored);
  if (seen !== undefined) run.note(seen);
  return run;
}

async function exploredLive(
  { report, signal }: ExploreRequest,
  configuration: Configuration,
  choice: TargetChoice,
  explore: ExplorePlan,
): Promise<CollectedRun> {
  const { done, late } = await inTime(configuration, { signal }, (stop) =>
    runChecks({ ...choice, report: resolve(report), explore }, [], {
      lanes: 1,
      listener: {},
      connectTo: connectingLive(),
      signal: stop,
    }),
  );
  for (const trouble of late) done.trouble(trouble);
  return done;
}
