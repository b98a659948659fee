import type { CatalogueView } from './catalogue-view.ts';
import { renderHtml } from './html/render.ts';
import { renderJUnit } from './junit.ts';
import { printableJson } from './printable.ts';
import type { Results } from './results.ts';

/** Keys in reading order; other keys follow, sorted. */
const READING_ORDER = `
  schemaVersion suiteVersion catalogueDigest verdict exitCode selection strict adopted
  id openPoint aspect answer seenBy clause level since result notAdopted reproduced frozen seen
  kind name order purpose requirement message reason blockedBy missing signature madeAnew
  authUrl baseUrl runId profile defects abilities grants page cookies
  method url status headers body bytes detail schema valid errors
  startedAt durationMs totals troubles findings leftBehind target
  selected pass fail warning knownDeviation notApplicable blocked notRun
  retirement retired notices origin value date used like observedAt digest
  requirements observations request response error validation evidence
`
  .trim()
  .split(/\s+/);

const RANK = new Map(READING_ORDER.map((key, index) => [key, index]));

/**
 * Returns the text of `results.json`. Equal results give equal text regardless of key order, so that runs can be
 * compared by line.
 */
export function resultsJson(results: Results): string {
  return `${printableJson(JSON.stringify(ordered(results), null, 2))}\n`;
}

/**
 * Returns each line of `results.json` once: about an eighth of the length for the search for secrets. Lines of number
 * lists, which may encode bytes, are all kept.
 */
export function linesOnce(json: string): string {
  const seen = new Set<string>();
  const isNew = (line: string) => !seen.has(line) && seen.add(line) !== undefined;
  return json
    .split('\n')
    .filter((line) => NUMBER.test(line) || isNew(line))
    .join('\n');
}

const NUMBER = /^\s*-?\d+,?$/;

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== 'object') return value;
  const rank = (key: string) => RANK.get(key) ?? READING_ORDER.length;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
      .map(([key, inner]) => [key, ordered(inner)]),
  );
}

export const REPORT_FILES = ['results.json', 'index.html', 'junit.xml'] as const;

export interface ReportFile {
  readonly name: (typeof REPORT_FILES)[number];
  readonly text: string;
  /** A shorter text with the same content, used for the search for secrets. */
  readonly searched?: string;
}

export function renderReport(results: Results, view: CatalogueView): readonly ReportFile[] {
  const json = resultsJson(results);
  return [
    { name: 'results.json', text: json, searched: linesOnce(json) },
    { name: 'index.html', text: renderHtml(results, view) },
    { name: 'junit.xml', text: renderJUnit(results, view) },
  ];
}
