import type { RequirementResult, ResultKind, Totals } from './results.ts';

const FIELD_OF: Readonly<Record<ResultKind, Exclude<keyof Required<Totals>, 'selected'>>> = {
  pass: 'pass',
  fail: 'fail',
  warning: 'warning',
  'known-deviation': 'knownDeviation',
  'not-applicable': 'notApplicable',
  blocked: 'blocked',
  'not-run': 'notRun',
  'not-exercised': 'notExercised',
  observed: 'observed',
};

export function totalsOf(results: readonly Pick<RequirementResult, 'result'>[]): Totals {
  const counts: Record<keyof Required<Totals>, number> = {
    selected: results.length,
    pass: 0,
    fail: 0,
    warning: 0,
    knownDeviation: 0,
    notApplicable: 0,
    blocked: 0,
    notRun: 0,
    notExercised: 0,
    observed: 0,
  };
  for (const { result } of results) counts[FIELD_OF[result]] += 1;
  // A service has neither, so the totals omit them.
  const { notExercised, observed, ...service } = counts;
  return notExercised + observed === 0 ? service : counts;
}

/** Counts evaluated requirements, the only honest denominator of "passed". */
export function evaluatedOf(totals: Totals): number {
  return totals.pass + totals.fail + totals.warning + totals.knownDeviation;
}

/**
 * Describes totals: `41 of 41 passed, 9 not applicable (needs clock), 2 not run`. The base is the number of evaluated
 * requirements, never of selected ones.
 *
 * @param results of a clause or of the whole run
 */
export function describeTotals(results: readonly Pick<RequirementResult, 'result' | 'missing'>[]): string {
  const totals = totalsOf(results);
  if (totals.selected === 0) return 'none selected';
  const evaluatedCount = evaluatedOf(totals);
  const parts = [evaluatedCount === 0 ? 'none evaluated' : `${totals.pass} of ${evaluatedCount} passed`];
  const add = (count: number, one: string, many = one) => {
    if (count > 0) parts.push(`${count} ${count === 1 ? one : many}`);
  };
  add(totals.fail, 'failed');
  add(totals.warning, 'warning', 'warnings');
  add(totals.knownDeviation, 'known deviation', 'known deviations');
  add(totals.blocked, 'blocked');
  add(totals.notApplicable, `not applicable${needs(results)}`);
  add(totals.notRun, 'not run');
  add(totals.notExercised ?? 0, 'not exercised');
  add(totals.observed ?? 0, 'observed');
  return parts.join(', ');
}

function needs(results: readonly Pick<RequirementResult, 'missing'>[]): string {
  const abilities = [...new Set(results.flatMap(({ missing }) => missing ?? []))].sort();
  return abilities.length === 0 ? '' : ` (needs ${abilities.join(', ')})`;
}
