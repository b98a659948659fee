import type { RequirementId } from '../../../generated/ids.ts';
import type { ProvenDefect } from '../second-order/define-second-order.ts';
import { HIDDEN_ON_LIVE, type HiddenOnLive } from './hidden-on-live.ts';
import { judgeRun, type MatrixRow } from './matrix-row.ts';
import type { RowRun } from './row.ts';

/**
 * One row of the matrix on a live target, beside what its defect breaks and what a listed reason changes of that.
 *
 * @param list of listed reasons, by defect
 */
export function judgeLiveRun(
  facts: ProvenDefect,
  run: RowRun,
  exempt: ReadonlySet<RequirementId>,
  list: Readonly<Record<string, HiddenOnLive>> = HIDDEN_ON_LIVE,
): MatrixRow {
  const known = list[facts.id];
  if (known === undefined) return judgeRun(facts, run, exempt);
  if (!('stopsTheRun' in known)) {
    const breaks = [...facts.breaks.filter((id) => !known.hidden.includes(id)), ...known.instead];
    return { ...judgeRun({ ...facts, breaks }, run, exempt), facts };
  }
  const row = judgeRun(facts, run, exempt);
  return { ...row, problems: run.failure === undefined ? stopProblems(run) : row.problems };
}

/** A run that should have come to nothing found something, or said nothing. */
function stopProblems({ outcomes, troubles = [] }: RowRun): readonly string[] {
  const failed = outcomes.filter(({ result }) => result === 'fail');
  return [
    ...failed.map(
      ({ id }) =>
        `no longer hidden: ${id} failed; take this defect out of tests/proof/kill-matrix/hidden-on-live.ts`,
    ),
    ...(troubles.length === 0 ? ['hidden, and the run says nothing of it'] : []),
  ];
}

/** Defects of the list that are none. */
export function strangersListed(ids: readonly string[], list = HIDDEN_ON_LIVE): readonly string[] {
  return Object.keys(list).filter((id) => !ids.includes(id));
}
