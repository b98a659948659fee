import type { Level, RequirementResult, Results } from './results.ts';

/** One requirement of the catalogue, as far as a report shows it. */
export interface RequirementView {
  readonly id: string;
  /** What must hold, in the project's own words. */
  readonly statement: string;
  readonly level: Level;
  /** Every clause that it follows from, the one it is listed under first. */
  readonly clauses: readonly string[];
  /** Section of the RFC that rules, for level `standard`: `RFC 6749 4.1.2`. */
  readonly rfc?: string;
  /** Abilities that a target must have for it. */
  readonly needs: readonly string[];
  /** Why it matters and how it is checked, one or two sentences each; where a reader asks. */
  readonly explanation?: { readonly why: string; readonly how: string } | undefined;
}

/** One clause and the requirements listed under it. */
export interface ClauseView {
  readonly clause: string;
  readonly title: string;
  readonly requirements: readonly RequirementView[];
}

/** One open point. */
export interface OpenPointView {
  readonly id: string;
  readonly number: number;
  readonly question: string;
  readonly aspects?: readonly { readonly name: string; readonly question: string }[];
}

/** The catalogue as plain data: what reports need to put words beside ids. */
export interface CatalogueView {
  readonly clauses: readonly ClauseView[];
  readonly openPoints: readonly OpenPointView[];
}

/** A result beside the catalogue's words for it; `requirement` is absent when the catalogue does not know the id. */
export interface ResultRow {
  readonly result: RequirementResult;
  readonly requirement?: RequirementView;
}

/** A clause with the results of its requirements, and those that the run left out. */
export interface ClauseRows {
  readonly clause: string;
  readonly title: string;
  readonly rows: readonly ResultRow[];
  readonly unselected: readonly RequirementView[];
}

/**
 * Joins results and catalogue, in the catalogue's order. Results that the catalogue does not know come last, under
 * their own clause: nothing that was judged may go missing from a report.
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

/** Id of the requirement of level `frozen` that an aspect of an open point becomes. */
export function frozenId(openPoint: string, aspect: string): string {
  return `${openPoint}.${aspect.replaceAll('.', '-')}`;
}

/** Open points whose answers were frozen: no clause demands them, so they have a place of their own. */
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
    return { result, requirement: { id, statement, level, clauses: [clause], needs: [] } };
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
