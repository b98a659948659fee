import { type RequirementId, requirementIds } from '../../../generated/ids.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import type { CollectedRun } from '../../evaluation/run/collected-run.ts';
import { exploredSequences } from '../../evaluation/run/exploring.ts';
import { toEvidence } from '../../http/to-evidence.ts';
import type {
  Observation,
  RequirementResult,
  Results,
  RunTrouble,
  TargetSummary,
} from '../../report/results.ts';
import { type Draft, type FactRule, resultsOf } from '../../report/results-of.ts';
import type { Run } from '../../report/verdict.ts';
import { suiteVersion } from './own-package.ts';
import type { Selection } from './selection.ts';

interface RunFrame {
  readonly strict: boolean;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly intended: TargetSummary;
}

/** Composes the run of a selection: one result for every selected requirement, by the rules on facts. */
export function runOfChecks(
  { ids, selection }: Selection,
  collected: CollectedRun,
  troubles: readonly RunTrouble[],
  frame: RunFrame,
): Run {
  const selected = new Set<string>(ids);
  const others = requirementIds.filter((id) => !selected.has(id));
  const draft = evaluateFacts(ids, collected, others);
  return runOf(selection, collected, frame, { ...draft, troubles: [...draft.troubles, ...troubles] });
}

/**
 * @param others requirements without a check in this run
 * @param unchecked result of a requirement about which there is no fact
 */
export function evaluateFacts(
  ids: readonly RequirementId[],
  { secrets, everyExchange, facts, target, found }: CollectedRun,
  others: readonly RequirementId[] = [],
  unchecked: 'pass' | 'not-run' = 'not-run',
  rules?: readonly FactRule[],
): Draft {
  const catalogue = loadCatalogue();
  const bare = (id: RequirementId, result: 'pass' | 'not-run'): RequirementResult => {
    const { clause, level } = catalogue.requirement(id);
    const rest = { id, clause, level, result, durationMs: 0, evidence: [] };
    if (result === 'pass') return { ...rest, reason: '' };
    const { ended } = found;
    return { ...rest, reason: ended ?? 'the check was not started', ...(ended && { cause: 'interrupted' }) };
  };
  const answerView = everyExchange.find((worker) => worker.answerView !== undefined)?.answerView;
  return resultsOf(
    ids.map((id) => bare(id, unchecked)),
    others.map((id) => bare(id, 'pass')),
    facts,
    {
      levelOf: (id) => catalogue.requirement(id).level,
      evidenceOf: (exchanges) =>
        toEvidence(
          exchanges.map((exchange) => ({ kind: 'exchange', exchange })),
          secrets,
          answerView,
        ),
      redact: (text) => secrets.redact(text),
      isLive: target?.kind === 'live',
    },
    rules,
  );
}

/** Composes the run of an exploration: the requirements that its exchanges show. */
export function runOfExploration(collected: CollectedRun, frame: RunFrame): Run {
  const { everyExchange, exploration } = collected;
  const met = new Set<RequirementId>([
    ...everyExchange.flatMap(({ examples }) => [...examples.keys()]),
    ...(exploration?.findings ?? []).map(({ id }) => id),
  ]);
  const ids = requirementIds.filter((id) => met.has(id));
  return runOf('partial', collected, frame, evaluateFacts(ids, collected, [], 'pass'));
}

function runOf(
  selection: Results['selection'],
  collected: CollectedRun,
  { strict, startedAt, durationMs, intended }: RunFrame,
  { requirements, others, troubles, leftBehind, findings, notices, explored }: Draft,
): Run {
  const { secrets, target, outcomes, found, exploration } = collected;
  const broken = others.filter(({ result }) => result === 'fail' || result === 'warning');
  return {
    suiteVersion: suiteVersion(),
    catalogueDigest: loadCatalogue().digest,
    selection,
    strict,
    startedAt: startedAt.toISOString(),
    durationMs,
    target: target ?? intended,
    // A value may have become a secret after the evidence was made.
    ...secrets.redactAll({
      requirements,
      observations: distinct(outcomes.flatMap(({ observations }) => observations)),
      troubles,
      findings,
      ...(notices.length > 0 && { notices }),
      leftBehind: [...leftBehind, ...grantsLeft(collected)],
      retirement: found.retirement,
      used: found.used,
      ...(broken.length > 0 && { notSelected: broken.map(({ id, reason }) => `${id}: ${reason}`) }),
      exploration: exploration && {
        seed: exploration.seed,
        requests: exploration.requests,
        steps: exploration.steps,
        wanted: exploration.wanted,
        findings: exploredSequences(exploration, explored),
      },
    }),
  };
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

function grantsLeft({ target, outcomes }: CollectedRun): readonly string[] {
  if (target?.kind !== 'live' || outcomes.length === 0) return [];
  const codes = target.grants.page + target.grants.cookies;
  if (codes === 0) return [];
  return [`the owner's consent to the application`, `tokens from up to ${codes} authorization codes`];
}
