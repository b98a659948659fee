import { createColors } from 'picocolors';
import type { Environment } from '../http/proxy.ts';
import { markdownCode, markdownTable, markdownText, oneLine, prefixedLines } from './printable.ts';
import type { ResultKind } from './results.ts';
import { EXIT, type ExitCode, type RunOutcome, VERDICT_OF_EXIT } from './verdict.ts';
import { presentTexts, type RunFact } from './words.ts';

/** A verb's result, apart from its format: text, Markdown and the HTML page show the same. */
export interface Listing {
  readonly subject: string;
  readonly verdict: string;
  readonly exitCode: ExitCode;
  readonly totals: string;
  readonly remarks: readonly string[];
  /** Facts about the run that decide nothing: folded on a page, and only for a verbose text. */
  readonly background?: readonly string[];
  readonly facts?: readonly RunFact[];
  readonly table?: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
  readonly blocks: readonly Block[];
  readonly foot?: string;
}

/** In a text, the entries of a block with a heading are lines below it; others stand apart. */
export interface Block {
  readonly heading?: string;
  readonly notes?: readonly string[];
  readonly entries: readonly Entry[];
}

/** A result's sign, or that of a run without a conclusion. */
export type Sign = ResultKind | 'inconclusive';

export interface Entry {
  readonly sign: Sign;
  readonly word: string;
  readonly name: string;
  readonly aside?: string;
  /** For pages alone, instead of `reason`: what is demanded, why it matters, what was seen, the fix. */
  readonly about?: readonly (readonly [label: string, text: string])[];
  readonly reason?: string;
  readonly lines?: readonly string[];
  /** Requirements that the entry is about: one line in a text, links on a page. */
  readonly ids?: readonly string[];
  /** Lines as they are, such as an exchange. Markdown leaves them out. */
  readonly quote?: string;
  readonly sides?: readonly (readonly [label: string, text: string])[];
}

export const SIGN_OF_EXIT: Readonly<Record<ExitCode, Sign>> = {
  [EXIT.conforms]: 'pass',
  [EXIT.violates]: 'fail',
  [EXIT.usage]: 'warning',
  [EXIT.inconclusive]: 'inconclusive',
  [EXIT.broken]: 'warning',
};

/** A result without entries: lines and reasons under the verdict. */
export function linesListing(
  subject: string,
  { exitCode, because }: Pick<RunOutcome, 'exitCode' | 'because'>,
  lines: readonly string[] = [],
  verdict: string = VERDICT_OF_EXIT[exitCode],
): Listing {
  const remarks = [...lines, ...because].flatMap((text) => text.split('\n'));
  return { subject, verdict, exitCode, totals: '', remarks, blocks: [] };
}

type Style = 'plain' | 'colour';

/** Chooses the style of an output. @param env a non-empty `NO_COLOR` or `CI` selects plain */
export function styleFor(env: Environment, isTerminal: boolean): Style {
  return isTerminal && !env.NO_COLOR && !env.CI ? 'colour' : 'plain';
}

export interface TextOptions {
  readonly style: Style;
  readonly brief?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly reportPath?: string | undefined;
}

type Colors = ReturnType<typeof createColors>;

const COLOUR_OF: Partial<Record<Sign, 'green' | 'red' | 'yellow' | 'magenta'>> = {
  pass: 'green',
  fail: 'red',
  warning: 'yellow',
  'known-deviation': 'magenta',
  blocked: 'yellow',
  'not-run': 'yellow',
  inconclusive: 'yellow',
};

const LONGEST = 600;

