import { countText, firstOf } from './count-text.ts';
import type {
  Level,
  RequirementResult,
  ResultKind,
  Results,
  Retirement,
  RunFinding,
  RunTrouble,
  Totals,
} from './results.ts';

/** Exit codes of every verb. `usage` has no verdict, because nothing was sent. */
export const EXIT = { conforms: 0, violates: 1, usage: 2, inconclusive: 3, broken: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const VERDICT_OF_EXIT: Readonly<Record<ExitCode, string>> = {
  [EXIT.conforms]: 'conforms',
  [EXIT.violates]: 'violates',
  [EXIT.usage]: 'wrong usage',
  [EXIT.inconclusive]: 'inconclusive',
  [EXIT.broken]: 'broken',
};

/** The result of a run with its reasons. */
export type RunOutcome = { readonly because: readonly string[] } & (
  | { readonly verdict: 'conforms'; readonly exitCode: typeof EXIT.conforms }
  | { readonly verdict: 'retired'; readonly exitCode: typeof EXIT.conforms }
  | { readonly verdict: 'violates'; readonly exitCode: typeof EXIT.violates }
  | { readonly verdict: 'inconclusive'; readonly exitCode: typeof EXIT.inconclusive }
  | { readonly verdict: 'broken'; readonly exitCode: typeof EXIT.broken }
);

/** Decides an exit code. */
export interface VerdictInput {
  readonly troubles: readonly RunTrouble[];
  readonly violations: readonly string[];
  readonly gaps: readonly string[];
  readonly evaluatedCount: number;
}

/**
 * The only place that decides exit codes: the first of 4, 2, 1, 3, 0 with a cause. No evaluation is never a pass. Verbs without
 * requirements (contracts, the steps of `doctor`, a broker's answer) call this directly.
 */
export function conclude({
  troubles = [],
  violations = [],
  gaps = [],
  evaluatedCount,
}: Partial<VerdictInput> & Pick<VerdictInput, 'evaluatedCount'>): RunOutcome {
  const messages = (kind: RunTrouble['kind']) =>
    troubles.filter((trouble) => trouble.kind === kind).map((trouble) => trouble.message);

  const broken = messages('broken');
  if (broken.length > 0) return { verdict: 'broken', exitCode: EXIT.broken, because: broken };
  if (violations.length > 0) return { verdict: 'violates', exitCode: EXIT.violates, because: violations };

  const open = [...messages('inconclusive'), ...gaps];
  if (evaluatedCount === 0 && open.length === 0) open.push('nothing was evaluated, and that is never a pass');
  if (open.length > 0) return { verdict: 'inconclusive', exitCode: EXIT.inconclusive, because: open };
  return { verdict: 'conforms', exitCode: EXIT.conforms, because: [] };
}

const PRECEDENCE: readonly ExitCode[] = [EXIT.broken, EXIT.usage, EXIT.violates, EXIT.inconclusive];

/** Returns the combined exit code of several steps; precedence 4, 2, 1, 3, 0. */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  return PRECEDENCE.find((code) => codes.includes(code)) ?? EXIT.conforms;
}

export interface EvaluatedRun {
  readonly requirements: readonly Pick<
    RequirementResult,
    'id' | 'level' | 'result' | 'blockedBy' | 'cause'
  >[];
  readonly troubles: readonly RunTrouble[];
  readonly findings: readonly RunFinding[];
  readonly strict: boolean;
  readonly retirement?: Pick<Retirement, 'expected'> | undefined;
}

/**
 * Returns the verdict of a conformance run.
 * A failure violates, and so does a warning under `strict` and a finding about a known deviation. A known deviation conforms. A
 * result that is not applicable is neutral. A requirement that did not run, or is blocked by
 * an unevaluated one, leaves the run inconclusive.
 */
export function verdictOf(run: EvaluatedRun): RunOutcome {
  const idsWith = (kind: ResultKind) => ofKind(run.requirements, kind).map(({ id }) => id);

  const failed = idsWith('fail');
  const warned = idsWith('warning');
  const evaluatedCount = run.requirements.filter(isEvaluated).length;

  const violations: string[] = [];
  if (failed.length > 0) violations.push(`${countText(failed.length)} failed: ${firstOf(failed)}`);
  if (run.strict && warned.length > 0)
    violations.push(`${countText(warned.length)} warned, and --strict counts that: ${firstOf(warned)}`);
  violations.push(...run.findings.map(({ message }) => message));

  const gaps: string[] = [];
  // Requirements that a trouble kept from running are counted behind it, and are no reason of their own.
  const keptBy = (trouble: RunTrouble) => run.requirements.filter((result) => isPreventedBy(trouble, result));
  const troubles = run.troubles.map((trouble) => {
    const { length } = keptBy(trouble);
    return length === 0
      ? trouble
      : { ...trouble, message: trouble.message.replace(/\n|$/, `; ${countText(length)} not run$&`) };
  });
  const explained = new Set(run.troubles.flatMap(keptBy).map(({ id }) => id));
  const notRun = idsWith('not-run').filter((id) => !explained.has(id));
  if (notRun.length > 0) gaps.push(`${countText(notRun.length)} did not run: ${firstOf(notRun)}`);
  const unexplained = unexplainedBlocks(run.requirements);
  if (unexplained.length > 0)
    gaps.push(
      `${countText(unexplained.length)} blocked, and nothing evaluated explains it: ${firstOf(unexplained)}`,
    );

  const expected = run.retirement?.expected;
  if (expected !== undefined && run.troubles.length === 0 && violations.length === 0 && evaluatedCount === 0)
    return { verdict: 'retired', exitCode: EXIT.conforms, because: [expectedRetirementWords(expected)] };
  return conclude({ troubles, violations, gaps, evaluatedCount });
}

