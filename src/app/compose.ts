import type { RequirementId } from '../../generated/ids.ts';
import type { Catalogue } from '../catalogue/types.ts';
import type { Run } from '../report/assemble.ts';
import type { Observation, RequirementResult, RunTrouble, TargetSummary } from '../report/results.ts';
import type { CollectedRun } from './run-conformance.ts';
import type { Selection } from './selection.ts';

/** What a run is described by besides what its processes said. */
export interface RunFrame {
  readonly suiteVersion: string;
  readonly strict: boolean;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Who was meant to be checked, where no worker came far enough to say it. */
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
  return {
    suiteVersion: frame.suiteVersion,
    catalogueDigest: catalogue.digest,
    selection: selection.partial ? 'partial' : 'complete',
    strict: frame.strict,
    startedAt: frame.startedAt.toISOString(),
    durationMs: frame.durationMs,
    target: collected.target ?? frame.intended,
    requirements: selection.ids.map((id) => collected.results.get(id) ?? notRun(catalogue, id, collected)),
    observations: distinct(collected.observations),
    troubles: [...collected.troubles, ...troubles],
    findings: [],
    leftBehind: leftBehind(collected),
    retirement: collected.retirement,
    used: collected.used,
  };
}

function notRun(catalogue: Catalogue, id: RequirementId, collected: CollectedRun): RequirementResult {
  const { clause, level } = catalogue.requirement(id);
  const reason = collected.notFinished.get(id) ?? 'the check was not started';
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

function leftBehind({ target, results }: CollectedRun): readonly string[] {
  if (target?.kind !== 'live' || results.size === 0) return [];
  const codes = target.grants.page + target.grants.cookies;
  if (codes === 0) return [];
  return [`the owner's consent to the application`, `tokens from up to ${codes} authorization codes`];
}