/** Renders the verdict above the findings, and once more below them: on a terminal the end is in view. */
export function listingText(listing: Listing, options: TextOptions): string {
  const { style, brief = false, verbose = false, reportPath } = options;
  const { subject, verdict, exitCode, totals, remarks, background = [], facts = [], table, blocks } = listing;
  const colors = createColors(style === 'colour');
  const ending = colors.bold(
    painter(SIGN_OF_EXIT[exitCode], colors)(`${oneLine(verdict)} (exit ${exitCode})`),
  );
  const head = [
    [colors.bold(oneLine(subject, LONGEST)), ...facts.map(factLine)],
    ...(table === undefined ? [] : [tableLines([table.head, ...table.rows], colors)]),
  ];
  const about = [
    `${ending}${totals === '' ? '' : `: ${oneLine(totals, LONGEST)}`}`,
    ...[...remarks, ...(verbose ? background : [])].map((remark) => `  ${oneLine(remark, LONGEST)}`),
  ];
  const found = brief ? [] : blocks.flatMap((block) => blockLines(block, colors));
  const report = reportPath === undefined ? [] : [`report: ${reportPath}`];
  const paragraphs =
    found.length === 0
      ? [...(brief ? [] : head), [...about, ...report]]
      : [...head, about, ...found, [ending, ...report]];
  return `${paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function painter(sign: Sign, colors: Colors): (text: string) => string {
  const colour = COLOUR_OF[sign];
  return colour === undefined ? (text) => text : colors[colour];
}

function factLine([term, value]: RunFact): string {
  const text = oneLine([value].flat().join(', '), LONGEST);
  return text === '' ? `    ${oneLine(term)}` : `  ${term.padEnd(20)} ${text}`;
}

function tableLines(rows: readonly (readonly string[])[], colors: Colors): readonly string[] {
  const cells = rows.map((row) => row.map((cell) => oneLine(cell, 200)));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line, index) => (index === 0 ? colors.dim(line) : line));
}

function blockLines({ heading, notes = [], entries }: Block, colors: Colors): readonly (readonly string[])[] {
  const width = heading === undefined ? 0 : Math.max(...entries.map(({ word }) => word.length), 0);
  const all = entries.map((entry) => entryLines(entry, width, colors));
  if (heading === undefined) return all;
  return [
    [
      colors.bold(oneLine(heading, LONGEST)),
      ...notes.map((note) => `  ${colors.dim(oneLine(note, LONGEST))}`),
      ...all.flat().map((line) => `  ${line}`),
    ],
  ];
}

function entryLines(entry: Entry, width: number, colors: Colors): readonly string[] {
  const { sign, word, name, aside, reason, lines = [], ids = [], quote, sides = [] } = entry;
  const about = aside === undefined ? '' : ` (${oneLine(aside)})`;
  return presentTexts(
    `${painter(sign, colors)(oneLine(word).toUpperCase().padEnd(width))} ${oneLine(name, LONGEST)}${about}`,
    reason !== undefined && prefixedLines(reason, '  |'),
    [...lines, ...idsLine(ids)].map((line) => `  ${oneLine(line, LONGEST)}`),
    quote !== undefined && prefixedLines(quote, ' ').map((line) => colors.dim(line)),
    sides.map(([label, text]) => `  ${label}: ${oneLine(text, LONGEST)}`),
  );
}

/** Limit of entries; a step summary may hold 1 MiB. */
const MOST_ENTRIES = 60;

export function listingMarkdown(listing: Listing): string {
  const { subject, verdict, exitCode, totals, remarks, background = [], facts = [], table, blocks } = listing;
  const more = blocks.flatMap(({ entries }) => entries).length - MOST_ENTRIES;
  const shown = blocks.flatMap(({ entries }) => entries).slice(0, MOST_ENTRIES);
  const parts = [
    `## ${markdownText(subject)}: ${markdownText(verdict)}`,
    `${markdownText(totals)}. Exit code ${exitCode}.`,
    facts.map(([term, value]) => `- ${markdownText([term, value].flat().join(' '))}`).join('\n'),
    remarks.map((remark) => `- ${markdownText(remark)}`).join('\n'),
    table === undefined
      ? ''
      : markdownTable(
          table.head,
          table.rows.map((row) => row.map(markdownText)),
        ),
    shown.map(entryMarkdown).join('\n'),
    more > 0 ? `${more} more are in the report.` : '',
    background.length === 0
      ? ''
      : `<details><summary>About this run</summary>\n\n${background.map((line) => `- ${markdownText(line)}`).join('\n')}\n\n</details>`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const MOST_IDS = 12;

function idsLine(ids: readonly string[]): readonly string[] {
  const rest = ids.length - MOST_IDS;
  const shown = ids.slice(0, rest > 1 ? MOST_IDS : undefined).join(', ');
  return ids.length === 0 ? [] : [rest > 1 ? `${shown} and ${rest} more, listed in results.json` : shown];
}

function entryMarkdown({ word, name, aside, reason, lines = [], ids = [], sides = [] }: Entry): string {
  const about = aside === undefined ? '' : ` (${markdownText(aside)})`;
  const below = presentTexts(
    reason !== undefined && markdownText(reason),
    lines.slice(0, MOST_LINES).map(markdownText),
    lines.length > MOST_LINES && '…',
    idsLine(ids).map(markdownText),
    sides.map(([label, text]) => `${label}: ${markdownCode(text, 300)}`),
  );
  return [`- **${markdownText(word)}** ${markdownCode(name, 120)}${about}`, ...below].join('\n  - ');
}

const MOST_LINES = 8;
