import type { RequirementId } from '../../generated/ids.ts';
import type { Catalogue } from '../catalogue/types.ts';
import type { CollectedRun } from '../checks/run/collected-run.ts';
import { exploredSequences } from '../checks/run/explored.ts';
import { toEvidence } from '../exchange/to-evidence.ts';
import type { Run } from '../report/assemble.ts';
import type { Fact } from '../report/facts.ts';
import type { Observation, RequirementResult, RunTrouble, TargetSummary } from '../report/results.ts';
import { type Draft, resultsOf } from '../report/results-of.ts';
import type { Selection } from './selection.ts';

export interface RunFrame {
  readonly suiteVersion: string;
  readonly strict: boolean;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly intended: TargetSummary;
}

/** The run as a document: one result for every selected requirement, by the rules on what it noted. */
export function composeRun(
  catalogue: Catalogue,
  selection: Selection,
  collected: CollectedRun,
  troubles: readonly RunTrouble[],
  frame: RunFrame,
): Run {
  const draft = evaluated(catalogue, selection.ids, collected);
  return {
    suiteVersion: frame.suiteVersion,
    catalogueDigest: catalogue.digest,
    selection: selection.partial ? 'partial' : 'complete',
    strict: frame.strict,
    startedAt: frame.startedAt.toISOString(),
    durationMs: frame.durationMs,
    target: collected.target ?? frame.intended,
    ...draft,
    observations: distinct(collected.outcomes.flatMap((outcome) => outcome.observations)),
    troubles: [...draft.troubles, ...troubles],
    findings: [],
    retirement: collected.found.retirement,
    used: collected.found.used,
    ...notSelected(catalogue, selection.ids, collected),
    ...explorationOf(catalogue, selection.ids, collected),
  };
}

/** Returns the violations and warnings that a partial run shows outside the selected part. */
function notSelected(
  catalogue: Catalogue,
  ids: readonly RequirementId[],
  collected: CollectedRun,
): Pick<Run, 'notSelected'> {
  const selected = new Set<string>(ids);
  const others = catalogue.requirements.filter(({ id }) => !selected.has(id));
  const passed = others.map(({ id, clause, level }): RequirementResult => {
    return { id, clause, level, result: 'pass', reason: '', durationMs: 0, evidence: [] };
  });
  const broken = evaluated(catalogue, ids, collected, passed).requirements.filter(
    ({ id, result }) => !selected.has(id) && (result === 'fail' || result === 'warning'),
  );
  return broken.length === 0 ? {} : { notSelected: broken.map(({ id, reason }) => `${id}: ${reason}`) };
}

/**
 * The results of requirements, and what is to be said of the run as a whole, by the rules on what it noted.
 *
 * @param others results of requirements without a check in this run
 */
export function evaluated(
  catalogue: Catalogue,
  ids: readonly RequirementId[],
  collected: CollectedRun,
  others: readonly RequirementResult[] = [],
  facts: readonly Fact[] = collected.facts,
): Draft {
  const { secrets, everyExchange, troubles } = collected;
  const bodyView = everyExchange.find((lane) => lane.bodyView !== undefined)?.bodyView;
  return resultsOf(
    {
      requirements: [...ids.map((id) => notRun(catalogue, id, collected)), ...others],
      troubles,
      leftBehind: leftBehind(collected),
    },
    facts,
    {
      levelOf: (id) => catalogue.requirement(id).level,
      evidenceOf: (exchanges) =>
        toEvidence(
          exchanges.map((exchange) => ({ kind: 'exchange', exchange })),
          secrets,
          bodyView,
        ),
      redact: (text) => secrets.redact(text),
      shared: collected.target?.kind === 'live',
    },
  );
}

export function explorationOf(
  catalogue: Catalogue,
  ids: readonly RequirementId[],
  collected: CollectedRun,
  others: readonly RequirementResult[] = [],
): Pick<Run, 'exploration'> {
  const { exploration, facts } = collected;
  if (exploration === undefined) return {};
  const { seed, requests, steps } = exploration;
  const without = facts.filter(({ kind }) => kind !== 'explored');
  const { requirements } = evaluated(catalogue, ids, collected, others, without);
  const findings = exploredSequences(requirements, exploration, catalogue);
  return { exploration: { seed, requests, steps, findings } };
}

function notRun(catalogue: Catalogue, id: RequirementId, collected: CollectedRun): RequirementResult {
  const { clause, level } = catalogue.requirement(id);
  const reason = collected.found.ended ?? 'the check was not started';
  return { id, clause, level, result: 'not-run', reason, durationMs: 0, evidence: [] };
}

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

function leftBehind({ target, outcomes }: CollectedRun): readonly string[] {
  if (target?.kind !== 'live' || outcomes.length === 0) return [];
  const codes = target.grants.page + target.grants.cookies;
  if (codes === 0) return [];
  return [`the owner's consent to the application`, `tokens from up to ${codes} authorization codes`];
}
