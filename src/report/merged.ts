import { listingPage } from './html/listing-page.ts';
import { type SimpleCase, simpleJUnit } from './junit.ts';
import { type Listing, SIGN_OF_EXIT } from './listing.ts';
import { printableJson } from './printable.ts';
import type { Results } from './results.ts';
import { describeTotals, EXIT, type ExitCode, VERDICT_OF_EXIT, verdictOf, worst } from './verdict.ts';
import { verdictText } from './words.ts';

export type Source =
  | { readonly from: string; readonly results: Results }
  | { readonly from: string; readonly missing: string };

export interface MergedTarget {
  readonly from: string;
  readonly name: string;
  readonly verdict: string;
  readonly exitCode: ExitCode;
  readonly because: readonly string[];
  readonly totals: string;
  readonly startedAt?: string;
}

export interface Merged {
  readonly schemaVersion: '1.0';
  /** The worst of all targets: 4, 2, 1, 3, 0. */
  readonly exitCode: ExitCode;
  readonly targets: readonly MergedTarget[];
  readonly because: readonly string[];
}

/**
 * Merges the results of many targets. Missing or unreadable results leave the whole inconclusive.
 *
 * @param expected number of results; undefined for any number
 */
export function merged(sources: readonly Source[], expected: number | undefined): Merged {
  const targets = sources.map(targetOf);
  const found = sources.filter((source) => 'results' in source).length;
  const because =
    expected !== undefined && found < expected
      ? [
          `expected the results of ${expected} targets, found ${found}: those that are missing were not checked, or lost`,
        ]
      : found === 0
        ? ['there are no results']
        : [];
  const codes = targets.map(({ exitCode }) => exitCode);
  const exitCode = worst([...codes, ...(because.length > 0 ? [EXIT.inconclusive] : [])]);
  return { schemaVersion: '1.0', exitCode, targets, because };
}

function targetOf(source: Source): MergedTarget {
  const { from } = source;
  if ('missing' in source)
    return {
      from,
      name: from,
      verdict: 'missing',
      exitCode: EXIT.inconclusive,
      because: [source.missing],
      totals: '',
    };
  const { results } = source;
  const { name } = results.target;
  const totals = describeTotals(results.requirements);
  // The verdict is derived again, so that a file cannot claim a better one than its results give.
  const outcome = verdictOf(results);
  const exitCode = worst([results.exitCode, outcome.exitCode]);
  const differs = outcome.exitCode !== results.exitCode;
  const because = [
    ...outcome.because,
    ...(differs ? [`the file says exit ${results.exitCode}, its results say ${outcome.exitCode}`] : []),
  ];
  return {
    from,
    name,
    verdict: differs && exitCode === outcome.exitCode ? outcome.verdict : verdictText(results),
    exitCode,
    because,
    totals,
    startedAt: results.startedAt,
  };
}

export const MERGED_FILES = ['targets.json', 'index.html', 'junit.xml'] as const;

export function renderMerged(
  merged: Merged,
): readonly { readonly name: (typeof MERGED_FILES)[number]; readonly text: string }[] {
  return [
    { name: 'targets.json', text: `${printableJson(JSON.stringify(merged, null, 2))}\n` },
    { name: 'index.html', text: listingPage(mergedListing(merged)) },
    { name: 'junit.xml', text: junit(merged) },
  ];
}

export function mergedListing({ targets, because, exitCode }: Merged): Listing {
  const good = targets.filter((target) => target.exitCode === EXIT.conforms).length;
  return {
    subject: `${targets.length} targets`,
    verdict: VERDICT_OF_EXIT[exitCode],
    exitCode,
    totals: `${good} of ${targets.length} targets conform, or are retired as expected`,
    remarks: because.map((why) => `because ${why}`),
    blocks: [
      {
        heading: 'Targets',
        entries: targets.map((target) => ({
          sign: SIGN_OF_EXIT[target.exitCode],
          word: target.verdict,
          name: nameOf(target),
          aside: `exit ${target.exitCode}`,
          lines: [
            ...(target.startedAt === undefined ? [] : [`${target.totals}; started ${target.startedAt}`]),
            ...target.because.map((why) => `because ${why}`),
          ],
        })),
      },
    ],
  };
}

function junit({ targets, because }: Merged): string {
  const all = [
    ...targets.map((target) => ({ ...target, name: nameOf(target) })),
    ...because.map((why) => ({ name: 'all targets', exitCode: EXIT.inconclusive, because: [why] })),
  ];
  const cases = all.map(({ name, exitCode, because: why }): SimpleCase => {
    const type = `exit ${exitCode}`;
    return { name, mark: MARK[exitCode] ?? 'error', type, message: why.join('; ') || type };
  });
  return simpleJUnit('all targets', cases);
}

const MARK: Partial<Record<ExitCode, SimpleCase['mark']>> = {
  [EXIT.conforms]: 'passed',
  [EXIT.violates]: 'failure',
};

function nameOf({ name, from }: MergedTarget): string {
  return name === from ? name : `${name} (${from})`;
}
