import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogueView } from './catalogue-view.ts';
import { resultsJson } from './document.ts';
import { renderHtml } from './html/render.ts';
import { renderJUnit } from './junit.ts';
import { renderMarkdownSummary } from './markdown.ts';
import type { Results } from './results.ts';

/** One file of a report, not yet written. */
export interface ReportFile {
  readonly name: 'results.json' | 'index.html' | 'junit.xml';
  readonly text: string;
}

/** The files of a report as texts. Equal results give equal files. */
export function renderReport(results: Results, view: CatalogueView): readonly ReportFile[] {
  return [
    { name: 'results.json', text: resultsJson(results) },
    { name: 'index.html', text: renderHtml(results, view) },
    { name: 'junit.xml', text: renderJUnit(results, view) },
  ];
}

/**
 * Writes a report, and appends its summary to the file that `GITHUB_STEP_SUMMARY` names, where it is set.
 *
 * @param dir made when it is missing; files of the same names are replaced
 * @param env the environment, for `GITHUB_STEP_SUMMARY`
 * @returns paths of everything written, the summary included, for whoever scans them
 * @throws what the file system throws; then the report is not whole
 */
export async function writeReport(
  dir: string,
  results: Results,
  view: CatalogueView,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<readonly string[]> {
  await mkdir(dir, { recursive: true });
  const written: string[] = [];
  for (const { name, text } of renderReport(results, view)) {
    const path = join(dir, name);
    await writeFile(path, text);
    written.push(path);
  }
  const summary = await appendSummary(results, view, env);
  return summary === undefined ? written : [...written, summary];
}

/**
 * Appends the run's summary to the file that `GITHUB_STEP_SUMMARY` names.
 *
 * @returns that file's path, or undefined where the variable is not set
 */
export async function appendSummary(
  results: Results,
  view: CatalogueView,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const summary = env.GITHUB_STEP_SUMMARY;
  if (!summary) return undefined;
  await appendFile(summary, renderMarkdownSummary(results, view));
  return summary;
}
