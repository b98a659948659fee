import { createColors } from 'picocolors';
import {
  blockedByRoot,
  byReason,
  type CatalogueView,
  type CauseGroup,
  ofKind,
  rowsByClause,
} from './catalogue-view.ts';
import { exchangeText } from './exchange-text.ts';
import { marked, oneLine, printable } from './printable.ts';
import type { RequirementResult, Results } from './results.ts';
import { describeTotals } from './totals.ts';
import { verdictOf } from './verdict.ts';
import {
  clientFacts,
  decisiveExchange,
  durationText,
  explorationText,
  FINDING_WORD,
  furtherTroubles,
  habitLines,
  notExercisedLines,
  notes,
  profileLines,
  rerunLines,
  strengthText,
  targetFacts,
  targetText,
  usedText,
  verdictText,
} from './words.ts';
import { wouldHaveCaught } from './would-have-caught.ts';

export type Style = 'plain' | 'colour';

/**
 * Chooses the style of an output.
 *
 * @param env a non-empty `NO_COLOR` or `CI` selects plain
 * @param isTerminal true for a terminal
 */
export function styleFor(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): Style {
  return isTerminal && !env.NO_COLOR && !env.CI ? 'colour' : 'plain';
}

export interface ConsoleOptions {
  readonly style: Style;
  readonly reportPath?: string;
  readonly brief?: boolean;
  /** Program name in commands to paste; `legacy-conformance` when absent. */
  readonly program?: string;
}

type Colors = ReturnType<typeof createColors>;

