import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { validateResults } from '../../generated/validators.js';
import { redactText } from '../exchange/to-evidence.ts';
import { parseJson } from '../input/plain-data.ts';
import { UsageError } from '../input/usage-error.ts';
import {
  MERGED_FILES,
  type Merged,
  merged,
  mergedListing,
  renderMerged,
  type Source,
} from '../report/merged.ts';
import type { Results } from '../report/results.ts';
import type { ExitCode } from '../report/verdict.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import { finish, summarize } from './finish.ts';
import { requireWritableFolder } from './write-files.ts';

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
  for (const name of MERGED_FILES) await rm(join(report, name), { force: true }).catch(() => undefined);
  const listing = mergedListing(clean);
  return finish({
    listing,
    secrets,
    ...(json && { json: clean }),
    files: renderMerged(clean).map(({ name, text }) => ({ path: join(report, name), text })),
    page: join(report, 'index.html'),
    failures: [...files.flatMap((file) => leaksIn(file, secrets)), ...(await summarize(listing, secrets))],
  });
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
  try {
    const value = parseJson(readFileSync(from, 'utf8'));
    if (validateResults(value)) return { from, results: value as unknown as Results };
    const version = (value as { schemaVersion?: unknown } | null)?.schemaVersion;
    throw new Error(`schemaVersion ${JSON.stringify(version) ?? 'absent'}`);
  } catch (error) {
    return { from, missing: `${from} is no results.json that can be read: ${(error as Error).message}` };
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
