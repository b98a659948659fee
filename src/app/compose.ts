import type { RequirementId } from '../../generated/ids.ts';
import type { Catalogue } from '../catalogue/types.ts';
import type { CollectedRun } from '../checks/run/collected-run.ts';
import { exploredSequences, withExplored } from '../checks/run/explored.ts';
import { withMonitored } from '../checks/run/monitored.ts';
import type { Run } from '../report/assemble.ts';
import type { Observation, RequirementResult, RunTrouble, TargetSummary } from '../report/results.ts';
import type { Selection } from './selection.ts';

/** What a run is described by besides what was found. */
export interface RunFrame {
  readonly suiteVersion: string;
  readonly strict: boolean;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Who was meant to be checked, where no lane came far enough to say it. */
  readonly intended: TargetSummary;
}

/** The run as a document: one result for every selected requirement, those without one as `not-run`. */
export function composeRun(
  catalogue: Catalogue,
  selection: Selection,
  collected: CollectedRun,
  troubles: readonly RunTrouble[],
  frame: RunFrame,
): Run {
  const own = selection.ids.map((id) => collected.outcome(id)?.result ?? notRun(catalogue, id, collected));
  return {
    suiteVersion: frame.suiteVersion,
    catalogueDigest: catalogue.digest,
    selection: selection.partial ? 'partial' : 'complete',
    strict: frame.strict,
    startedAt: frame.startedAt.toISOString(),
    durationMs: frame.durationMs,
    target: collected.target ?? frame.intended,
    requirements: evaluated(catalogue, own, collected),
    observations: distinct(collected.outcomes.flatMap((outcome) => outcome.observations)),
    troubles: [...collected.troubles, ...troubles],
    findings: [],
    leftBehind: leftBehind(collected),
    retirement: collected.found.retirement,
    used: collected.found.used,
    ...notSelected(catalogue, own, collected),
    ...explorationOf(catalogue, own, collected),
  };
}

/** What a part of a run shows broken beside that part. */
function notSelected(
  catalogue: Catalogue,
  own: readonly RequirementResult[],
  collected: CollectedRun,
): Pick<Run, 'notSelected'> {
  const selected = new Set<string>(own.map(({ id }) => id));
  const others = catalogue.requirements
    .filter(({ id }) => !selected.has(id))
    .map(({ id, clause, level }): RequirementResult => {
      return { id, clause, level, result: 'pass', reason: '', durationMs: 0, evidence: [] };
    });
  const broken = evaluated(catalogue, [...own, ...others], collected).filter(
    ({ id, result }) => !selected.has(id) && (result === 'fail' || result === 'warning'),
  );
  return broken.length === 0 ? {} : { notSelected: broken.map(({ id, reason }) => `${id}: ${reason}`) };
}

/** What the checks came to, with what every exchange of the run and the explored sequences add to it. */
export function evaluated(
  catalogue: Catalogue,
  own: readonly RequirementResult[],
  collected: CollectedRun,
): readonly RequirementResult[] {
  const { secrets } = collected;
  const seen = monitoredResults(catalogue, own, collected);
  const bodyView = collected.everyExchange.find((lane) => lane.bodyView !== undefined)?.bodyView;
  return withExplored(seen, collected.exploration, { catalogue, secrets, bodyView });
}

function monitoredResults(
  catalogue: Catalogue,
  own: readonly RequirementResult[],
  collected: CollectedRun,
): readonly RequirementResult[] {
  const doubtful = collected.target?.kind === 'live' && collected.troubles.length > 0;
  return withMonitored(own, collected.everyExchange, { catalogue, secrets: collected.secrets }, doubtful);
}

/** The explored sequences, where any were. */
export function explorationOf(
  catalogue: Catalogue,
  own: readonly RequirementResult[],
  collected: CollectedRun,
): Pick<Run, 'exploration'> {
  const { exploration } = collected;
  if (exploration === undefined) return {};
  const seen = monitoredResults(catalogue, own, collected);
  const { seed, requests, steps } = exploration;
  return {
    exploration: { seed, requests, steps, findings: exploredSequences(seen, exploration, catalogue) },
  };
}

function notRun(catalogue: Catalogue, id: RequirementId, collected: CollectedRun): RequirementResult {
  const { clause, level } = catalogue.requirement(id);
  const reason = collected.found.ended ?? 'the check was not started';
  return { id, clause, level, result: 'not-run', reason, durationMs: 0, evidence: [] };
}

/** Each answer at an open point once, with the first requirement that saw it. */
function distinct(observations: readonly Observation[]): readonly Observation[] {
  const byAnswer = new Map<string, Observation>();
  for (const o of [...observations].sort((a, b) => a.seenBy.localeCompare(b.seenBy))) {
    const key = JSON.stringify([o.openPoint, o.aspect, o.answer]);
    if (!byAnswer.has(key)) byAnswer.set(key, o);
  }
  return [...byAnswer.values()].sort(
    (a, b) => a.openPoint.localeCompare(b.openPoint) || a.aspect.localeCompare(b.aspect),
  );
}

function leftBehind({ target, outcomes, found }: CollectedRun): readonly string[] {
  if (target?.kind !== 'live' || outcomes.length === 0) return [];
  const codes = target.grants.page + target.grants.cookies;
  const users = found.stayAssigned === undefined ? [] : [found.stayAssigned];
  if (codes === 0) return users;
  return [
    ...users,
    `the owner's consent to the application`,
    `tokens from up to ${codes} authorization codes`,
  ];
}
