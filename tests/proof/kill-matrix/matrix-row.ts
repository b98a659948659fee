import type { RequirementId } from '../../../generated/ids.ts';
import type { ProvenDefect } from '../second-order/define-second-order.ts';
import type { RowRun } from './row.ts';
import { judgeRow, type RowVerdict } from './row-verdict.ts';
import type { RowOutcome } from './run-checks.ts';

/** One defect with what the checks made of it. */
export interface MatrixRow extends RowVerdict {
  readonly facts: ProvenDefect;
  /** What the failed checks came out as in a real browser; absent where they were not run there. */
  readonly inBrowser?: readonly RowOutcome[];
  /** Everything that is not as it should be, one sentence each. Empty: the defect is killed, exactly. */
  readonly problems: readonly string[];
  readonly durationMs: number;
}

/** One row's verdict with its problems in words. */
export function judgeRun(
  facts: ProvenDefect,
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
  const differing = (where: string, others: readonly RowOutcome[]) =>
    others.flatMap((o) => {
      const together = outcomes.find(({ id }) => id === o.id)?.result;
      if (o.result === together) return [];
      return [
        `${where} ${o.id} came out as ${o.result}, among all checks as ${together}: ${o.broken ?? o.reason}`,
      ];
    });
  return [...differing('by itself', alone), ...differing('in the browser', inBrowser)];
}
