import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandFor, programName } from '../../document/input/program-name.ts';
import { unlessPlain } from '../../document/input/shell-quotes.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import { replayText } from '../../evaluation/explore/replay-file.ts';
import type { Step } from '../../evaluation/explore/steps.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import type { CatalogueView } from '../../report/catalogue-view.ts';
import { REPORT_FILES, type ReportFile, renderReport } from '../../report/files.ts';
import type { Results } from '../../report/results.ts';
import { resultsListing } from '../../report/results-listing.ts';
import { assembleResults, type Run } from '../../report/verdict.ts';
import { printBeside } from './print.ts';
import { addToJobSummary, printResult } from './print-result.ts';
import { whyUnwritten, whyWithheld, writeWhole } from './write-files.ts';

/** The options of a report, for all verbs that write one. */
export interface ReportOptions {
  readonly report: string;
  /** Print the closing lines only. */
  readonly quiet?: boolean | undefined;
  /** Print what decides nothing, too. */
  readonly verbose?: boolean | undefined;
  /** Print the results as JSON on standard output, and the text on standard error. */
  readonly json?: boolean | undefined;
}

/** A run, with what a report of it needs. */
export interface ReportableRun {
  readonly run: Run;
  readonly view: CatalogueView;
  /** No file may hold one. */
  readonly secrets: SecretRegistry;
}

/** Writes the report of a run, and prints its results. */
export async function reportResults(
  reportable: ReportableRun,
  { report, quiet, verbose, json }: ReportOptions,
): Promise<Results> {
  const { view, secrets } = reportable;
  const { results, hasPage } = await writeReport(report, reportable);
  await printResult({
    listing: resultsListing(results, view, programName(), verbose ? 'whole' : 'brief'),
    secrets,
    json: json && results,
    page: hasPage ? join(report, 'index.html') : undefined,
    quiet,
    verbose,
  });
  return results;
}

/** Reports the run of a target, and writes the sequences that its exploration found. */
export async function reportRun(
  checked: Omit<ReportableRun, 'view'>,
  { target, ...options }: ReportOptions & { readonly target: string },
): Promise<Results> {
  const results = await reportResults({ ...checked, view: loadCatalogue() }, options);
  for (const file of await writeSequences(results, options.report))
    printBeside(
      options.json,
      `to replay this finding of the exploration: ${commandFor('explore', target === 'emulator' ? undefined : target, ` --replay ${unlessPlain(file)}`)}\n`,
    );
  return results;
}

/**
 * Searches the report and the summary of `GITHUB_STEP_SUMMARY` for the run's secrets, and writes them. A file with a hit is
 * withheld, and the run is broken: exit 4. The same holds for a file that cannot be written; the verdict stays, and no file is
 * written in part.
 *
 * @param directory created if missing; files of an earlier run are removed first, so that none is mistaken for this run's
 */
export async function writeReport(
  directory: string,
  reportable: ReportableRun,
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly results: Results; readonly hasPage: boolean }> {
  const { view, secrets } = reportable;
  const { results, files } = searchedReport(reportable);
  const listing = resultsListing(results, view);
  const failed = [
    ...(await writeAll(directory, files)),
    ...(await addToJobSummary({ ...listing, subject: `Conformance of ${listing.subject}` }, secrets, env)),
  ];
  if (failed.length > 0) return { results: brokenResults(results, failed), hasPage: false };
  return { results, hasPage: files.some(({ name }) => name === 'index.html') };
}

/** Renders the report of a run. Leaves out each file that would hold a secret; the run is then broken. */
export function searchedReport({ run, view, secrets }: ReportableRun): {
  readonly results: Results;
  readonly files: readonly ReportFile[];
} {
  const leakIn = ({ name, text, searched }: ReportFile) => whyWithheld(name, searched ?? text, secrets);
  const results = assembleResults(run);
  const files = renderReport(results, view);
  const leaks = files.flatMap((file) => leakIn(file) ?? []);
  if (leaks.length === 0) return { results, files };
  // Everything is rendered again, because the verdict is part of the searched text.
  const broken = brokenResults(run, leaks);
  return {
    results: broken,
    files: renderReport(broken, view).filter((file) => leakIn(file) === undefined),
  };
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

/** Returns the results of a run in which the suite failed. */
export function brokenResults(run: Run, why: readonly string[]): Results {
  const troubles = why.map((message) => ({ kind: 'broken' as const, message }));
  return assembleResults({ ...run, troubles: [...run.troubles, ...troubles] });
}

const FOLDER = 'explored';

/**
 * Writes each found sequence to a file for replaying it. The files hold names and ids, and no secret.
 *
 * @param report folder of the report; removes the sequences of an earlier run
 * @returns the files in the report
 */
async function writeSequences({ exploration }: Results, report: string): Promise<readonly string[]> {
  const folder = join(report, FOLDER);
  await rm(folder, { recursive: true, force: true });
  const files: string[] = [];
  for (const [index, sequence] of (exploration?.findings ?? []).entries()) {
    if (sequence.replayOf !== undefined) continue;
    const { requirement, expected, got } = sequence;
    const text = replayText({
      replay: 1,
      found: { requirement, expected, got },
      seed: exploration?.seed ?? 0,
      steps: sequence.steps as readonly Step[],
    });
    const name = `${index + 1}-${requirement}.json`;
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), text);
    files.push(join(folder, name));
  }
  return files;
}
