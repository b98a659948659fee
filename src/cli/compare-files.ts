import { UsageError } from '../document/input/usage-error.ts';
import { loadCatalogue } from '../document/load-catalogue.ts';
import { SecretRegistry } from '../http/secrets/registry.ts';
import { type Comparison, comparisonListing } from '../report/compare/changes.ts';
import { compareProfiles } from '../report/compare/profiles.ts';
import { compareResults } from '../report/compare/results.ts';
import type { ExitCode } from '../report/verdict.ts';
import { drillIn, drillWords, stamped } from '../target/drill.ts';
import { finish } from './finish.ts';
import { frozenProfile } from './read-profile.ts';
import { readResults } from './read-results.ts';

export async function compareFiles(
  before: string,
  after: string,
  { json }: { readonly json: boolean },
): Promise<ExitCode> {
  const comparison = drilled(await compared(before, after));
  return finish({
    listing: comparisonListing(comparison),
    secrets: new SecretRegistry(),
    ...(json && { json: comparison }),
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

/** In a drill, the two always differ. */
function drilled(comparison: Comparison): Comparison {
  const drill = drillIn(process.env);
  if (drill === undefined) return comparison;
  const what = stamped('a difference of its own', drill);
  const changed = { kind: 'changed', what, about: drillWords(drill), breaks: 'likely' } as const;
  return {
    ...comparison,
    changes: [{ ...changed, before: 'as read', after: 'changed' }, ...comparison.changes],
  };
}
