import { appendFile } from 'node:fs/promises';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { type Listing, linesListing, listingMarkdown, listingText, styleFor } from '../../report/listing.ts';
import { conclude, EXIT, type ExitCode, type VerdictInput } from '../../report/verdict.ts';
import { printBeside, printError, printJson } from './print.ts';
import { whyUnwritten, whyWithheld, writeSearched } from './write-files.ts';

interface VerbOutput {
  readonly listing: Listing;
  /** Redacts what is printed. A file that holds one of them is not written. */
  readonly secrets: SecretRegistry;
  /** Printed by `--json` on standard output; the text then goes to standard error. False without the option. */
  readonly json?: object | false | undefined;
  readonly files?: readonly { readonly path: string; readonly text: string }[];
  /** The page that the text names; only if it was written. */
  readonly page?: string;
  readonly quiet?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

/** Ends a verb: writes its files, prints its result, and returns the exit code. */
export async function printResult({
  listing,
  secrets,
  json,
  files = [],
  page,
  quiet,
  verbose,
}: VerbOutput): Promise<ExitCode> {
  const failed: string[] = [];
  for (const { path, text } of files) failed.push(...(await writeSearched(path, text, secrets)));
  const style = styleFor(process.env, (json ? process.stderr : process.stdout).isTTY);
  const reportPath = failed.length === 0 ? page : undefined;
  printBeside(json, secrets.redact(listingText(listing, { style, brief: quiet, verbose, reportPath })));
  if (json) printJson(secrets.redactAll(json));
  for (const why of failed) printError(`${why}\n`);
  return failed.length > 0 ? EXIT.broken : listing.exitCode;
}

/** The result of a verb without requirements. Default: without a problem. */
export interface VerbResult extends Partial<VerdictInput> {
  readonly headline: string;
  readonly lines?: readonly string[];
  readonly table?: Listing['table'];
  /** The words of the verdict, if not the usual ones. */
  readonly endings?: Readonly<Record<ExitCode, string>>;
  /** Printed with the verdict. */
  readonly json?: object | undefined;
}

/** Prints the result of a verb without requirements. Returns its exit code. */
export function printConclusion(concluded: VerbResult, secrets: SecretRegistry): Promise<ExitCode> {
  const { headline, lines, table, endings, json, ...signals } = concluded;
  const outcome = conclude({ evaluatedCount: 1, ...signals });
  return printResult({
    listing: { ...linesListing(headline, outcome, lines, endings?.[outcome.exitCode]), table },
    secrets,
    json: json && { ...outcome, ...json },
  });
}

/** Adds a result to the summary that GitHub Actions shows. Returns why it did not; nothing if it did. */
export async function addToJobSummary(
  listing: Listing,
  secrets: SecretRegistry,
  env: NodeJS.ProcessEnv = process.env,
): Promise<readonly string[]> {
  const variable = 'GITHUB_STEP_SUMMARY';
  const file = env[variable];
  if (!file) return [];
  const text = listingMarkdown(listing);
  const leak = whyWithheld(variable, text, secrets);
  return leak === undefined ? whyUnwritten(variable, appendFile(file, text)) : [leak];
}
