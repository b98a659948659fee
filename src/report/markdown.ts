import { blockedByRoot, byReason, type CatalogueView, ofKind, rowsByClause } from './catalogue-view.ts';
import { markdownCode, markdownTable, markdownText } from './printable.ts';
import type { RequirementResult, Results } from './results.ts';
import { describeTotals } from './totals.ts';
import { verdictOf } from './verdict.ts';
import {
  durationText,
  FINDING_WORD,
  furtherTroubles,
  notes,
  rerunLines,
  retirementText,
  targetText,
  verdictText,
} from './words.ts';
import { wouldHaveCaught } from './would-have-caught.ts';

/** Limit of table rows; a step summary may hold 1 MiB. */
const MOST_ROWS = 60;

export function renderMarkdownSummary(results: Results, view?: CatalogueView): string {
  const { requirements } = results;
  const blocks = [
    `## Conformance of ${markdownText(targetText(results))}: ${verdictText(results)}`,
    `${markdownText(describeTotals(requirements))}, in ${durationText(results.durationMs)}. Exit code ${results.exitCode}.`,
    markdownText(wouldHaveCaught(results) ?? '').replace(/^w/, 'W'),
    results.target.defects.length === 0
      ? ''
      : `The emulator carries defects: ${results.target.defects.map(code).join(', ')}.`,
    results.retirement === undefined
      ? ''
      : `Retirement: ${markdownText(retirementText(results.retirement))}.`,
    bullets(
      [...verdictOf(results).because, ...furtherTroubles(results).map(({ message }) => message)].map(
        markdownText,
      ),
    ),
    bullets(notes(results).map(([kind, line]) => `${kind}: ${markdownText(line)}`)),
    markdownTable(['clause', '', 'result'], totalsByClause(results, view)),
    evaluatedSection('Failed', ofKind(requirements, 'fail')),
    evaluatedSection('Warnings', ofKind(requirements, 'warning')),
    evaluatedSection('Known deviations', ofKind(requirements, 'known-deviation')),
    section(
      'Known deviations to look at',
      ['deviation', 'what is wrong'],
      results.findings.map((finding) => [
        `${FINDING_WORD[finding.kind]} ${code(finding.requirement)}`,
        markdownText(finding.message),
      ]),
    ),
    section('Blocked', ['behind', 'requirements'], causes(blockedByRoot(requirements), code)),
    bullets(rerunLines(results).map((line) => `rerun: ${markdownText(line)}`)),
    section('Not run', ['why', 'requirements'], causes(byReason(requirements, 'not-run'), markdownText)),
    section(
      'Left at the target',
      ['what'],
      results.leftBehind.map((what) => [markdownText(what)]),
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
        markdownText(title),
        markdownText(describeTotals(rows.map((r) => r.result))),
      ]);
  return [...Map.groupBy(results.requirements, ({ clause }) => clause)].map(([clause, members]) => [
    markdownText(clause),
    '',
    markdownText(describeTotals(members)),
  ]);
}

function evaluatedSection(title: string, results: readonly RequirementResult[]): string {
  return section(
    title,
    ['requirement', 'clause', 'why'],
    results.map(({ id, clause, reason }) => [code(id), markdownText(clause), markdownText(reason)]),
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
  return `### ${title}\n\n${markdownTable(head, rows.slice(0, MOST_ROWS))}${more}`;
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function code(value: string): string {
  return markdownCode(value, 120);
}
