import type { Results } from './results.ts';
import { describeTotals } from './totals.ts';
import { EXIT, type ExitCode, verdictOf, worst } from './verdict.ts';
import { verdictWords } from './words.ts';

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
    verdict: differs && exitCode === outcome.exitCode ? outcome.verdict : verdictWords(results),
    exitCode,
    because,
    totals,
    startedAt: results.startedAt,
  };
}

export function mergedWords({ targets, exitCode }: Merged): string {
  const good = targets.filter((target) => target.exitCode === EXIT.conforms).length;
  return `${good} of ${targets.length} targets are as they should be; exit ${exitCode}`;
}
