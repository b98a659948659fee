/** Coverage: each requirement has exactly one check. */
import type { Catalogue, Clause, Level } from './types.ts';

export interface CoverageProblem {
  readonly kind:
    | 'requirement-without-check'
    | 'requirement-with-several-checks'
    | 'check-without-requirement';
  readonly clause?: string;
  readonly subject: string;
  readonly message: string;
}

export interface RequirementCoverage {
  readonly id: string;
  readonly level: Level;
  readonly needs: readonly string[];
  readonly checks: number;
}

export interface ClauseCoverage {
  readonly clause: string;
  readonly title: string;
  readonly requirements: readonly RequirementCoverage[];
  readonly openPoints: readonly string[];
  readonly notes: readonly string[];
  readonly rows: number;
}

export interface Coverage {
  readonly clauses: readonly ClauseCoverage[];
  readonly problems: readonly CoverageProblem[];
}

export type Covered = Pick<Catalogue, 'clauses' | 'openPoints'>;

export function coverage(catalogue: Covered, checks: readonly { readonly id: string }[]): Coverage {
  const counts = new Map<string, number>();
  for (const { id } of checks) counts.set(id, (counts.get(id) ?? 0) + 1);
  return {
    clauses: catalogue.clauses.map((clause) => clauseCoverage(clause, catalogue, counts)),
    problems: checkProblems(catalogue, counts),
  };
}

function clauseCoverage(
  clause: Clause,
  catalogue: Covered,
  counts: ReadonlyMap<string, number>,
): ClauseCoverage {
  const landed = new Set(clause.reading.flatMap((row) => row.lands));
  return {
    clause: clause.clause,
    title: clause.title,
    requirements: clause.requirements.map(({ id, level, needs }) => ({
      id,
      level,
      needs,
      checks: counts.get(id) ?? 0,
    })),
    openPoints: catalogue.openPoints.map((point) => point.id).filter((id) => landed.has(id)),
    notes: clause.notes.map((note) => note.id),
    rows: clause.reading.length,
  };
}

function checkProblems(
  { clauses }: Covered,
  counts: ReadonlyMap<string, number>,
): readonly CoverageProblem[] {
  const problems: CoverageProblem[] = [];
  const known = new Set<string>();
  for (const { clause, slug, requirements } of clauses) {
    for (const { id } of requirements) {
      known.add(id);
      const count = counts.get(id) ?? 0;
      if (count === 1) continue;
      const kind = count === 0 ? 'requirement-without-check' : 'requirement-with-several-checks';
      const message = `${id} (clause ${clause}): expected one check, found ${count}; its place is src/judge/checks/${slug}.ts`;
      problems.push({ kind, clause, subject: id, message });
    }
  }
  for (const id of counts.keys()) {
    if (known.has(id)) continue;
    const message = `check ${id}: expected a requirement of this id in spec/requirements/, found none; correct the id or add the requirement`;
    problems.push({ kind: 'check-without-requirement', subject: id, message });
  }
  return problems;
}
