import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogueView } from '../report/catalogue-view.ts';
import { REPORT_FILES, type ReportFile, renderReport } from '../report/document.ts';
import { renderMarkdownSummary } from '../report/markdown.ts';
import type { Results } from '../report/results.ts';
import { assembleResults, type Run } from '../report/verdict.ts';
import type { SecretRegistry } from '../secrets/registry.ts';
import { whyUnwritten, whyWithheld } from './write-searched.ts';
import { writeWhole } from './write-whole.ts';

export interface WrittenReport {
  readonly results: Results;
  readonly hasPage: boolean;
}

/**
 * Searches the report and the summary of `GITHUB_STEP_SUMMARY` for the run's secrets, and writes them. A file with a hit is
 * withheld, and the run is broken: exit 4. The same holds for a file that cannot be written; the verdict stays, and no file is
 * written in part.
 *
 * @param directory created if missing; files of an earlier run are removed first, so that none is mistaken for this run's
 */
export async function writeScanned(
  directory: string,
  run: Run,
  view: CatalogueView,
  secrets: SecretRegistry,
  env: NodeJS.ProcessEnv = process.env,
): Promise<WrittenReport> {
  const { results, clean } = renderClean(run, view, secrets);
  const summary = renderMarkdownSummary(results, view);
  const wantsSummary = env.GITHUB_STEP_SUMMARY && secrets.find(summary).length === 0;
  const failed = await writeAll(directory, clean);
  if (wantsSummary && env.GITHUB_STEP_SUMMARY !== undefined) {
    failed.push(...(await whyUnwritten('GITHUB_STEP_SUMMARY', appendFile(env.GITHUB_STEP_SUMMARY, summary))));
  }
  if (failed.length > 0) return { results: brokenBy(run, failed), hasPage: false };
  return { results, hasPage: clean.some(({ name }) => name === 'index.html') };
}

async function writeAll(directory: string, files: readonly ReportFile[]): Promise<string[]> {
  const failed = [...(await whyUnwritten(directory, mkdir(directory, { recursive: true })))];
  if (failed.length > 0) return failed;
  for (const name of REPORT_FILES) await rm(join(directory, name), { force: true }).catch(() => undefined);
  for (const { name, text } of files) {
    failed.push(...(await whyUnwritten(join(directory, name), writeWhole(join(directory, name), text))));
  }
  return failed;
}

/** Renders everything again after a leak, because the verdict is part of the searched text. */
function renderClean(run: Run, view: CatalogueView, secrets: SecretRegistry) {
  const results = assembleResults(run);
  const { leaks, clean } = withholdLeaks(renderReport(results, view), secrets);
  if (leaks.length === 0) return { results, clean };
  const broken = brokenBy(run, leaks);
  return { results: broken, clean: withholdLeaks(renderReport(broken, view), secrets).clean };
}

function brokenBy(run: Run, why: readonly string[]): Results {
  const troubles = why.map((message) => ({ kind: 'broken' as const, message }));
  return assembleResults({ ...run, troubles: [...run.troubles, ...troubles] });
}

interface Scanned<F> {
  readonly clean: readonly F[];
  readonly leaks: readonly string[];
}

/** Searches files for the run's secrets before they are written. A file with a hit is withheld. */
export function withholdLeaks<F extends Pick<ReportFile, 'text' | 'searched'> & { readonly name: string }>(
  files: readonly F[],
  secrets: SecretRegistry,
): Scanned<F> {
  const clean: F[] = [];
  const leaks: string[] = [];
  for (const file of files) {
    const leak = whyWithheld(file.name, file.searched ?? file.text, secrets);
    if (leak === undefined) clean.push(file);
    else leaks.push(leak);
  }
  return { clean, leaks };
}
