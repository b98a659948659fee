import { type ClauseCoverage, type Coverage, coverage } from '../document/coverage.ts';
import { loadCatalogue } from '../document/load-catalogue.ts';
import { EXIT } from '../report/verdict.ts';

export function listClauses(checkIds: readonly string[]) {
  const json = coverage(
    loadCatalogue(),
    checkIds.map((id) => ({ id })),
  );
  return { text: textOf(json), json, exitCode: json.problems.length === 0 ? EXIT.conforms : EXIT.violates };
}

function textOf({ clauses, problems }: Coverage): string {
  const lines = clauses.flatMap(clauseLines);
  const requirements = clauses.flatMap((clause) => clause.requirements);
  const checked = requirements.filter((requirement) => requirement.checks === 1).length;
  const rows = clauses.reduce((sum, clause) => sum + clause.rows, 0);
  lines.push(
    `${clauses.length} clauses, ${rows} sentences and rows read, ${checked} of ${requirements.length} requirements have their check`,
  );
  if (problems.length > 0) {
    lines.push('', `${problems.length} ${problems.length === 1 ? 'finding' : 'findings'}:`);
    lines.push(...problems.map((problem) => `  ${problem.message}`));
  }
  return `${lines.join('\n')}\n`;
}

function clauseLines({
  clause,
  title,
  requirements,
  openPoints,
  notes,
  rows,
}: ClauseCoverage): readonly string[] {
  const width = Math.max(0, ...requirements.map((requirement) => requirement.id.length));
  return [
    `${clause.padEnd(4)}${title} (${rows} read)`,
    ...requirements.map(({ id, level, needs, checks }) => {
      const need = needs.length === 0 ? '' : `  needs ${needs.join(', ')}`;
      const mark = checks === 1 ? 'check' : checks === 0 ? '-' : `${checks} checks`;
      return `    ${mark.padEnd(9)} ${id.padEnd(width)}  ${level.padEnd(10)}${need}`.trimEnd();
    }),
    ...listLine('open', openPoints),
    ...listLine('notes', notes),
    '',
  ];
}

function listLine(label: string, ids: readonly string[]): readonly string[] {
  return ids.length === 0 ? [] : [`    ${label.padEnd(9)} ${ids.join(', ')}`];
}
