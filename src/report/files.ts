import type { CatalogueView } from './catalogue-view.ts';
import { renderHtml } from './html/render.ts';
import { renderJUnit } from './junit.ts';
import { printableJson } from './printable.ts';
import type { Results } from './results.ts';

export function resultsJson(results: Results): string {
  return `${printableJson(JSON.stringify(results, null, 2))}\n`;
}

/**
 * Returns each line of `results.json` once: about an eighth of the length for the search for secrets. Lines of number
 * lists, which may encode bytes, are all kept.
 */
function linesOnce(json: string): string {
  const seen = new Set<string>();
  const isNew = (line: string) => !seen.has(line) && seen.add(line) !== undefined;
  return json
    .split('\n')
    .filter((line) => NUMBER.test(line) || isNew(line))
    .join('\n');
}

const NUMBER = /^\s*-?\d+,?$/;

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
