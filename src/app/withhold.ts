import type { ReportFile } from '../report/render-report.ts';
import type { SecretRegistry } from '../secrets/registry.ts';

/** The files that may be written, and what was found in those that may not. */
export interface Scanned {
  readonly clean: readonly ReportFile[];
  /** One sentence per file that holds a secret; never the secret itself. */
  readonly leaks: readonly string[];
}

/** Searches files for the run's secrets before they are written. A file with a hit is withheld. */
export function withholdLeaks(files: readonly ReportFile[], secrets: SecretRegistry): Scanned {
  const clean: ReportFile[] = [];
  const leaks: string[] = [];
  for (const file of files) {
    const labels = [...new Set(secrets.find(file.searched ?? file.text).map((finding) => finding.label))];
    if (labels.length === 0) clean.push(file);
    else
      leaks.push(
        `${file.name} would have held ${labels.join(', ')} and was not written; this is a bug of the suite`,
      );
  }
  return { clean, leaks };
}
