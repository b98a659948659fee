import type { RequirementId } from '../../generated/ids.ts';
import type { DefectFacts } from '../catalogue/load-defects.ts';
import { judgeRow, type RowVerdict } from './judge-row.ts';
import { type PoolOptions, runRows } from './pool.ts';
import type { RowRun } from './row.ts';
import type { Outcome } from './run-target.ts';

/** One defect with what the checks made of it. */
export interface MatrixRow extends RowVerdict {
  readonly facts: DefectFacts;
  /** What the failed checks came out as in a real browser; absent where they were not run there. */
  readonly inBrowser?: readonly Outcome[];
  /** Everything that is not as it should be, one sentence each. Empty: the defect is killed, exactly. */
  readonly problems: readonly string[];
  readonly durationMs: number;
}

/** Every defect against every check. */
export interface Matrix {
  readonly profile: string;
  /** What is wrong with the base profile by itself; a kill would prove nothing then. */
  readonly baseProblems: readonly string[];
  /** Requirements that do not pass on the base profile. */
  readonly exempt: readonly RequirementId[];
  readonly rows: readonly MatrixRow[];
  readonly workers: number;
  readonly durationMs: number;
}

/** Which rows are run, and how. */
export interface MatrixOptions extends PoolOptions {
  /** Clauses whose failed checks are run again in a real browser. */
  readonly browserClauses: readonly string[];
  /** Whether the rows are run on the emulator as a live target; what a gate may hide there is in `hidden-on-live.ts`. */
  readonly live?: boolean;
  /** The order in which the rows are run; the matrix is in the order of the facts whatever it is. */
  readonly order?: (facts: readonly DefectFacts[]) => readonly DefectFacts[];
}

/**
 * Runs every check against every defect, each on a fresh emulator, and once against the base profile.
 *
 * @param facts the defects to run
 */
export async function runMatrix(facts: readonly DefectFacts[], options: MatrixOptions): Promise<Matrix> {
  const { browserClauses, order, onRow, live = false, ...pool } = options;
  const begun = performance.now();
  const ordered = order?.(facts) ?? longestFirst(facts, browserClauses);
  const tasks = ordered.map(({ id, clause }) => ({
    defect: id,
    browser: browserClauses.includes(clause),
    live,
  }));
  const [base, ...runs] = await runRows([{ defect: undefined, browser: false, live }, ...tasks], {
    ...pool,
    ...(onRow && { onRow }),
  });
  const { exempt, problems: baseProblems } = judgeBase(base);
  const byDefect = new Map(runs.map((run) => [run.defect, run]));
  return {
    profile: pool.profile,
    baseProblems,
    exempt,
    rows: facts.flatMap((defect) => {
      const run = byDefect.get(defect.id);
      return run === undefined ? [] : judgeRun(defect, run, new Set(exempt));
    }),
    workers: pool.workers,
    durationMs: Math.round(performance.now() - begun),
  };
}

/** Rows with a browser take several times as long: run last, they would leave the other workers idle. */
function longestFirst(facts: readonly DefectFacts[], slow: readonly string[]): readonly DefectFacts[] {
  return [...facts.filter((f) => slow.includes(f.clause)), ...facts.filter((f) => !slow.includes(f.clause))];
}

/** The base profile must hold by itself, warnings that it declares apart. */
function judgeBase(run: RowRun | undefined): {
  exempt: readonly RequirementId[];
  problems: readonly string[];
} {
  const outcomes = run?.outcomes ?? [];
  const sound = (o: Outcome) =>
    o.result === 'pass' || o.result === 'not-applicable' || o.result === 'warning';
  const problems = outcomes
    .filter((o) => !sound(o) || o.broken !== undefined)
    .map((o) => `${o.id} came out as ${o.result} on the base profile: ${o.broken ?? o.reason}`);
  if (run?.failure !== undefined) problems.push(`the base profile could not be run: ${run.failure}`);
  return { exempt: outcomes.filter((o) => o.result !== 'pass').map(({ id }) => id), problems };
}

/** One row's verdict with its problems in words. */
export function judgeRun(
  facts: DefectFacts,
  run: RowRun,
  exempt: ReadonlySet<RequirementId> = new Set(),
): MatrixRow {
  const verdict = judgeRow(run.outcomes, facts.breaks, exempt);
  const failure = run.failure?.split('\n')[0];
  return {
    facts,
    ...verdict,
    ...(run.inBrowser && { inBrowser: run.inBrowser }),
    problems:
      failure === undefined
        ? [...wording(verdict), ...elsewhereProblems(run)]
        : [`it could not be run: ${failure}`],
    durationMs: run.durationMs,
  };
}

function wording({ misses, extras, errors }: RowVerdict): readonly string[] {
  return [
    ...misses.map(({ id, came }) => `missed: ${id} should fail, came ${came}`),
    ...extras.map(({ id, came }) => `extra: ${id} is not among what it breaks, came ${came}`),
    ...errors.map(({ id, came }) => `error: ${id} proves nothing, came ${came}`),
  ];
}

/** A check must find the same by itself, and on the product's own path. */
function elsewhereProblems({ outcomes, alone, inBrowser = [] }: RowRun): readonly string[] {
  const differing = (where: string, others: readonly Outcome[]) =>
    others.flatMap((o) => {
      const together = outcomes.find(({ id }) => id === o.id)?.result;
      if (o.result === together) return [];
      return [
        `${where} ${o.id} came out as ${o.result}, among all checks as ${together}: ${o.broken ?? o.reason}`,
      ];
    });
  return [...differing('by itself', alone), ...differing('in the browser', inBrowser)];
}

/** Everything that is wrong with a matrix, one sentence each. */
export function problemsOf({ baseProblems, rows }: Matrix): readonly string[] {
  return [
    ...baseProblems,
    ...rows.flatMap(({ facts, problems }) => problems.map((p) => `${facts.id}: ${p}`)),
  ];
}

/**
 * What a run found, without what may differ between runs that find the same: two runs agree when these are equal.
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
