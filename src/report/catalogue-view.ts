import type { Level, RequirementResult, Results } from './results.ts';
import { ofKind, rootOfBlock } from './verdict.ts';

export interface RequirementView {
  readonly id: string;
  readonly statement: string;
  readonly level: Level;
  readonly clauses: readonly string[];
  /** Only at level `standard`: `RFC 6749 4.1.2`. */
  readonly rfc?: string;
  readonly needs?: readonly string[];
  /** The damage to a client when it is broken. Absent for recorded answers. */
  readonly why?: string;
  /** The requests that the suite sends, and the values that it compares. */
  readonly how?: string;
}

interface ClauseView {
  readonly clause: string;
  readonly title: string;
  readonly requirements: readonly RequirementView[];
}

export interface OpenPointView {
  readonly id: string;
  readonly number: number;
  readonly question: string;
  readonly aspects?: readonly { readonly name: string; readonly question: string }[];
}

export interface CatalogueView {
  readonly clauses: readonly ClauseView[];
  readonly openPoints: readonly OpenPointView[];
}

export interface ResultRow {
  readonly result: RequirementResult;
  readonly requirement?: RequirementView;
}

export interface ClauseRows {
  readonly clause: string;
  readonly title: string;
  readonly rows: readonly ResultRow[];
  readonly unselected: readonly RequirementView[];
}

/**
 * Joins results and catalogue in the catalogue's order. Unknown results come last, under their own clause, so that no
 * result is missing from a report.
 */
export function rowsByClause(results: Results, view: CatalogueView): readonly ClauseRows[] {
  const frozen = results.requirements.filter(({ level }) => level === 'frozen');
  const pending = new Map(
    results.requirements.filter(({ level }) => level !== 'frozen').map((result) => [result.id, result]),
  );
  const known = view.clauses.map(({ clause, title, requirements }) => {
    const rows: ResultRow[] = [];
    const unselected: RequirementView[] = [];
    for (const requirement of requirements) {
      const result = pending.get(requirement.id);
      if (result === undefined) unselected.push(requirement);
      else rows.push({ result, requirement });
      pending.delete(requirement.id);
    }
    return { clause, title, rows, unselected };
  });
  const unknown = Map.groupBy(pending.values(), ({ clause }) => clause);
  return [
    ...known,
    ...[...unknown].map(([clause, rest]) => ({
      clause,
      title: 'not in the catalogue',
      rows: rest.map((result) => ({ result })),
      unselected: [],
    })),
    ...frozenRows(frozen, results, view),
  ];
}

export function frozenId(openPoint: string, aspect: string): string {
  return `${openPoint}.${aspect.replaceAll('.', '-')}`;
}

function frozenRows(
  frozen: readonly RequirementResult[],
  { like }: Results,
  { openPoints }: CatalogueView,
): readonly ClauseRows[] {
  if (frozen.length === 0) return [];
  const questions = new Map(
    openPoints.flatMap(({ id, aspects = [] }) =>
      aspects.map(({ name, question }) => [frozenId(id, name), question] as const),
    ),
  );
  const rows = frozen.map((result): ResultRow => {
    const { id, clause, level } = result;
    const statement = `Answers as recorded: ${questions.get(id) ?? id}`;
    return { result, requirement: { id, statement, level, clauses: [clause] } };
  });
  return [
    {
      clause: 'frozen',
      title: `the open points, like ${like?.name ?? 'the recorded profile'}`,
      rows,
      unselected: [],
    },
  ];
}

/** Results by their common cause. */
export type ByCause = readonly (readonly [cause: string, results: readonly RequirementResult[]])[];

/** Groups blocked results by the first requirement of their chain, because one cause explains more than forty results. */
export function blockedByRoot(results: readonly RequirementResult[]): ByCause {
  const byId = new Map(results.map((result) => [result.id, result]));
  const cause = (blocked: RequirementResult) =>
    rootOfBlock(blocked.id, byId)?.id ?? blocked.blockedBy ?? blocked.reason;
  return [...Map.groupBy(ofKind(results, 'blocked'), cause)];
}

export function byReason(results: readonly RequirementResult[], kind: 'not-run' | 'not-applicable'): ByCause {
  return [...Map.groupBy(ofKind(results, kind), ({ reason }) => reason)];
}
