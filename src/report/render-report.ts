import type { CatalogueView } from './catalogue-view.ts';
import { linesOnce, resultsJson } from './document.ts';
import { renderHtml } from './html/render.ts';
import { renderJUnit } from './junit.ts';
import type { Results } from './results.ts';

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
