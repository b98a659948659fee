import type { Matrix } from './matrix.ts';
import { problemsOf } from './matrix.ts';
import type { MatrixRow } from './matrix-row.ts';

/** The matrix for a terminal or a log: one line per clause, then every problem in full. Lines end in line feeds. */
export function matrixText(matrix: Matrix): string {
  const clauses = [...new Set(matrix.rows.map((row) => row.facts.clause))];
  const table = [
    ['clause', 'defects', 'killed', 'misses', 'extras', 'errors', 'blocked', 'in browser'],
    ...clauses.map((clause) => [clause, ...counts(matrix.rows.filter((row) => row.facts.clause === clause))]),
    ['all', ...counts(matrix.rows)],
  ];
  const problems = problemsOf(matrix);
  const seconds = (matrix.durationMs / 1000).toFixed(1);
  return [
    ...aligned(table),
    '',
    ...(problems.length === 0
      ? []
      : [`${problems.length} to look at:`, ...problems.map((p) => `  ${p}`), '']),
    `${matrix.rows.length} defects on ${matrix.profile}, ${killed(matrix.rows)} killed exactly, in ${seconds} s with ${matrix.workers} ${matrix.workers === 1 ? 'worker' : 'workers'}`,
    '',
  ].join('\n');
}

/** The full result of one defect. Lines end in line feeds. */
export function rowText({ facts, killed, blocked, problems, inBrowser }: MatrixRow): string {
  const again = new Set(inBrowser?.filter((o) => o.result !== 'pass').map((o) => o.id));
  return [
    `${problems.length === 0 ? 'killed' : 'NOT KILLED EXACTLY'} ${facts.id} (clause ${facts.clause}, ${facts.severity})`,
    `  ${facts.summary}`,
    ...killed.map(({ id, reason }) => `  ${id}: ${reason}${again.has(id) ? ' (in the browser too)' : ''}`),
    ...blocked.map(({ id, behind }) => `  blocked: ${id} behind ${behind}`),
    ...problems.map((problem) => `  ${problem}`),
    '',
  ].join('\n');
}

function counts(rows: readonly MatrixRow[]): readonly string[] {
  const sum = (of: (row: MatrixRow) => readonly unknown[]) =>
    String(rows.reduce((total, row) => total + of(row).length, 0));
  return [
    String(rows.length),
    String(killed(rows)),
    sum((row) => row.misses),
    sum((row) => row.extras),
    sum((row) => row.errors),
    sum((row) => row.blocked),
    String(rows.filter((row) => row.inBrowser !== undefined).length),
  ];
}

function killed(rows: readonly MatrixRow[]): number {
  return rows.filter((row) => row.problems.length === 0).length;
}

function aligned(table: readonly (readonly string[])[]): readonly string[] {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}
