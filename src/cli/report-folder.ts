import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../document/input/usage-error.ts';
import { PICTURE } from '../judge/run/prepare-target.ts';
import { REPORT_FILES } from '../report/document.ts';
import { OUR_PAGE } from '../report/html/listing-page.ts';
import { ASSIGNED_FILE } from '../target/flow/assigned-by-run.ts';
import { requireWritableFile } from './write-files.ts';

/** Requires that a report can be written, and overwrites no page that the suite has not written. */
export function requireReportFolder(folder: string, names: readonly string[] = REPORT_FILES): void {
  for (const name of [...names, ASSIGNED_FILE, PICTURE]) requireWritableFile('--report', join(folder, name));
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary) requireWritableFile('GITHUB_STEP_SUMMARY', summary);
  if (holdsForeignPage(folder))
    throw new UsageError(
      `--report: expected a folder for the report, got ${folder}, whose index.html this program has not written; name another folder, such as --report report/check`,
    );
}

export function holdsForeignPage(folder: string): boolean {
  const page = join(folder, 'index.html');
  return existsSync(page) && statSync(page).isFile() && !readFileSync(page, 'utf8').includes(OUR_PAGE);
}
