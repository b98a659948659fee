/** Coverage: each sentence of the document leads to an entry, and each requirement has exactly one check. */
import type { Catalogue, Clause, Level } from './types.ts';

export interface CoverageProblem {
  readonly kind:
    | 'requirement-without-check'
    | 'requirement-with-several-checks'
    | 'check-without-requirement'
    | 'clause-without-row'
    | 'row-lands-nowhere'
    | 'row-lands-on-unknown'
    | 'entry-without-row';
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
    problems: [...readingProblems(catalogue), ...checkProblems(catalogue, counts)],
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

function readingProblems({ clauses, openPoints }: Covered): readonly CoverageProblem[] {
  const problems: CoverageProblem[] = [];
  const entries = new Map<string, string | undefined>(
    openPoints.map((point) => [point.id, point.clauses[0]]),
  );
  for (const { clause, requirements, notes } of clauses) {
    for (const { id } of [...requirements, ...notes]) entries.set(id, clause);
  }
  const landed = new Set<string>();
  for (const { clause, slug, reading } of clauses) {
    const file = `spec/requirements/${slug}.yaml`;
    if (reading.length === 0) {
      const message = `clause ${clause}: expected at least one sentence or row under reading, found none; read the clause into ${file}`;
      problems.push({ kind: 'clause-without-row', clause, subject: clause, message });
    }
    for (const { at, lands } of reading) {
      if (lands.length === 0) {
        const message = `clause ${clause}, ${at}: expected it to land on a requirement, an open point or a note, found nothing; add one in ${file}`;
        problems.push({ kind: 'row-lands-nowhere', clause, subject: at, message });
      }
      for (const id of lands) {
        landed.add(id);
        if (entries.has(id)) continue;
        const message = `clause ${clause}, ${at}: lands on ${id}, which is no requirement, open point or note; correct the id in ${file}`;
        problems.push({ kind: 'row-lands-on-unknown', clause, subject: id, message });
      }
    }
  }
  for (const [id, clause] of entries) {
    if (landed.has(id)) continue;
    const message = `${id}: expected a sentence or row that it follows from, found none; add it under reading of its clause`;
    problems.push({
      kind: 'entry-without-row',
      clause,
      subject: id,
      message,
    });
  }
  return problems;
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
      const message = `${id} (clause ${clause}): expected one check, found ${count}; its place is src/conformance/${slug}.ts`;
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