export function renderConsole(results: Results, view: CatalogueView, options: ConsoleOptions): string {
  const colors = createColors(options.style === 'colour');
  const whole = [
    aboutTarget(results, colors),
    tableOfClauses(results, view, colors),
    ...attention(results, colors),
  ];
  const blocks = [...(options.brief ? [] : whole), closing(results, options, colors)];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

function aboutTarget(results: Results, colors: Colors): readonly string[] {
  const { target, client } = results;
  const facts = client === undefined ? targetFacts(results) : clientFacts(client, target.profile);
  return [
    colors.bold(printable(targetText(results))),
    ...facts.map(([term, value]) => {
      const text = printable([value].flat().join(', '));
      const line = text === '' ? `    ${printable(term)}` : `  ${term.padEnd(20)} ${text}`;
      return UNUSUAL.includes(term) ? colors.yellow(line) : line;
    }),
  ];
}

const UNUSUAL = ['retirement', 'defects switched on'];

function tableOfClauses(results: Results, view: CatalogueView, colors: Colors): readonly string[] {
  const rows = rowsByClause(results, view)
    .filter(({ rows }) => rows.length > 0)
    .map(({ clause, title, rows }) => ({
      clause,
      title: oneLine(title, 48),
      totals: describeTotals(rows.map(({ result }) => result)),
    }));
  const clauseWidth = Math.max(...rows.map(({ clause }) => clause.length), 'clause'.length);
  const titleWidth = Math.max(...rows.map(({ title }) => title.length), 0);
  return [
    colors.dim(`${'clause'.padEnd(clauseWidth)}  ${''.padEnd(titleWidth)}  result`),
    ...rows.map(({ clause, title, totals }) =>
      `${clause.padEnd(clauseWidth)}  ${title.padEnd(titleWidth)}  ${totals}`.trimEnd(),
    ),
  ];
}

function attention(results: Results, colors: Colors): readonly (readonly string[])[] {
  const { requirements } = results;
  return [
    ...ofKind(requirements, 'fail').map((result) => evaluatedLines(colors.red('FAIL'), result, colors)),
    ...ofKind(requirements, 'warning').map((result) =>
      evaluatedLines(colors.yellow('WARNING'), result, colors),
    ),
    ...ofKind(requirements, 'known-deviation').map((result) => [
      `${colors.magenta('KNOWN DEVIATION')} ${result.id} (clause ${result.clause})`,
      ...marked(result.reason, '  |'),
    ]),
    ...blockedByRoot(requirements).map((group) =>
      many(`${colors.yellow('BLOCKED')} ${group.results.length} behind ${oneLine(group.cause)}`, group),
    ),
    ...byReason(requirements, 'not-run').map((group) =>
      many(`${colors.yellow('NOT RUN')} ${group.results.length}: ${oneLine(group.cause)}`, group),
    ),
    results.findings.map(
      ({ kind, requirement, message }) =>
        `${colors.red(FINDING_WORD[kind].toUpperCase())} ${oneLine(requirement)}: ${oneLine(message, 600)}`,
    ),
    furtherTroubles(results).map(
      ({ kind, message }) => `${colors.red(kind.toUpperCase())} ${oneLine(message, 600)}`,
    ),
  ];
}

function evaluatedLines(word: string, result: RequirementResult, colors: Colors): readonly string[] {
  const exchange = decisiveExchange(result);
  return [
    `${word} ${colors.bold(result.id)} (clause ${result.clause}, ${result.level})`,
    ...marked(result.reason, '  |'),
    ...alsoSeen(result.alsoSeen ?? []),
    ...(exchange === undefined
      ? []
      : [
          colors.dim(`  # ${oneLine(exchange.purpose)}`),
          ...marked(exchangeText(exchange, { headers: false, longestBody: 400 }), ' ').map((line) =>
            colors.dim(line),
          ),
        ]),
  ];
}

const SHOWN = 5;

function alsoSeen(texts: readonly string[]): readonly string[] {
  const rest = texts.length - SHOWN;
  return [
    ...texts.slice(0, SHOWN).map((text) => `  also seen: ${oneLine(text, 300)}`),
    ...(rest > 0 ? [`  also seen: ${rest} more, in the report`] : []),
  ];
}

function many(title: string, { results }: CauseGroup): readonly string[] {
  return [title, ...results.map(({ id }) => `  ${id}`)];
}

function closing(results: Results, options: ConsoleOptions, colors: Colors): readonly string[] {
  const colour = {
    conforms: colors.green,
    retired: colors.green,
    violates: colors.red,
    inconclusive: colors.yellow,
    broken: colors.red,
  };
  const caught = wouldHaveCaught(results);
  const lines = [
    `${colors.bold(colour[results.verdict](verdictText(results)))} (exit ${results.exitCode}): ${describeTotals(results.requirements)}, in ${durationText(results.durationMs)}`,
    ...(caught === undefined ? [] : [`  ${caught}`]),
    ...profileLines(results).map((line) => `  ${oneLine(line)}`),
    ...notes(results).map(([kind, line]) => `  ${kind}: ${oneLine(line, 600)}`),
    ...habitLines(results).map((line) => `  habit: ${oneLine(line, 600)}`),
    ...notExercisedLines(results).map((line) => `  not exercised: ${oneLine(line, 600)}`),
    ...verdictOf(results).because.map((sentence) => `  because ${oneLine(sentence, 600)}`),
    ...rerunLines(results).map((line) => `  rerun: ${oneLine(line, 600)}`),
    ...(results.notSelected ?? []).map((what) => `  also seen, not selected: ${oneLine(what, 400)}`),
    ...results.leftBehind.map((what) => `  left at the target: ${oneLine(what)}`),
  ];
  if (results.exploration !== undefined) lines.push(`  ${explorationText(results.exploration)}`);
  const strength = strengthText(results);
  if (strength !== undefined) lines.push(`  ${strength}`);
  if (results.used !== undefined) lines.push(`  ${usedText(results.used)}`);
  const [first] = [
    ...ofKind(results.requirements, 'fail'),
    ...ofKind(results.requirements, 'warning'),
  ].filter(({ level }) => level !== 'frozen');
  // The line of a client's requirement already has its subject.
  if (first !== undefined && results.client === undefined)
    lines.push(
      `  why it matters, how it is checked: ${options.program ?? 'legacy-conformance'} explain ${oneLine(first.id)}`,
    );
  if (options.reportPath !== undefined) lines.push(`report: ${options.reportPath}`);
  return lines;
}
