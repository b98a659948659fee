import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { validateResults } from '../../generated/validators.js';
import { redactText } from '../exchange/to-evidence.ts';
import { parseJson } from '../input/plain-data.ts';
import { UsageError } from '../input/usage-error.ts';
import {
  MERGED_FILES,
  type Merged,
  merged,
  mergedMarkdown,
  mergedText,
  renderMerged,
  type Source,
} from '../report/merged.ts';
import type { Results } from '../report/results.ts';
import { EXIT, type ExitCode } from '../report/verdict.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import { print, printError, printJson } from './print.ts';
import { requireWritableFolder, whyUnwritten, whyWithheld, writeSearched } from './write-files.ts';

export interface MergeRequest {
  readonly paths: readonly string[];
  readonly expect: number | undefined;
  readonly targets: readonly string[];
  readonly report: string;
  readonly json?: boolean;
}

export async function mergeResults({
  paths,
  expect,
  targets,
  report,
  json,
}: MergeRequest): Promise<ExitCode> {
  if (paths.length === 0) throw new UsageError('merge: expected folders of reports');
  const secrets = await secretsOf(targets);
  requireWritableFolder('--report', report);
  const files = [...new Map(paths.flatMap(resultsIn).map((file) => [identityOf(file), file])).values()];
  const whole = merged(files.map(readSource), expect);
  // Evidence is omitted; the rest is redacted like any report.
  const clean = JSON.parse(redactText(JSON.stringify(whole), secrets)) as Merged;
  const trouble = [
    ...files.flatMap((file) => leaksIn(file, secrets)),
    ...(await write(clean, report, secrets)),
  ];
  const say = json ? printError : print;
  say(secrets.redact(mergedText(clean)));
  if (trouble.length === 0) {
    if (json) printJson(clean);
    say(`report: ${join(report, 'index.html')}\n`);
    return clean.exitCode;
  }
  for (const why of trouble) printError(`${why}\n`);
  return EXIT.broken;
}

async function secretsOf(targets: readonly string[]): Promise<SecretRegistry> {
  const secrets = new SecretRegistry();
  if (targets.length === 0) return secrets;
  const { loadConfiguration } = await import('../config/load-configuration.ts');
  for (const target of targets)
    secrets.registerAll((await loadConfiguration(target, process.env, false)).secrets);
  return secrets;
}

/**
 * Returns the result files of a path. Searches subfolders if a folder has none itself, as build servers unpack
 * artifacts that way.
 */
function resultsIn(path: string): readonly string[] {
  if (!existsSync(path) || !statSync(path).isDirectory()) return [path];
  const own = join(path, 'results.json');
  if (existsSync(own)) return [own];
  const folders = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name, 'results.json'))
    .sort();
  return folders.length === 0 ? [own] : folders;
}

function identityOf(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

function readSource(from: string): Source {
  if (!existsSync(from)) return { from, missing: `there is no file ${from}` };
  try {
    const value = parseJson(readFileSync(from, 'utf8'));
    if (validateResults(value)) return { from, results: value as unknown as Results };
    const version = (value as { schemaVersion?: unknown } | null)?.schemaVersion;
    return {
      from,
      missing: `${from} is no results.json that this suite can read (schemaVersion ${JSON.stringify(version) ?? 'absent'})`,
    };
  } catch (error) {
    return {
      from,
      missing: `${from} cannot be read: ${error instanceof Error ? error.message : 'unknown error'}`,
    };
  }
}

/** Returns the configured secrets found in a file: such a report was not redacted and must be withdrawn. */
function leaksIn(file: string, secrets: SecretRegistry): readonly string[] {
  if (!existsSync(file) || secrets.size === 0) return [];
  const labels = new Set(secrets.find(readFileSync(file, 'utf8')).map(({ label }) => label));
  return labels.size === 0
    ? []
    : [`${file} holds ${[...labels].join(', ')}: withdraw it, and change the secret`];
}

async function write(whole: Merged, report: string, secrets: SecretRegistry): Promise<readonly string[]> {
  const trouble: string[] = [];
  for (const name of MERGED_FILES) await rm(join(report, name), { force: true }).catch(() => undefined);
  for (const { name, text } of renderMerged(whole))
    trouble.push(...(await writeSearched(join(report, name), text, secrets)));
  const [variable, summary] = ['GITHUB_STEP_SUMMARY', mergedMarkdown(whole)];
  const leak = whyWithheld(variable, summary, secrets);
  const file = process.env[variable];
  if (leak !== undefined) trouble.push(leak);
  else if (file) trouble.push(...(await whyUnwritten(variable, appendFile(file, summary))));
  return trouble;
}
