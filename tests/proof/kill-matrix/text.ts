import type { RequirementId } from '../../../generated/ids.ts';
import { FACT_RULES } from '../../../src/report/results-of.ts';
import type { DefectClass } from '../second-order/define-second-order.ts';
import { type Matrix, problemsOf } from './matrix.ts';
import type { MatrixRow } from './verdict.ts';

/** The matrix for a terminal or a log: one line per clause, then every problem in full. Lines end in line feeds. */
export function matrixText(matrix: Matrix): string {
  const clauses = [...new Set(matrix.rows.map((row) => row.facts.clause))];
  const table = [
    ['clause', 'defects', 'exact', 'misses', 'extras', 'errors', 'blocked', 'in browser'],
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
    ...ruleLines(matrix),
    '',
    `${matrix.rows.length} defects on ${matrix.profile}, ${killed(matrix.rows)} killed exactly, in ${seconds} s with ${matrix.workers} ${matrix.workers === 1 ? 'worker' : 'workers'}`,
    '',
  ].join('\n');
}

/** Counts the rows that have another result when a rule of the fold is left out. */
function ruleLines({ rows }: Matrix): readonly string[] {
  return FACT_RULES.map(({ says }) => {
    const needing = rows.filter(({ rules }) => rules.includes(says));
    return `${String(needing.length).padStart(4)} rows need the rule: ${says}`;
  });
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

/**
 * The checks' result for a second-order defect: `exact` when the checks of what it breaks failed and no others, `part` when
 * only some of those failed, `others` when further checks failed too or instead, `blocked` when none failed and some could
 * not be evaluated, `none` when all passed.
 */
type RowFinding = 'exact' | 'part' | 'others' | 'blocked' | 'none';

const FINDINGS: readonly RowFinding[] = ['exact', 'part', 'others', 'blocked', 'none'];

/** One defect of second order, and which checks failed. */
export interface SecondOrderRow {
  readonly row: MatrixRow;
  readonly finding: RowFinding;
  /** Requirements that it breaks and whose check failed. */
  readonly listed: readonly RequirementId[];
  /** Requirements whose check failed too. */
  readonly others: readonly RequirementId[];
  /** Checks that were blocked or did not run to an end, and so found nothing. */
  readonly unevaluated: readonly RequirementId[];
}

/** The checks' findings about one defect of second order. */
export function findingOf(row: MatrixRow): SecondOrderRow {
  const listed = row.killed.map(({ id }) => id);
  const failed = row.extras.filter(({ actual }) => /^(fail|warning)\b/.test(actual));
  const others = failed.map(({ id }) => id);
  const unevaluated = [
    ...row.extras.filter((extra) => !failed.includes(extra)).map(({ id }) => id),
    ...row.misses.filter(({ actual }) => !/^pass\b/.test(actual)).map(({ id }) => id),
    ...row.errors.map(({ id }) => id),
    ...(listed.length === 0 ? row.blocked.map(({ id }) => id) : []),
  ];
  const settled = unevaluated.length === 0 && row.problems.every((sentence) => !sentence.startsWith(NOT_RUN));
  const found = foundBy(listed.length, others.length, row.misses.length);
  return { row, finding: found ?? (settled ? 'none' : 'blocked'), listed, others, unevaluated };
}

function foundBy(listed: number, others: number, missed: number): RowFinding | undefined {
  if (others > 0) return 'others';
  if (listed === 0) return undefined;
  return missed === 0 ? 'exact' : 'part';
}

/** Prefix of the problem of a row that could not run. */
const NOT_RUN = 'it could not be run';

/** The table for a terminal or a log: each defect with the checks that found it, then the counts by class. */
export function secondOrderText(matrix: Matrix): string {
  const rows = matrix.rows.map(findingOf);
  const classes = [...new Set(matrix.rows.flatMap(({ facts }) => facts.class ?? []))];
  const seconds = (matrix.durationMs / 1000).toFixed(1);
  const found = rows.filter(({ listed, others }) => listed.length + others.length > 0).length;
  return [
    ...matrix.baseProblems,
    ...classes.flatMap((kind) => [
      kind,
      ...ofClass(rows, kind).map((row) => `  ${row.finding.padEnd(7)}  ${row.row.facts.id}${detail(row)}`),
      '',
    ]),
    'class         defects   exact    part  others blocked    none',
    ...classes.map((kind) => findingCounts(kind, ofClass(rows, kind))),
    findingCounts('all', rows),
    '',
    ...ruleLines(matrix),
    '',
    `${found} of ${rows.length} defects of second order found, on ${matrix.profile}, in ${seconds} s`,
    '',
  ].join('\n');
}

function ofClass(rows: readonly SecondOrderRow[], kind: DefectClass): readonly SecondOrderRow[] {
  return rows.filter(({ row }) => row.facts.class === kind);
}

function detail({ row, listed, others, unevaluated }: SecondOrderRow): string {
  const missed = row.misses.map(({ id }) => id).filter((id) => !unevaluated.includes(id));
  const parts = [
    ['failed', listed],
    ['others failed', others],
    ['passed', missed],
    ['not evaluated', unevaluated.length > 6 ? [`${unevaluated.length} checks`] : unevaluated],
  ] as const;
  const problem = row.problems.find((sentence) => sentence.startsWith(NOT_RUN));
  return [
    ...parts
      .filter(([, ids]) => ids.length > 0)
      .map(([name, ids]) => `\n             ${name}: ${ids.join(', ')}`),
    ...(problem === undefined ? [] : [`\n             ${problem}`]),
  ].join('');
}

function findingCounts(name: string, rows: readonly SecondOrderRow[]): string {
  const number = (of: readonly unknown[]) => String(of.length).padStart(8);
  const each = FINDINGS.map((kind) => number(rows.filter((row) => row.finding === kind)));
  return `${name.padEnd(13)}${number(rows)}${each.join('')}`;
}
