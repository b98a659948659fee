import { type CatalogueView, rowsByClause } from './catalogue-view.ts';
import { blockedByRoot, byReason, ofKind } from './groups.ts';
import { oneLine } from './printable.ts';
import type { RequirementResult, Results } from './results.ts';
import { describeTotals } from './totals.ts';
import { verdictOf } from './verdict.ts';
import {
  durationWords,
  FINDING_WORD,
  furtherTroubles,
  retirementWords,
  targetWords,
  verdictWords,
} from './words.ts';

/** A step summary may hold 1 MiB; beyond this many rows of a table nobody reads on anyway. */
const MOST_ROWS = 60;

/**
 * The run as Markdown for the summary of a build step: verdict, totals by clause, and what deserves attention.
 *
 * @param view titles of the clauses; without it they show by number
 * @returns Markdown that starts with a heading of level 2 and ends in a line feed
 */
export function renderMarkdownSummary(results: Results, view?: CatalogueView): string {
  const { requirements } = results;
  const blocks = [
    `## Conformance of ${text(targetWords(results))}: ${verdictWords(results)}`,
    `${text(describeTotals(requirements))}, in ${durationWords(results.durationMs)}. Exit code ${results.exitCode}.`,
    results.target.defects.length === 0
      ? ''
      : `The emulator carries defects: ${results.target.defects.map(code).join(', ')}.`,
    results.retirement === undefined ? '' : `Retirement: ${text(retirementWords(results.retirement))}.`,
    bullets(
      [...verdictOf(results).because, ...furtherTroubles(results).map(({ message }) => message)].map(text),
    ),
    table(['clause', '', 'result'], totalsByClause(results, view)),
    judged('Failed', ofKind(requirements, 'fail')),
    judged('Warnings', ofKind(requirements, 'warning')),
    judged('Known deviations', ofKind(requirements, 'known-deviation')),
    section(
      'Known deviations to look at',
      ['deviation', 'what is wrong'],
      results.findings.map((finding) => [
        `${FINDING_WORD[finding.kind]} ${code(finding.requirement)}`,
        text(finding.message),
      ]),
    ),
    section('Blocked', ['behind', 'requirements'], causes(blockedByRoot(requirements), code)),
    section('Not run', ['why', 'requirements'], causes(byReason(requirements, 'not-run'), text)),
    section(
      'Left at the target',
      ['what'],
      results.leftBehind.map((what) => [text(what)]),
    ),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function totalsByClause(results: Results, view: CatalogueView | undefined): readonly (readonly string[])[] {
  if (view !== undefined)
    return rowsByClause(results, view)
      .filter(({ rows }) => rows.length > 0)
      .map(({ clause, title, rows }) => [
        clause,
        text(title),
        text(describeTotals(rows.map((r) => r.result))),
      ]);
  return [...Map.groupBy(results.requirements, ({ clause }) => clause)].map(([clause, members]) => [
    text(clause),
    '',
    text(describeTotals(members)),
  ]);
}

function judged(title: string, results: readonly RequirementResult[]): string {
  return section(
    title,
    ['requirement', 'clause', 'why'],
    results.map(({ id, clause, reason }) => [code(id), text(clause), text(reason)]),
  );
}

function causes(groups: ReturnType<typeof blockedByRoot>, cause: (text: string) => string) {
  return groups.map((group) => [
    cause(group.cause),
    `${group.results.length}: ${group.results
      .slice(0, 8)
      .map(({ id }) => code(id))
      .join(', ')}${group.results.length > 8 ? ', …' : ''}`,
  ]);
}

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const more = rows.length > MOST_ROWS ? `\n\n${rows.length - MOST_ROWS} more are in the report.` : '';
  return `### ${title}\n\n${table(head, rows.slice(0, MOST_ROWS))}${more}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** Text that a target may have written: no markup, no links, no mentions, no line breaks. */
function text(value: string): string {
  return oneLine(value, 400)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~@]/g, (c) => (c === '@' ? '&#64;' : `\\${c}`));
}

function code(value: string): string {
  return `\`${oneLine(value, 120).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}
