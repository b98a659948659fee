import { join } from 'node:path';
import { programName } from '../input/program-name.ts';
import type { CatalogueView } from '../report/catalogue-view.ts';
import { renderConsole, styleFor } from '../report/console.ts';
import type { Results } from '../report/results.ts';
import type { Run } from '../report/verdict.ts';
import type { SecretRegistry } from '../secrets/registry.ts';
import { print, printError, printJson } from './print.ts';
import { writeScanned } from './write-scanned.ts';

export interface ReportOptions {
  /** Folder of the report. */
  readonly report: string;
  /** Print the closing lines only. */
  readonly quiet?: boolean | undefined;
  /** Print the results as JSON on standard output, and the text on standard error. */
  readonly json?: boolean | undefined;
}

/** Writes the report of a run and prints its results. */
export async function reportResults(
  run: Run,
  view: CatalogueView,
  secrets: SecretRegistry,
  { report, quiet = false, json = false }: ReportOptions,
): Promise<Results> {
  const { results, hasPage } = await writeScanned(report, run, view, secrets);
  const text = renderConsole(results, view, {
    style: styleFor(process.env, (json ? process.stderr : process.stdout).isTTY),
    brief: quiet,
    program: programName(),
    ...(hasPage ? { reportPath: join(report, 'index.html') } : {}),
  });
  (json ? printError : print)(secrets.redact(text));
  // A secret in the results also withheld their file, and the run is broken.
  if (json && secrets.find(JSON.stringify(results)).length === 0) printJson(results);
  return results;
}
