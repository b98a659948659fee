import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assembleResults, type Run } from '../report/assemble.ts';
import type { CatalogueView } from '../report/catalogue-view.ts';
import { renderMarkdownSummary } from '../report/markdown.ts';
import { REPORT_FILES, renderReport } from '../report/render-report.ts';
import type { Results } from '../report/results.ts';
import type { SecretRegistry } from '../secrets/registry.ts';
import { withholdLeaks } from './withhold.ts';

/** What a run came to once everything to be written was searched for its secrets. */
export interface WrittenReport {
  readonly results: Results;
  /** Whether the HTML report was written. */
  readonly hasPage: boolean;
}

/**
 * Writes the report of a run, and the summary that `GITHUB_STEP_SUMMARY` asks for, after searching all of it for the run's
 * secrets. A file with a hit is withheld, and the run is broken: exit 4.
 *
 * @param directory made when it is missing; files of an earlier run are removed first, so that none is taken for this one's
 */
export async function writeScanned(
  directory: string,
  run: Run,
  view: CatalogueView,
  secrets: SecretRegistry,
  env: NodeJS.ProcessEnv = process.env,
): Promise<WrittenReport> {
  const { results, clean } = renderClean(run, view, secrets);
  await mkdir(directory, { recursive: true });
  for (const name of REPORT_FILES) await rm(join(directory, name), { force: true });
  for (const { name, text } of clean) await writeFile(join(directory, name), text);
  const summary = renderMarkdownSummary(results, view);
  if (env.GITHUB_STEP_SUMMARY && secrets.find(summary).length === 0) {
    await appendFile(env.GITHUB_STEP_SUMMARY, summary);
  }
  return { results, hasPage: clean.some(({ name }) => name === 'index.html') };
}

/** The verdict stands in what is searched: after a leak everything is rendered, and searched, again. */
function renderClean(run: Run, view: CatalogueView, secrets: SecretRegistry) {
  const results = assembleResults(run);
  const { leaks, clean } = withholdLeaks(renderReport(results, view), secrets);
  if (leaks.length === 0) return { results, clean };
  const troubles = leaks.map((message) => ({ kind: 'broken' as const, message }));
  const broken = assembleResults({ ...run, troubles: [...run.troubles, ...troubles] });
  return { results: broken, clean: withholdLeaks(renderReport(broken, view), secrets).clean };
}
