import { UsageError } from '../../document/input/usage-error.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import { SecretRegistry } from '../../http/secrets/registry.ts';
import { type Comparison, comparisonListing } from '../../report/compare/changes.ts';
import { compareProfiles } from '../../report/compare/profiles.ts';
import { compareResults } from '../../report/compare/results.ts';
import type { ExitCode } from '../../report/verdict.ts';
import { printResult } from '../shared/print-result.ts';
import { frozenProfile } from '../shared/read-profile.ts';
import { readResults } from '../shared/read-results.ts';

/**
 * The verb `compare`. Returns 0 if nothing differs, 1 if something does.
 *
 * @throws UsageError for files of two kinds
 */
export async function compareFiles(
  before: string,
  after: string,
  { json }: { readonly json: boolean },
): Promise<ExitCode> {
  const comparison = await compared(before, after);
  return printResult({
    listing: comparisonListing(comparison),
    secrets: new SecretRegistry(),
    json: json && comparison,
  });
}

async function compared(before: string, after: string): Promise<Comparison> {
  const catalogue = loadCatalogue();
  const [one, other] = [before, after].map((file) =>
    file.endsWith('.json') ? 'a results.json' : 'a profile',
  );
  if (one !== other)
    throw new UsageError(`compare: expected two profiles or two results.json, got ${one} and ${other}`);
  return one === 'a results.json'
    ? compareResults(readResults(before), readResults(after), catalogue)
    : compareProfiles(
        await frozenProfile('compare', before),
        await frozenProfile('compare', after),
        catalogue,
      );
}
