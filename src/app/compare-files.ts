import { existsSync } from 'node:fs';
import { validateResults } from '../../generated/validators.js';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { loadYaml } from '../catalogue/load-yaml.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Profile } from '../profiles/profile.ts';
import { type Comparison, comparisonListing } from '../report/compare/changes.ts';
import { compareProfiles } from '../report/compare/profiles.ts';
import { compareResults } from '../report/compare/results.ts';
import { listingPage } from '../report/html/listing-page.ts';
import { listingMarkdown } from '../report/listing.ts';
import type { Results } from '../report/results.ts';
import type { ExitCode } from '../report/verdict.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import { finish } from './finish.ts';
import { frozenProfile, namesFile } from './read-profile.ts';

type Document =
  | { readonly kind: 'profile'; readonly profile: Profile }
  | { readonly kind: 'results'; readonly results: Results };

export async function compareFiles(
  before: string,
  after: string,
  {
    markdown,
    html,
    json,
  }: Readonly<Record<'markdown' | 'html', string | undefined>> & { readonly json: boolean },
): Promise<ExitCode> {
  const comparison = compared(await read(before), await read(after));
  const listing = comparisonListing(comparison);
  return finish({
    listing,
    secrets: new SecretRegistry(),
    ...(json && { json: comparison }),
    files: [
      ...(markdown === undefined ? [] : [{ path: markdown, text: listingMarkdown(listing) }]),
      ...(html === undefined ? [] : [{ path: html, text: listingPage(listing) }]),
    ],
  });
}

function compared(before: Document, after: Document): Comparison {
  const catalogue = loadCatalogue();
  if (before.kind === 'profile' && after.kind === 'profile') {
    return compareProfiles(before.profile, after.profile, catalogue);
  }
  if (before.kind === 'results' && after.kind === 'results') {
    return compareResults(before.results, after.results, catalogue);
  }
  throw new UsageError(
    `compare: expected two profiles or two results.json, got ${WORDS[before.kind]} and ${WORDS[after.kind]}`,
  );
}

const WORDS = { profile: 'a profile', results: 'a results.json' } as const;

async function read(file: string): Promise<Document> {
  if (!file.endsWith('.json')) {
    if (existsSync(file) && !namesFile(file)) {
      throw new UsageError(`compare: expected a profile that ends in .yaml or a results.json, got ${file}`);
    }
    return { kind: 'profile', profile: await frozenProfile('compare', file) };
  }
  if (!existsSync(file)) throw new UsageError(`compare: there is no file ${file}`);
  return { kind: 'results', results: loadYaml(file, validateResults) as unknown as Results };
}
