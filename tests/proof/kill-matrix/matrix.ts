import { createHash } from 'node:crypto';
import type { RequirementId } from '../../../generated/ids.ts';
import type { ProvenDefect } from '../second-order/define-second-order.ts';
import { type PoolOptions, runRows } from './pool.ts';
import type { RowRun } from './row.ts';
import type { RowOutcome } from './run-checks.ts';
import { evaluateLiveRun, evaluateRun, type MatrixRow } from './verdict.ts';

/** Every defect against every check. */
export interface Matrix {
  readonly profile: string;
  /** Failures of the base profile itself; a kill would prove nothing then. */
  readonly baseProblems: readonly string[];
  /** Requirements that do not pass on the base profile. */
  readonly exempt: readonly RequirementId[];
  readonly rows: readonly MatrixRow[];
  readonly workers: number;
  readonly durationMs: number;
}

/** Which rows are run, and how. */
export interface MatrixOptions extends PoolOptions {
  /** The defects whose failed checks are run again in a real browser. */
  readonly inBrowser: readonly ProvenDefect[];
  /** True to run the rows on the emulator as a live target; `hidden-on-live.ts` lists the defects that a gate may hide there. */
  readonly live?: boolean;
  /** The order in which the rows are run; the matrix is in the order of the facts whatever it is. */
  readonly order?: (facts: readonly ProvenDefect[]) => readonly ProvenDefect[];
}

/**
 * Runs every check against every defect, each on a fresh emulator, and once against the base profile.
 *
 * @param facts the defects to run
 */
export async function runMatrix(facts: readonly ProvenDefect[], options: MatrixOptions): Promise<Matrix> {
  const { inBrowser, order, onRow, live = false, ...pool } = options;
  const begun = performance.now();
  const slow = new Set(inBrowser.map(({ id }) => id));
  const ordered = order?.(facts) ?? longestFirst(facts, slow);
  const tasks = ordered.map(({ id }) => ({
    defect: id,
    browser: slow.has(id),
    live,
  }));
  const [base, ...runs] = await runRows([{ defect: undefined, browser: false, live }, ...tasks], {
    ...pool,
    ...(onRow && { onRow }),
  });
  const { exempt, problems: baseProblems } = evaluateBase(base);
  const byDefect = new Map(runs.map((run) => [run.defect, run]));
  return {
    profile: pool.profile,
    baseProblems,
    exempt,
    rows: facts.flatMap((defect) => {
      const run = byDefect.get(defect.id);
      if (run === undefined) return [];
      return (live ? evaluateLiveRun : evaluateRun)(defect, run, new Set(exempt));
    }),
    workers: pool.workers,
    durationMs: Math.round(performance.now() - begun),
  };
}

/** The defects of clause 4.1: what the browser does is part of what they break. */
export function ofThePage(facts: readonly ProvenDefect[]): readonly ProvenDefect[] {
  return facts.filter(({ clause }) => clause === '4.1');
}

/** Rows with a browser take several times as long: run last, they would leave the other workers idle. */
function longestFirst(facts: readonly ProvenDefect[], slow: ReadonlySet<string>): readonly ProvenDefect[] {
  return [...facts.filter(({ id }) => slow.has(id)), ...facts.filter(({ id }) => !slow.has(id))];
}

/** The base profile must hold by itself, warnings that it declares apart. */
function evaluateBase(run: RowRun | undefined): {
  exempt: readonly RequirementId[];
  problems: readonly string[];
} {
  const outcomes = run?.outcomes ?? [];
  const sound = (o: RowOutcome) =>
    o.result === 'pass' || o.result === 'not-applicable' || o.result === 'warning';
  const problems = outcomes
    .filter((o) => !sound(o) || o.broken !== undefined)
    .map((o) => `${o.id} came out as ${o.result} on the base profile: ${o.broken ?? o.reason}`);
  if (run?.failure !== undefined) problems.push(`the base profile could not be run: ${run.failure}`);
  return { exempt: outcomes.filter((o) => o.result !== 'pass').map(({ id }) => id), problems };
}

/** Everything that is wrong with a matrix, one sentence each. */
export function problemsOf({ baseProblems, rows }: Matrix): readonly string[] {
  return [
    ...baseProblems,
    ...rows.flatMap(({ facts, problems }) => problems.map((p) => `${facts.id}: ${p}`)),
  ];
}

/**
 * Returns the findings of a run without parts that differ between equal runs.
 */
export function fingerprint(matrix: Matrix): string {
  const { rows, baseProblems, exempt } = matrix;
  return JSON.stringify(
    {
      baseProblems,
      exempt,
      rows: rows.map(({ durationMs: _, facts, ...found }) => ({ id: facts.id, ...found })),
    },
    null,
    1,
  );
}

/** The items in an order that depends on the seed alone: the same seed, the same order, on every machine. */
export function shuffled<T>(items: readonly T[], seed: string): readonly T[] {
  return items
    .map((item, index) => ({ item, key: createHash('sha256').update(`${seed} ${index}`).digest('hex') }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ item }) => item);
}