/** Returns true if a trouble of the run kept a requirement from running. */
export function isPreventedBy(
  { cause }: RunTrouble,
  { result, cause: own }: Pick<RequirementResult, 'result' | 'cause'>,
): boolean {
  return result === 'not-run' && cause !== undefined && own === cause;
}

export function missingRequiredAbilities(
  required: readonly string[],
  available: readonly string[],
): readonly RunTrouble[] {
  return required
    .filter((ability) => !available.includes(ability))
    .map((ability) => ({
      kind: 'inconclusive',
      message: `the ability ${ability} is required, the target has ${available.join(', ') || 'none'}: configure it, or require less`,
    }));
}

/**
 * Follows `blockedBy` to the requirement at the start of the chain.
 *
 * @returns the first one that is not blocked itself; undefined if the chain leaves the selection, names no requirement, or is a
 * circle
 */
export function rootOfBlock<R extends Pick<RequirementResult, 'id' | 'result' | 'blockedBy'>>(
  id: string,
  byId: ReadonlyMap<string, R>,
): R | undefined {
  const seen = new Set<string>();
  let current = byId.get(id);
  while (current?.result === 'blocked') {
    if (seen.has(current.id) || current.blockedBy === undefined) return undefined;
    seen.add(current.id);
    current = byId.get(current.blockedBy);
  }
  return current;
}

/**
 * Returns true if a block leaves no gap. A failure decides the run anyway; a known deviation includes what it blocks; a
 * warning excuses only requirements that would only warn.
 */
function explainsBlock(root: string | undefined, blocked: Level): boolean {
  if (root === 'warning') return blocked !== 'documented';
  return root === 'fail' || root === 'known-deviation';
}

function unexplainedBlocks(results: EvaluatedRun['requirements']): string[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  return results
    .filter(
      ({ id, result, level }) => result === 'blocked' && !explainsBlock(rootOfBlock(id, byId)?.result, level),
    )
    .map(({ id }) => id);
}

function expectedRetirementWords({ from, takesOver }: NonNullable<Retirement['expected']>): string {
  const next =
    takesOver.length === 0
      ? 'the configuration names nothing that takes over (retired.shim, retired.profile)'
      : `what takes over: ${takesOver.join('; ')}`;
  return `the service is retired, as expected from ${from} on; ${next}`;
}

export type Run = Omit<Results, 'schemaVersion' | 'verdict' | 'exitCode' | 'totals'>;

/** Turns a run into the document `results.json`: adds verdict, exit code and totals, so that they always match the results. */
export function assembleResults(run: Run): Results {
  const outcome = verdictOf(run);
  const head = {
    schemaVersion: '1.4',
    verdict: outcome.verdict,
    exitCode: outcome.exitCode,
    totals: totalsOf(run.requirements),
  } as const;
  // First in the file, and never those of a run that was assembled before.
  return { ...head, ...run, ...head };
}

/** In the order of `totals` in the file. */
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
  const counts = Object.entries(FIELD_OF).map(([kind, field]) => {
    return [field, ofKind(results, kind as ResultKind).length] as const;
  });
  const totals = { selected: results.length, ...Object.fromEntries(counts) } as Required<Totals>;
  // A service has neither, so the totals omit them.
  const { notExercised, observed, ...service } = totals;
  return notExercised + observed === 0 ? service : totals;
}

/** Returns the results of one kind. */
export function ofKind<R extends Pick<RequirementResult, 'result'>>(
  results: readonly R[],
  kind: ResultKind,
): readonly R[] {
  return results.filter(({ result }) => result === kind);
}

/** True for a result that a requirement was broken. */
export function isBroken({ result }: Pick<RequirementResult, 'result'>): boolean {
  return result === 'fail' || result === 'warning' || result === 'known-deviation';
}

/** True for an evaluated requirement: their number is the only honest denominator of "passed". */
export function isEvaluated(result: Pick<RequirementResult, 'result'>): boolean {
  return result.result === 'pass' || isBroken(result);
}

/**
 * Describes totals: `41 of 41 passed, 9 not applicable (needs clock), 2 not run`. The base is the number of evaluated
 * requirements, never of selected ones.
 */
export function describeTotals(results: readonly RequirementResult[]): string {
  const totals = totalsOf(results);
  if (totals.selected === 0) return 'none selected';
  const evaluatedCount = results.filter(isEvaluated).length;
  const abilities = [...new Set(results.flatMap(({ missing }) => missing ?? []))].sort().join(', ');
  const others: readonly (readonly [count: number | undefined, one: string, many?: string])[] = [
    [totals.fail, 'failed'],
    [totals.warning, 'warning', 'warnings'],
    [totals.knownDeviation, 'known deviation', 'known deviations'],
    [totals.blocked, 'blocked'],
    [totals.notApplicable, `not applicable${abilities === '' ? '' : ` (needs ${abilities})`}`],
    [totals.notRun, 'not run'],
    [totals.notExercised, 'not exercised'],
    [totals.observed, 'observed'],
  ];
  return [
    evaluatedCount === 0 ? 'none evaluated' : `${totals.pass} of ${evaluatedCount} passed`,
    ...others.flatMap(([count = 0, one, many = one]) => (count === 0 ? [] : countText(count, one, many))),
  ].join(', ');
}
