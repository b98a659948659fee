import { resolve } from 'node:path';
import type { RequirementId } from '../../generated/ids.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import type { Catalogue } from '../catalogue/types.ts';
import { CollectedRun } from '../checks/run/collected-run.ts';
import { type ExplorePlan, exploreEmulator } from '../checks/run/exploring.ts';
import { runChecks } from '../checks/run/run-checks.ts';
import type { Configuration } from '../config/configuration.ts';
import { UsageError } from '../input/usage-error.ts';
import { withAdoption } from '../report/adoption.ts';
import type { RequirementResult } from '../report/results.ts';
import type { ExitCode } from '../report/verdict.ts';
import { type Adoption, adoptionOf, agesIn } from './adoption.ts';
import { type CheckedTarget, connectingLive, limitOf } from './check.ts';
import type { ExploreOptions } from './check-options.ts';
import { tellRun } from './check-target.ts';
import { evaluated, explorationOf } from './compose.ts';
import { explorePlan } from './explore-plan.ts';
import { risksFrom } from './observe-request.ts';
import { describeTarget, type IntendedTarget } from './prepare.ts';
import { suiteVersion } from './suite-version.ts';
import { requireWritableFolder } from './write-whole.ts';

export interface ExploreRequest extends ExploreOptions {
  readonly target: string;
  readonly profile: string;
  readonly defects: readonly string[];
  readonly strict: boolean;
  readonly risks: readonly string[];
  readonly report: string;
  readonly json: boolean;
  readonly signal: AbortSignal;
}

export async function exploreTarget(request: ExploreRequest): Promise<ExitCode> {
  const intended = await describeTarget(request);
  const { configuration } = intended;
  const version = await suiteVersion();
  const adoption = adoptionOf(loadCatalogue(), request.target, configuration?.adopted, version);
  const live = configuration !== undefined;
  const risks = risksFrom('--risk', request.risks, !live);
  const plan = explorePlan(request, configuration, risks.has('revokes'));
  if (plan === undefined)
    throw new UsageError('--requests: expected a number on a live target; nothing is explored there unasked');
  requireWritableFolder('--report', request.report);
  const startedAt = new Date();
  const collected = live
    ? await exploredLive(request, configuration, plan)
    : await exploredEmulator(request, intended, plan);
  return (await tellRun(await composed(request, intended, collected, startedAt, adoption), request)).exitCode;
}

async function exploredEmulator(
  { defects, signal }: ExploreRequest,
  { profile }: IntendedTarget,
  plan: ExplorePlan,
): Promise<CollectedRun> {
  const run = new CollectedRun();
  const { explored, seen } = await exploreEmulator(
    { target: 'emulator', profile, defects },
    plan,
    run.secrets,
    signal,
  );
  run.explored(explored);
  if (seen !== undefined) run.monitored(seen);
  return run;
}

async function exploredLive(
  { target, profile, report, signal }: ExploreRequest,
  configuration: Configuration,
  plan: ExplorePlan,
): Promise<CollectedRun> {
  const limit = limitOf(configuration, { signal });
  const { connectTo, end } = await connectingLive(configuration, {});
  try {
    const live = { file: resolve(target) };
    const choice = { target: live, profile, defects: [], report: resolve(report), explore: plan };
    const options = { lanes: 1, listener: {}, connectTo, signal: limit.signal };
    return await runChecks(choice, [], options);
  } finally {
    limit.end();
    await end();
  }
}

async function composed(
  { strict }: ExploreRequest,
  { summary }: IntendedTarget,
  collected: CollectedRun,
  startedAt: Date,
  adoption: Adoption,
): Promise<CheckedTarget> {
  const catalogue = loadCatalogue();
  const own = withExamples(catalogue, collected);
  const { target, found, secrets } = collected;
  const run: CheckedTarget['run'] = {
    suiteVersion: await suiteVersion(),
    catalogueDigest: catalogue.digest,
    selection: 'partial',
    strict,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    target: target ?? summary,
    ...evaluated(catalogue, [], collected, own),
    observations: [],
    findings: [],
    retirement: found.retirement,
    used: found.used,
    ...explorationOf(catalogue, [], collected, own),
  };
  return { run: withAdoption(run, agesIn(catalogue, adoption)), secrets, catalogue };
}

function withExamples(
  catalogue: Catalogue,
  { everyExchange, exploration }: CollectedRun,
): readonly RequirementResult[] {
  const met = new Set<RequirementId>([
    ...everyExchange.flatMap(({ examples }) => [...examples.keys()]),
    ...(exploration?.findings ?? []).map(({ id }) => id),
  ]);
  return catalogue.requirements
    .filter(({ id }) => met.has(id))
    .map(({ id, clause, level }) => ({
      id,
      clause,
      level,
      result: 'pass',
      reason: '',
      durationMs: 0,
      evidence: [],
    }));
}
