import type { CatalogueView } from './catalogue-view.ts';
import { linesOnce, resultsJson } from './document.ts';
import { renderHtml } from './html/render.ts';
import { renderJUnit } from './junit.ts';
import type { Results } from './results.ts';

/** Names of the files of a report. */
export const REPORT_FILES = ['results.json', 'index.html', 'junit.xml'] as const;

/** One file of a report, not yet written. */
export interface ReportFile {
  readonly name: (typeof REPORT_FILES)[number];
  readonly text: string;
  /** What is searched for secrets in place of the text, where that holds the same and is shorter. */
  readonly searched?: string;
}

/** The files of a report as texts. Equal results give equal files. */
export function renderReport(results: Results, view: CatalogueView): readonly ReportFile[] {
  const json = resultsJson(results);
  return [
    { name: 'results.json', text: json, searched: linesOnce(json) },
    { name: 'index.html', text: renderHtml(results, view) },
    { name: 'junit.xml', text: renderJUnit(results, view) },
  ];
}
