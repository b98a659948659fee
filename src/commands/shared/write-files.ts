import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../../document/input/usage-error.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { REPORT_FILES } from '../../report/files.ts';
import { OUR_PAGE } from '../../report/html/listing-page.ts';
import { ASSIGNED_FILE } from '../../service/flow/assigned-by-run.ts';

/**
 * Writes a file as a whole or not at all: beside it first, then in its place. Writes directly to anything that is no regular
 * file, such as a pipe.
 *
 * @throws Error of the file system; the old content is still there
 */
export async function writeWhole(file: string, text: string | Uint8Array, mode?: number): Promise<void> {
  makeFolder(dirname(resolve(file)));
  if (existsSync(file) && !lstatSync(file).isFile() && !statSync(file).isDirectory()) {
    await writeFile(file, text);
    return;
  }
  const beside = besideOf(file);
  try {
    await writeFile(beside, text, { mode, flush: true });
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Requires that {@link writeWhole} can write a file: creates its folder, and a file beside it for a moment. */
export function requireWritableFile(option: string, file: string): void {
  const isThere = existsSync(file);
  if (isThere && statSync(file).isDirectory())
    throw new UsageError(`${option}: expected a file, got the folder ${file}`);
  if (isThere && !lstatSync(file).isFile()) return;
  try {
    makeFolder(dirname(resolve(file)));
    writeFileSync(besideOf(file), '');
    rmSync(besideOf(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `${option}: expected a folder that can be written to, and a name that it can hold, got ${file} (${code})`,
      { cause: error },
    );
  }
}

/** Node's recursive `mkdir` never returns in a folder that refuses entries with ENOENT, as `/proc` does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function besideOf(file: string): string {
  return `${file}.${process.pid}.tmp`;
}

/** Returns why a text must not be written; undefined if it holds no secret of the run. */
export function whyWithheld(what: string, text: string, secrets: SecretRegistry): string | undefined {
  const labels = [...new Set(secrets.find(text).map(({ label }) => label))];
  return labels.length === 0
    ? undefined
    : `${what} would have held ${labels.join(', ')} and was not written; this is a bug of the suite`;
}

/** Returns why a file could not be written, with only the system's error code; nothing if it was. */
export async function whyUnwritten(what: string, writing: Promise<unknown>): Promise<readonly string[]> {
  try {
    await writing;
    return [];
  } catch (error) {
    return [`${what} could not be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`];
  }
}

/** Writes a file unless it would hold a secret of the run. Returns why it did not; nothing if it did. */
export async function writeSearched(
  file: string,
  text: string,
  secrets: SecretRegistry,
): Promise<readonly string[]> {
  const withheld = whyWithheld(file, text, secrets);
  return withheld === undefined ? whyUnwritten(file, writeWhole(file, text)) : [withheld];
}

/** Requires that a report can be written, and overwrites no page that the suite has not written. */
export function requireReportFolder(folder: string, names: readonly string[] = REPORT_FILES): void {
  for (const name of [...names, ASSIGNED_FILE]) requireWritableFile('--report', join(folder, name));
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary) requireWritableFile('GITHUB_STEP_SUMMARY', summary);
  if (holdsForeignPage(folder))
    throw new UsageError(
      `--report: expected a folder for the report, got ${folder}, whose index.html this program has not written; name another folder, such as --report ${join(folder, 'legacy-conformance')}`,
    );
}

/** True if the folder has an `index.html` that the suite has not written. */
export function holdsForeignPage(folder: string): boolean {
  const page = join(folder, 'index.html');
  return existsSync(page) && statSync(page).isFile() && !readFileSync(page, 'utf8').includes(OUR_PAGE);
}
